import { useMemo } from 'react';
import type { ActionSummary, StudioAgent, StudioState } from '../../src/server/api.js';
import type { ThreadKey } from '../api/mastra.js';
import { Notice, ScriptBanner } from '../layout/notices.js';
import { Composer } from './composer.js';
import { MessageList } from './message-list.js';
import { Suggestions } from './suggestions.js';
import { useAsksBeforeActions } from './use-asks-before-actions.js';
import type { ConversationView } from './use-conversation.js';
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
  readonly onSend: Send;
}

export function Chat({ state, agent, threadKey, title, view, actions, failure, onSend }: ChatProps) {
  const { conversation, connection } = view;
  const [asksBeforeActions, setAsks] = useAsksBeforeActions();
  const send = (text: string) => onSend(text, { asksBeforeActions });
  const { pending, onDecide, submit, suggest, stop } = useRunControls(threadKey, view, send);
  const actionsById = useMemo(() => new Map(actions.map(action => [action.id, action])), [actions]);
  const isEmpty = conversation.messages.length === 0 && conversation.status === 'idle';
  const list = { conversation, threadId: threadKey.threadId, actions: actionsById, onDecide };
  return (
    <div className="chat">
      <header className="pane-head">
        <h1 title={title}>{title}</h1>
        <RunStatus status={conversation.status} connection={connection} />
      </header>
      {agent.model === undefined && <ScriptBanner />}
      <div className="scroller">
        {!isEmpty && <MessageList {...list} />}
        {isEmpty && connection !== 'connecting' && (
          <Suggestions agent={agent} tasks={state.demo.tasks} onChoose={suggest} />
        )}
        {failure !== undefined && <Notice kind="error" text={failure} />}
        {conversation.notice && <Notice {...conversation.notice} />}
      </div>
      <Composer
        status={conversation.status}
        isAnswer={pending?.state === 'question'}
        tasks={isEmpty ? [] : state.demo.tasks}
        asksBeforeActions={asksBeforeActions}
        onAsksChange={setAsks}
        onSubmit={submit}
        onSuggest={suggest}
        onStop={stop}
      />
    </div>
  );
}

interface RunStatusProps {
  readonly status: 'idle' | 'running' | 'waiting';
  readonly connection: ConversationView['connection'];
}

function RunStatus({ status, connection }: RunStatusProps) {
  if (connection === 'lost') return <span className="badge danger">Disconnected. Reconnecting…</span>;
  if (status === 'running') return <span className="badge accent pulsing">Working</span>;
  if (status === 'waiting') return <span className="badge warning">Waiting for you</span>;
  return null;
}
