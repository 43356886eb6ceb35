import { afterAll, beforeAll, expect, test } from 'vitest';
import { testToolset } from '../fixtures.js';
import { ChurnRun, emptyTally, type Tally } from './churn-run.js';
import { type Churn, ChurnSite } from './churn-site.js';

const LONG = 300_000;
const SHAPES = [
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
const RENDERS = ['fresh', 'keyed', 'recycled'] as const;
const NAMES = ['same', 'hostile', 'plain', 'long'] as const;
const ALL_CHANGES = 'shuffle,insert,remove,rotate,scroll,rerender';

const site = new ChurnSite();
const tallies = new Map<string, Tally>();

beforeAll(() => site.start());

afterAll(() => {
  if (process.env.CHURN_REPORT) for (const [name, tally] of tallies) console.info(`${name}: ${report(tally)}`);
});

/** Acts on pages in a session of its own. */
async function actThrough(name: string, churns: readonly Churn[], { actions = 3, path = '/' } = {}): Promise<Tally> {
  const tally = emptyTally();
  tallies.set(name, tally);
  const run = new ChurnRun(testToolset().session(name), site, tally);
  for (const churn of churns) await run.actOn(churn, actions, path);
  return tally;
}

function expectHonest(tally: Tally): void {
  expect(tally.wrong).toEqual([]);
  expect(tally.lost).toEqual([]);
}

test('clicks the item that a ref named or refuses, after lists of every shape have changed', {
  timeout: LONG,
}, async () => {
  const churns = SHAPES.flatMap((shape, i) =>
    RENDERS.map((render, j): Churn => {
      const names = (i + j) % 2 === 0 ? 'same' : 'hostile';
      return { shape, render, names, ops: ALL_CHANGES, when: 'push', seed: i * 10 + j };
    }),
  );
  const tally = await actThrough('push', churns);
  expectHonest(tally);
  expect(tally.notFollowed).toEqual([]);
  expect(tally.right).toBeGreaterThan(0);
  expect(tally.recovered).toBeGreaterThan(0);
  expect(tally.followed).toBeGreaterThan(0);
});

test('clicks no other item where rows have no element of their own and each takes what the next one showed', {
  timeout: LONG,
}, async () => {
  const churns = (['cells', 'boxes', 'terms'] as const).flatMap((shape, i) =>
    RENDERS.map((render, j): Churn => {
      return { shape, render, names: 'same', ops: 'rotate', when: 'push', seed: 500 + i * 10 + j };
    }),
  );
  const tally = await actThrough('rotated', churns);
  expectHonest(tally);
  expect(tally.refused.ref_changed).toBeGreaterThan(0);
});

test('clicks no other item when the list changes while the action is under way', { timeout: LONG }, async () => {
  const whens = ['move:0', 'move:8', 'enter', 'down:0', 'interval:7', 'interval:40', 'frame'];
  const churns = whens.flatMap((when, i) =>
    RENDERS.map((render, j): Churn => {
      const shape = SHAPES[(i * 3 + j) % SHAPES.length] ?? 'li';
      return { shape, render, names: j === 1 ? 'plain' : 'same', ops: ALL_CHANGES, when, seed: 100 + i * 10 + j };
    }),
  );
  expectHonest(await actThrough('under way', churns, { actions: 6 }));
});

test('clicks no other item after a single-page app has gone to another route', { timeout: LONG }, async () => {
  const churns = RENDERS.flatMap((render, i) =>
    NAMES.map((names, j): Churn => {
      return { shape: 'li', render, names, ops: 'route,shuffle', when: 'push', seed: 200 + i * 10 + j };
    }),
  );
  expectHonest(await actThrough('route', churns));
});

test('clicks no other item inside a frame', { timeout: LONG }, async () => {
  const churns = ['push', 'move:0', 'interval:30'].flatMap((when, i) =>
    RENDERS.map((render, j): Churn => {
      return { shape: i === 1 ? 'tr' : 'li', render, names: 'same', ops: ALL_CHANGES, when, seed: 300 + i * 10 + j };
    }),
  );
  expectHonest(await actThrough('frame', churns, { path: '/framed' }));
});

test('types into no other field and selects in no other list', { timeout: LONG }, async () => {
  const churns = (['field', 'area', 'list'] as const).flatMap((control, i) =>
    ['push', 'interval:13', 'interval:40'].flatMap((when, j) =>
      RENDERS.map((render, k): Churn => {
        const seed = 400 + i * 100 + j * 10 + k;
        return { shape: 'li', render, names: k + (j % 2) === 2 ? 'plain' : 'same', ops: 'rotate', when, seed, control };
      }),
    ),
  );
  const tally = await actThrough('fields', churns, { actions: 4 });
  expect(tally.wrong).toEqual([]);
  expect(tally.right).toBeGreaterThan(0);
});

test('clicks no other item on pages that churn at random', { timeout: LONG }, async () => {
  const first = Number(process.env.CHURN_SEED ?? 1);
  const churns = Array.from({ length: Number(process.env.CHURN_PAGES ?? 18) }, (_, i) => randomChurn(first * 1000 + i));
  expectHonest(await actThrough('random', churns, { actions: 4 }));
});

function randomChurn(seed: number): Churn {
  const dice = (sides: number, salt: number): number => Math.abs(Math.imul(seed * 31 + salt, 0x9e3779b1) >>> 8) % sides;
  const pick = <T>(from: readonly T[], salt: number): T => from[dice(from.length, salt)] as T;
  const whens = ['push', 'push', `move:${dice(30, 5)}`, `down:${dice(4, 6)}`, `interval:${5 + dice(60, 7)}`, 'enter'];
  return {
    shape: pick(SHAPES, 1),
    render: pick(RENDERS, 2),
    names: pick(NAMES, 3),
    ops: pick([ALL_CHANGES, 'shuffle', 'scroll', 'rerender', 'route,rotate', 'insert,remove'], 4),
    when: pick(whens, 8),
    seed,
  };
}

function report(tally: Tally): string {
  const times = tally.refusalTimes.toSorted((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0);
  const { actions, right, recovered, followed, gone, refused, wrong, lost, notFollowed } = tally;
  return [
    `${actions} actions, ${right} right (${recovered} recovered), ${wrong.length} wrong, ${lost.length} lost`,
    `refused ${JSON.stringify(refused)}: then ${followed} followed, ${gone} gone, ${notFollowed.length} not found again`,
    `refusal ms p50 ${at(0.5)} p90 ${at(0.9)} p99 ${at(0.99)} max ${at(1)}`,
  ].join('; ');
}
