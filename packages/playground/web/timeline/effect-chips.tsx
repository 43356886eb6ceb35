import type { ActionSummary, Effect, EffectKind } from '../../src/server/api.js';
import { Icon, type IconName } from '../layout/icon.js';
import { shownDuration } from './numbers.js';

const EFFECT_ICONS: Record<EffectKind, IconName> = {
  failed: 'failed',
  navigated: 'arrow',
  tab: 'tab',
  dialog: 'dialog',
  download: 'download',
  changes: 'changes',
};

/** What an action brought about. */
export function EffectChips({ effects }: { readonly effects: readonly Effect[] }) {
  if (effects.length === 0) return null;
  return (
    <ul className="effects">
      {effects.map(({ kind, text }) => (
        <li key={kind} className={`effect ${kind}`} title={text}>
          <Icon name={EFFECT_ICONS[kind]} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** What an action cost: time, and tokens of what the model reads. */
export function CallCost({ action: { milliseconds, tokens } }: { readonly action: ActionSummary }) {
  if (milliseconds === undefined) return null;
  return (
    <span className="cost">
      {tokens !== undefined && <span title="Tokens that the model reads (o200k_base)">{tokens} tok</span>}
      <span>{shownDuration(milliseconds)}</span>
    </span>
  );
}
