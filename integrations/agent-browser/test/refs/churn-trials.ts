import { afterAll, beforeAll, expect } from 'vitest';
import { type Sizes, trials } from '../../../../scripts/testing/trials.js';
import { testToolset } from '../fixtures.js';
import { ChurnRun, emptyTally, type Tally } from './churn-run.js';
import { type Churn, ChurnSite } from './churn-site.js';

export const SHAPES = [
  'li',
  'tr',
  'card',
  'bare',
  'article',
  'custom',
  'section',
  'p',
  'role',
  'span',
  'shadow',
  'deep',
  'cells',
  'boxes',
  'terms',
] as const;
export const RENDERS = ['fresh', 'keyed', 'recycled'] as const;
export const NAMES = ['same', 'hostile', 'plain', 'long'] as const;
export const ALL_CHANGES = 'shuffle,insert,remove,rotate,scroll,rerender';

interface Acts {
  /** On each page. */
  actions: Sizes;
  path?: string;
}

/** Acts on pages that churn, for the tests of a file. */
export function churnTrials() {
  const site = new ChurnSite();
  const tallies = new Map<string, Tally>();
  beforeAll(() => site.start());
  afterAll(() => {
    if (process.env.TRIALS_REPORT) for (const [name, tally] of tallies) console.info(`${name}: ${report(tally)}`);
  });

  /** In a session of its own. */
  const actThrough = async (name: string, churns: readonly Churn[], { actions, path }: Acts): Promise<Tally> => {
    const tally = emptyTally();
    tallies.set(name, tally);
    const run = new ChurnRun(testToolset().session(name), site, tally);
    for (const churn of churns) await run.actOn(churn, trials.size(actions), path);
    return tally;
  };
  return { actThrough };
}

export function expectHonest(tally: Tally): void {
  expect(tally.wrong).toEqual([]);
  expect(tally.lost).toEqual([]);
  if (!trials.isOne) expect(tally.right + tally.followed).toBeGreaterThan(0);
}

function report(tally: Tally): string {
  const times = tally.refusalTimes.toSorted((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0);
  const { actions, right, recovered, followed, gone, refused, wrong, lost, notFollowed, changes } = tally;
  return [
    `${actions} actions, ${right} right (${recovered} recovered), ${wrong.length} wrong, ${lost.length} lost`,
    `refused ${JSON.stringify(refused)}: then ${followed} followed, ${gone} gone, ${notFollowed.length} not found again`,
    `after ${JSON.stringify(changes)}, ${[...tally.changedWhen]}`,
    `refusal ms p50 ${at(0.5)} p90 ${at(0.9)} p99 ${at(0.99)} max ${at(1)}`,
  ].join('; ');
}
