import type { ActionView } from '../../src/server/browser-agent/api.js';
import { callWords, gistOf, type Known } from '../../src/server/call-words.js';
import { CallLines } from '../layout/call-lines.js';
import { Icon, type IconName } from '../layout/icon.js';
import { JsonTree } from '../layout/json-tree.js';
import { ModelText } from '../layout/model-text.js';
import { shownDuration } from '../timeline/numbers.js';

const ACTION_STATES: Record<ActionState, { readonly icon?: IconName; readonly label: string }> = {
  pending: { icon: 'pause', label: 'Pending' },
  running: { label: 'Running' },
  done: { icon: 'check', label: 'Done' },
  healed: { icon: 'agent', label: 'Done by the model' },
  failed: { icon: 'cross', label: 'Failed' },
  dropped: { icon: 'pause', label: 'Skipped' },
};

type ActionState = ActionView['status'] | 'healed';

interface ActionRowProps {
  readonly action: Omit<ActionView, 'status'> & { readonly status: ActionState };
}

/** One action with what came of it; its input and what it read open on a click. */
export function ActionRow({ action: { action, input, names = {}, status, text, content, duration } }: ActionRowProps) {
  const { icon, label } = ACTION_STATES[status];
  const known: Known = { elementOf: ref => names[ref] };
  const tool = `browser_${action}`;
  const { sentence, lines } = callWords(tool, input, known);
  return (
    <li className={`tool-call ${status}`} data-action={action}>
      <details>
        <summary>
          <span className="state" role="img" aria-label={label} title={label}>
            {icon ? <Icon name={icon} /> : <span className="spinner" />}
          </span>
          <span className="tool-name">{action.replaceAll('_', ' ')}</span>
          <span className="gist">{gistOf(tool, input, known)}</span>
          {duration !== undefined && <span className="cost">{shownDuration(duration)}</span>}
        </summary>
        <div className="call-details">
          <section>
            <h3>Input</h3>
            <p>{sentence}</p>
            <CallLines lines={lines} />
            <JsonTree value={input} />
          </section>
          {content !== undefined && (
            <section>
              <h3>Content read</h3>
              <ModelText text={content} />
            </section>
          )}
        </div>
      </details>
      {text !== undefined && <p className="action-text">{text}</p>}
      {status === 'dropped' && (
        <p className="action-text">Skipped: an earlier action failed, or another page loaded.</p>
      )}
    </li>
  );
}
