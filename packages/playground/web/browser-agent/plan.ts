import type { RunSummary, StepView } from '../../src/server/browser-agent/api.js';

export interface PlanItem {
  readonly text: string;
  readonly state: 'done' | 'current' | 'open';
}

type PlannedRun = Pick<RunSummary, 'status' | 'success'>;

const BULLET = /^\s*(?:[-*•–]\s+|\d+[.)]\s+)?(?:\[([ xX✓✔>])\]\s*|([✓✔✅☑])\s*)?/;

/**
 * What is done of a task and what is still to be done, by the newest words of the agent on it: `progress` and `plan`, a
 * line an item. A mark such as `[x]` in either says more than the place where it stands. The first open one is the current.
 */
export function planOf(steps: readonly StepView[], { status, success }: PlannedRun): PlanItem[] {
  const newest = (field: 'progress' | 'plan') => steps.findLast(step => step[field] !== undefined)?.[field] ?? '';
  const items = [...itemsOf(newest('progress'), 'done'), ...itemsOf(newest('plan'), 'open')];
  // At its last step the agent cannot yet count that one as done.
  if (success) return items.map(item => ({ ...item, state: 'done' }));
  if (status === 'ended' || status === 'interrupted') return items;
  const current = items.findIndex(({ state }) => state === 'open');
  return items.map((item, index) => (index === current ? { ...item, state: 'current' } : item));
}

function itemsOf(text: string, usual: PlanItem['state']): PlanItem[] {
  return text.split('\n').flatMap(line => {
    const [marked = '', box, tick] = BULLET.exec(line) ?? [];
    const item = line.slice(marked.length).trim();
    if (item === '') return [];
    const state = tick || (box && /[xX✓✔]/.test(box)) ? 'done' : box === undefined ? usual : 'open';
    return [{ text: item, state }];
  });
}
