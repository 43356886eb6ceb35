import { useMemo } from 'react';
import type { ActionSummary, StudioAgent, StudioState } from '../../src/server/api.js';
import type { ThreadKey } from '../api/mastra.js';
import { ActivityBadge } from '../layout/activity.js';
import type { Activity } from '../layout/activity-now.js';
import { ModelBanner } from '../layout/model-status.js';
import { Notice } from '../layout/notices.js';
import { Composer } from './composer.js';
import { type Conversation, lastTask, toolParts } from './conversation.js';
import { AllowedKinds } from './decisions.js';
import { MessageList } from './message-list.js';
import { Suggestions } from './suggestions.js';
import { useAllowed } from './use-allowed.js';
import { useAsksBeforeActions } from './use-asks-before-actions.js';
import type { ConversationView } from './use-conversation.js';
import type { PendingPreview } from './use-preview.js';
import { type Send, useRunControls } from './use-run-controls.js';

interface ChatProps {
  readonly state: StudioState;
  readonly agent: StudioAgent;
  readonly threadKey: ThreadKey;
  readonly title: string;
  readonly view: ConversationView;
  readonly actions: readonly ActionSummary[];
  /** What went wrong outside of a run. */
  readonly failure: string | undefined;
  readonly preview: PendingPreview | undefined;
  readonly activity: Activity;
  readonly onSend: Send;
}

export function Chat({ state, agent, threadKey, title, view, actions, failure, preview, activity, onSend }: ChatProps) {
  const { conversation, connection } = view;
  const [asksBeforeActions, setAsks] = useAsksBeforeActions();
  const send = (text: string) => onSend(text, { asksBeforeActions });
  const { pending, onDecide, submit, suggest, skip, stop } = useRunControls(threadKey, view, send);
  const actionsById = useMemo(() => new Map(actions.map(action => [action.id, action])), [actions]);
  const moment = toolParts(conversation.messages)
    .map(part => part.state)
    .join();
  const isRunning = conversation.status !== 'idle';
  const [allowed, onTakeBack] = useAllowed(threadKey, { isRunning, moment, fail: view.fail });
  const isEmpty = conversation.messages.length === 0 && conversation.status === 'idle';
  const list = { conversation, threadId: threadKey.threadId, actions: actionsById, pending: preview, onDecide };
  return (
    <div className="chat">
      <header className="pane-head">
        <h1 title={title}>{title}</h1>
        <ActivityBadge activity={activity} connection={connection} />
      </header>
      <ModelBanner agent={agent} />
      <div className="scroller">
        {!isEmpty && <MessageList {...list} />}
        {isEmpty && connection !== 'connecting' && (
          <Suggestions agent={agent} tasks={state.demo.tasks} onChoose={suggest} />
        )}
        {failure !== undefined && <Notice kind="error" text={failure} />}
        {conversation.notice && <Notice kind={conversation.notice.kind} text={conversation.notice.text} />}
        <RunOffer {...{ conversation, activity }} onSend={suggest} />
      </div>
      <AllowedKinds kinds={allowed} onTakeBack={onTakeBack} />
      <Composer
        status={conversation.status}
        waitsWith={pending?.state === 'question' || pending?.state === 'approval' ? pending.state : undefined}
        tasks={isEmpty ? [] : state.demo.tasks}
        asksBeforeActions={asksBeforeActions}
        onAsksChange={setAsks}
        onSubmit={submit}
        onSuggest={suggest}
        onSkip={skip}
        onStop={stop}
      />
    </div>
  );
}

interface RunOfferProps {
  readonly conversation: Conversation;
  readonly activity: Activity;
  readonly onSend: (text: string) => void;
}

/** One press that begins again what failed, or goes on with what was interrupted. */
function RunOffer({ conversation, activity, onSend }: RunOfferProps) {
  const task = lastTask(conversation);
  if (task === undefined) return null;
  const goOn = task.startsWith(GO_ON) ? task : `${GO_ON} ${task}`;
  const [label, text] = activity === 'failed' ? ['Retry', task] : ['Resume', goOn];
  if (activity !== 'failed' && !conversation.notice?.isUnfinished) return null;
  return (
    <p className="run-offer">
      <button type="button" className="button" onClick={() => onSend(text)}>
        {label}
      </button>
    </p>
  );
}

const GO_ON = 'The last run was interrupted. Go on with this task from where it stands:';
