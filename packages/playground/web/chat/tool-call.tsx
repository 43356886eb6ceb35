import { useState } from 'react';
import { z } from 'zod';
import { personActions } from '../../src/demo/person-actions.js';
import { asRecord } from '../../src/demo/unknown-values.js';
import type { ActionSummary, Decision } from '../../src/server/api.js';
import { callWords, gistOf } from '../../src/server/call-words.js';
import type { ThreadElements } from '../../src/server/element-names.js';
import { pictureUrl } from '../api/playground.js';
import { CallLines } from '../layout/call-lines.js';
import { Icon, type IconName } from '../layout/icon.js';
import { JsonTree } from '../layout/json-tree.js';
import { ModelText } from '../layout/model-text.js';
import { CallCost, EffectChips } from '../timeline/effect-chips.js';
import { PersonActions } from '../timeline/person-actions.js';
import { plainToolName } from '../tools/tool-name.js';
import type { ToolPart, ToolState } from './conversation.js';
import { Approval, QuestionCard } from './decisions.js';
import type { PendingPreview } from './use-preview.js';

interface ToolCallProps {
  readonly part: ToolPart;
  readonly threadId: string;
  /** What the server knows of the call; nothing of tools that are not the browser's. */
  readonly action: ActionSummary | undefined;
  /** What the call is about to do, while it waits for approval. */
  readonly pending: PendingPreview | undefined;
  /** What the thread's agent has read of elements. */
  readonly elements: ThreadElements;
  readonly onDecide: (decision: Decision) => void;
}

const TOOL_STATES: Record<ToolState, { readonly icon?: IconName; readonly label: string }> = {
  preparing: { label: 'Preparing' },
  running: { label: 'Running' },
  approval: { icon: 'hand', label: 'Waiting for your approval' },
  question: { icon: 'question', label: 'Waiting for your answer' },
  done: { icon: 'check', label: 'Done' },
  failed: { icon: 'cross', label: 'Failed' },
  denied: { icon: 'hand', label: 'Declined' },
  stopped: { icon: 'pause', label: 'Stopped' },
};

export function ToolCall({ part, threadId, action, pending, elements, onDecide }: ToolCallProps) {
  const { id, tool, state, input } = part;
  const { icon, label } = TOOL_STATES[state];
  const isOver = state === 'done' || state === 'failed';
  const answer = part.answer ?? answerIn(part);
  return (
    <div className={`tool-call ${state}`} data-tool={tool}>
      <details>
        <summary>
          <span className="state" role="img" aria-label={label} title={label}>
            {icon ? <Icon name={icon} /> : <span className="spinner" />}
          </span>
          <span className="tool-name">{plainToolName(tool)}</span>
          <span className="gist">
            {action?.gist ?? pending?.preview.gist ?? gistOf(tool, asRecord(input), elements)}
          </span>
          {action && <CallCost action={action} />}
        </summary>
        <ToolDetails part={part} elements={elements} />
      </details>
      <PersonActions actions={personActions(part.result)} />
      {isOver && action && action.effects.length > 0 && (
        <div className="outcome">
          <EffectChips effects={action.effects} />
          <ToolPicture threadId={threadId} id={id} />
        </div>
      )}
      {answer !== undefined && <p className="answered">You said: {answer}</p>}
      {state === 'approval' && !pending?.preview.isAllowed && <Approval {...{ part, pending, onDecide }} />}
      {state === 'question' && <QuestionCard part={part} onDecide={onDecide} />}
    </div>
  );
}

function ToolDetails({ part, elements }: Pick<ToolCallProps, 'part' | 'elements'>) {
  const { tool, input, result, text } = part;
  const { sentence, lines } = callWords(tool, asRecord(input), elements);
  return (
    <div className="call-details">
      {input !== undefined && (
        <section>
          <h2>Input</h2>
          <p>{sentence}</p>
          <CallLines lines={lines} />
        </section>
      )}
      {text !== undefined && (
        <section>
          <h2>What the model reads</h2>
          <ModelText text={text} />
        </section>
      )}
      {result !== undefined && (
        <section>
          <h2>Object</h2>
          <JsonTree value={result} />
        </section>
      )}
    </div>
  );
}

/** What the page looked like after the action. An action that left no picture leaves no gap. */
function ToolPicture({ threadId, id }: { readonly threadId: string; readonly id: string }) {
  const [isMissing, setMissing] = useState(false);
  if (isMissing) return null;
  const url = pictureUrl({ threadId, id });
  return (
    <a className="thumbnail" href={url} target="_blank" rel="noreferrer">
      <img src={url} alt="The page after this action" loading="lazy" onError={() => setMissing(true)} />
    </a>
  );
}

const answered = z.object({ answer: z.string() });

/** What the person said to a question, as the tool's result tells it. */
function answerIn({ tool, result }: ToolPart): string | undefined {
  return tool === 'ask_user' ? answered.safeParse(result).data?.answer : undefined;
}
