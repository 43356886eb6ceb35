import type { LiveAction } from '@browser-toolset/core';
import type { ReactElement } from 'react';
import { labelOf } from './agent-overlay.js';
import { Icon } from './icons.js';

/** The agent's present or last action. */
export function ActionLine({ action }: { action: LiveAction | undefined }): ReactElement {
  if (action === undefined) return <span className="bt-action" />;
  const details = [labelOf(action), action.summary].filter(part => part).join(' · ');
  return (
    <span className="bt-action" data-phase={action.phase} title={details}>
      <ActionMark action={action} />
      <b>{action.tool.replace(/^browser_/, '').replaceAll('_', ' ')}</b>
      <span className="bt-action-details">{details}</span>
    </span>
  );
}

function ActionMark({ action }: { action: LiveAction }): ReactElement {
  if (action.phase !== 'ended') return <span className="bt-spinner" role="img" aria-label="Running" />;
  const [icon, label] = action.success === false ? (['close', 'Failed'] as const) : (['check', 'Done'] as const);
  return (
    <span className="bt-mark" data-failed={action.success === false} role="img" aria-label={label}>
      <Icon name={icon} />
    </span>
  );
}
