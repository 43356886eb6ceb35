import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { type AgentHistory, BrowserAgent, detectVariables, toCode } from '@browser-toolset/browser-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newContext } from '../../packages/playground-ui/test/chromium.ts';
import { trials } from '../../scripts/testing/trials.ts';
import { scriptedModelFor } from '../src/play/players.ts';
import { OWN_SUITE } from '../src/suite/own-suite.ts';
import type { EvalTask, Stage } from '../src/suite/task.ts';

let folder: string;
let browser: BrowserToolset;
beforeAll(async () => {
  // Among the tests: what is exported imports packages of this one.
  folder = await mkdtemp(join(import.meta.dirname, 'recorded-'));
  browser = new BrowserToolset({ uploadRoots: [folder], downloadsPath: join(folder, 'files') });
  // Chromium ends with the last session.
  await browser.session(KEEPER).navigate({ url: 'about:blank' });
});
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

const KEEPER = 'keeps-chromium';

/** Closes what a run was done in. */
async function closeSessions(): Promise<void> {
  const threads = browser.liveSessions().map(({ threadId }) => threadId);
  await Promise.all(threads.filter(id => id !== KEEPER).map(id => browser.closeThreadSession(id)));
}

interface Recorded {
  history: AgentHistory;
  answer: string;
  /** What the server held before and after the run. */
  before: unknown;
  after: unknown;
}

async function record(task: EvalTask): Promise<Recorded> {
  await using stage = await task.open(folder);
  const before = held(stage);
  const agent = new BrowserAgent({ browser, model: scriptedModelFor('browser', task), vision: false });
  const { history, result = '' } = await agent.run({ task: stage.prompt }).result;
  await closeSessions();
  expect(await problemsOf(stage, result)).toBe('');
  return { history: JSON.parse(JSON.stringify(history)), answer: result, before, after: held(stage) };
}

async function problemsOf(stage: Stage, answer: string): Promise<string> {
  const { signal } = new AbortController();
  const { passed, reason } = await stage.judge({ answer, steps: [], lastPage: '', signal });
  return passed ? '' : reason;
}

/** Moments and numbers that count on are others in each run. */
const PASSING = new Set(['readyAt', 'placedAt', 'number']);

/** What the server of a stage holds. The shop answers with its orders. */
function held({ state }: Stage): unknown {
  const plain = state as { orders?: () => unknown };
  const told = typeof plain.orders === 'function' ? plain.orders() : plain;
  return JSON.parse(JSON.stringify(told, (key, value) => (PASSING.has(key) ? undefined : value)));
}

type Again = (recorded: AgentHistory, given: Record<string, string>) => Promise<void>;

const WAYS: Readonly<Record<string, Again>> = {
  'by a rerun': async (history, variables) => {
    const { problem } = await new BrowserAgent({ browser, model: 'nobody/is-asked' }).rerun(history, { variables });
    expect(problem).toBe(undefined);
  },
  'by its export for Playwright': async (history, given) => {
    const exported = await imported(toCode(history, { as: 'playwright' }));
    const { run } = exported as { run(page: unknown, given: object): Promise<void> };
    await using context = await newContext();
    await run(await context.newPage(), given);
  },
  'by its export for Mastra': async (history, inputData) => {
    const exported = await imported(toCode(history, { as: 'mastra' }));
    const { recordedTask } = exported as {
      recordedTask(browser: BrowserToolset): { createRun(): Promise<{ start(given: object): Promise<object> }> };
    };
    const run = await recordedTask(browser).createRun();
    expect(await run.start({ inputData })).toMatchObject({ status: 'success' });
  },
};

let modules = 0;
/** A module as a person would keep it. */
async function imported(source: string): Promise<unknown> {
  const file = join(folder, `export-${++modules}.ts`);
  await writeFile(file, source);
  return import(file);
}

interface Change {
  given: Readonly<Record<string, string>>;
  /** Values that the server holds instead of recorded ones; those of the variables when left out. */
  holds?: Readonly<Record<string, string>>;
}

/** Other values, with which each task still goes. */
const CHANGES: Readonly<Record<string, Change>> = {
  'account-feedback': { given: { comment: 'Too few branches' } },
  'account-settings': { given: { language: 'Deutsch' } },
  'board-new-on-top': { given: { new_card: 'Buy nails' } },
  'booking-garden-room': { given: { guests: '1', full_name: 'Bo Ek', email: 'bo@example.com' } },
  'documents-hand-in': { given: { title: 'Chairs', folder: 'Contracts' } },
  'library-count-portuguese': { given: { language: 'German' } },
  'library-reserve-newest': { given: { branch: 'Hillside', card_number: '111222' } },
  'mail-forwarded-note': { given: { to: 'bo@example.com', subject: 'Code', text: 'ABC 1' } },
  'mail-reply': { given: { text: 'No.' } },
  'people-highest-spend': { given: { department: 'Support' } },
  'people-last-page-role': { given: { role: 'Editor' } },
  'people-suspend-one-of-two': { given: { status: 'Active' } },
  'race-correct': { given: { emergency_phone: '+47 90112299' } },
  'race-register': {
    given: {
      first_and_last_name: 'Ola Nes',
      date_of_birth: '1990-01-02',
      club: 'Oslo Owls',
      shirt_size: 'L',
      emergency_phone_2: '+47 11112222',
    },
  },
  // Its code depends on the length of the month alone.
  'reports-release': { given: { month: 'March 2031', note: 'seen' } },
  'reviews-reply': { given: { reply_to_greta: 'No.' } },
  // Two fields got the same name; each has one of its own now.
  'shop-buy-a-mug': {
    given: {
      full_name: 'Bo Ek',
      name_on_card: 'Al Ek',
      email: 'bo@example.com',
      city: 'Oslo',
      card_number: '5555 5555 5555 4444',
    },
    holds: { 'Ann Berg': 'Bo Ek', 'ann@example.com': 'bo@example.com', Bergen: 'Oslo', '4242': '4444' },
  },
  'shop-two-things': { given: { name_on_card: 'Bo Ek', country: 'Denmark' }, holds: { Norway: 'Denmark' } },
  'trains-cheapest-direct': {
    given: { to: 'Laus', to_option: 'Lausanne', date: '2031-09-13', traveller: 'Bo Ek' },
  },
  'trains-price-of-last': { given: { from: 'Bas', from_option: 'Basel' } },
};

/** What a server holds with other values, where it holds something else than before the run. */
function changed(before: unknown, after: unknown, values: Readonly<Record<string, string>>): unknown {
  if (isDeepStrictEqual(before, after)) return after;
  if (typeof after === 'object' && after !== null) {
    const old = (before ?? {}) as Record<string, unknown>;
    const entries = Object.entries(after).map(([key, each]) => [key, changed(old[key], each, values)]);
    return Array.isArray(after) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
  }
  const now = values[String(after)];
  return now === undefined ? after : typeof after === 'number' ? Number(now) : now;
}

/** One with a frame, one with a dialog, one with rows and options of its own. */
const SLICE = ['account-feedback', 'mail-empty-trash', 'trains-cheapest-direct'];
const table = OWN_SUITE.map((task, i) => ({ task, id: task.id, seed: i + 1 }));

describe.each(trials.of(table, ({ id }) => SLICE.includes(id)))('the recorded run of $id', ({ task, id }) => {
  let recorded: Recorded;
  beforeAll(async () => {
    recorded = await record(task);
  });

  async function again(way: Again, given: Readonly<Record<string, string>>) {
    await using stage = await task.open(folder);
    const origin = new URL(/^Start at (\S+)/m.exec(stage.prompt)?.[1] ?? '').origin;
    await way(recorded.history, { ...given, origin });
    await closeSessions();
    return { state: held(stage), problems: await problemsOf(stage, recorded.answer) };
  }

  test.each(Object.entries(WAYS))('is done again %s', { timeout: trials.limit }, async (_, way) => {
    expect(await again(way, {})).toEqual({ state: recorded.after, problems: '' });
  });

  const { given, holds } = CHANGES[id] ?? {};
  if (given === undefined) return;
  test.each(Object.entries(WAYS))('is done again with other values %s', { timeout: trials.limit }, async (_, way) => {
    const { before, after, history } = recorded;
    const variables = detectVariables(history);
    const values = Object.entries(given).map(([name, now]) => [variables[name]?.value ?? name, now]);
    const { state } = await again(way, given);
    expect(state).toEqual(changed(before, after, holds ?? Object.fromEntries(values)));
  });
});

test('other values are those of tasks that there are', () => {
  const ids = OWN_SUITE.map(({ id }) => id);
  expect([...Object.keys(CHANGES), ...SLICE].filter(id => !ids.includes(id))).toEqual([]);
});
