import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../pages/random.ts';
import type { PageServer } from '../../pages/server.ts';
import { interleave, type Rounds, type Timed, timeOf } from '../interleave.ts';
import type { FieldValue, FormActions, StackBrowser, StackThread } from '../stacks/stack.ts';
import { type Spread, spread } from '../statistics.ts';

/** What happens on a page whose listeners stand at its root. */
export interface FrameworkResults {
  /** Milliseconds of one call, by action and stack; of a form, of one field. */
  actions: Record<string, Record<string, Spread>>;
  /** Changes that come some time after the action, by what they are and stack. */
  late: Record<LateChange, Record<string, LateScore>>;
}

export interface LateScore {
  tries: number;
  /** How often the result of the action itself told the change. */
  own: number;
  /** Of the others, how often the next result told it, and how often before anything of its own. */
  next: number;
  nextFirst: number;
  /** Milliseconds of the action. */
  ms: Spread;
}

export interface FrameworkRun {
  server: PageServer;
  browsers: ReadonlyMap<string, StackBrowser>;
  rounds: Rounds;
}

export const BARE = 'playwright';

interface OwnEffect {
  run(form: FormActions, turn: number): Promise<unknown>;
  /** Not timed. */
  prepare?(form: FormActions): Promise<unknown>;
  /** How many actions a run is. */
  parts?: number;
}

const texts = ['Ada Lovelace', 'Grace Hopper', 'Mary Jackson'];
const countries = ['Sweden', 'Denmark', 'Norway'];
const pick = (values: readonly string[], turn: number): string => values[turn % values.length] ?? '';

/** Each has an effect of its own, and no other. A turn differs from the one before: what is so already would be nothing to do. */
const ownEffects: Readonly<Record<string, OwnEffect>> = {
  type: { run: (form, turn) => form.type('Name', pick(texts, turn)) },
  'type, delegated': { run: (form, turn) => form.type('Nickname', pick(texts, turn)) },
  check: { run: (form, turn) => form.check('Newsletter', turn % 2 === 0) },
  'check, delegated': { run: (form, turn) => form.check('Terms', turn % 2 === 0) },
  select: { run: (form, turn) => form.select('Country', pick(countries, turn)) },
  Tab: { run: form => form.press('Tab') },
  hover: { prepare: form => form.hover('Still'), run: form => form.hover('Plain') },
  'hover, styled': { prepare: form => form.hover('Still'), run: form => form.hover('Styled') },
  'hover, tooltip': { prepare: form => form.hover('Still'), run: form => form.hover('Explained') },
  'fill_form, a field': { run: (form, turn) => form.fill(fieldsOf(turn)), parts: 5 },
  evaluate: { run: form => form.evaluate('1+1') },
};

function fieldsOf(turn: number): FieldValue[] {
  return [
    ...['Name', 'Email', 'City'].map(name => ({ kind: 'textbox' as const, name, value: pick(texts, turn) })),
    { kind: 'checkbox', name: 'Newsletter', value: String(turn % 2 === 0) },
    { kind: 'combobox', name: 'Country', value: pick(countries, turn) },
  ];
}

export const lateChanges = [
  'after 150 ms',
  'after 350 ms',
  'by a request of 250 ms',
  'suggestions after 300 ms',
  'a search debounced by 200 ms',
  'a validation 300 ms after blur',
  'after 1,200 ms',
] as const;
export type LateChange = (typeof lateChanges)[number];

interface LateAction {
  delayMs: number;
  /** What a result says of the change, and of nothing else. */
  words: string;
  prepare?(form: FormActions): Promise<unknown>;
  act(form: FormActions): Promise<string>;
}

export const lateActions: Readonly<Record<LateChange, LateAction>> = {
  'after 150 ms': { delayMs: 150, words: 'Save is done.', act: form => form.click('Save') },
  'after 350 ms': { delayMs: 350, words: 'Publish is done.', act: form => form.click('Publish') },
  'by a request of 250 ms': { delayMs: 250, words: 'Load is done.', act: form => form.click('Load') },
  'suggestions after 300 ms': { delayMs: 300, words: 'Oslo harbour', act: form => form.type('Town', 'Oslo') },
  'a search debounced by 200 ms': {
    delayMs: 200,
    words: 'Found nothing for rope.',
    act: form => form.type('Search', 'rope'),
  },
  'a validation 300 ms after blur': {
    delayMs: 300,
    words: 'No town has the postcode 17.',
    prepare: form => form.type('Postcode', '17'),
    act: form => form.press('Tab'),
  },
  'after 1,200 ms': { delayMs: 1_200, words: 'Archive is done.', act: form => form.click('Archive') },
};

/** What a busy machine adds to the time of a change. */
const MARGIN_MS = 500;
/** The effect of the click that follows a change which its own action did not tell. */
const NEXT_WORDS = 'Counted 1.';

export async function measureFramework(run: FrameworkRun): Promise<FrameworkResults> {
  const results: FrameworkResults = { actions: {}, late: {} as FrameworkResults['late'] };
  for (const [action, effect] of Object.entries(ownEffects)) results.actions[action] = await timesOf(effect, run);
  for (const change of lateChanges) results.late[change] = await scoresOf(lateActions[change], run);
  return results;
}

/** Every stack once a round, each on a page that nobody has touched before. */
async function timesOf(
  { run, prepare, parts = 1 }: OwnEffect,
  { server, browsers, rounds }: FrameworkRun,
): Promise<Record<string, Spread>> {
  const opened = await openForms(browsers, server);
  const subjects = opened.map(({ name, form }): Timed => {
    let turn = 0;
    return { name, run: () => run(form, turn++), ...(prepare && { prepare: () => prepare(form) }) };
  });
  const samples = await interleave(subjects, rounds);
  for (const { thread } of opened) await thread.close();
  return Object.fromEntries([...samples].map(([name, times]) => [name, spread(times.map(time => time / parts))]));
}

/** Every stack with tools in turn, each time on a new page: what a page did before says nothing about the first time. */
async function scoresOf(
  action: LateAction,
  { server, browsers, rounds }: FrameworkRun,
): Promise<Record<string, LateScore>> {
  const opened = await openForms(new Map([...browsers].filter(([name]) => name !== BARE)), server);
  const random = new Random('late changes');
  const tries = new Map(opened.map(({ name }) => [name, [] as Try[]]));
  for (let round = 0; round < rounds.rounds * 2; round++)
    for (const { name, thread } of random.shuffled(opened)) {
      await thread.navigate(server.url('framework'));
      const form = await thread.prepareForm?.();
      if (form) tries.get(name)?.push(await tryOnce(action, form));
    }
  for (const { thread } of opened) await thread.close();
  return Object.fromEntries([...tries].map(([name, all]) => [name, scoreOf(all)]));
}

interface Try {
  ms: number;
  told: 'own' | 'next first' | 'next' | 'never';
}

async function tryOnce({ delayMs, words, prepare, act }: LateAction, form: FormActions): Promise<Try> {
  await prepare?.(form);
  let text = '';
  const ms = await timeOf(async () => {
    text = await act(form);
  });
  if (text.includes(words)) return { ms, told: 'own' };
  // No stack says when the page has changed: that is what is measured.
  await pause(delayMs + MARGIN_MS);
  const next = await form.click('Count');
  if (!next.includes(words)) return { ms, told: 'never' };
  return { ms, told: next.split(NEXT_WORDS)[0]?.includes(words) ? 'next first' : 'next' };
}

function scoreOf(tries: readonly Try[]): LateScore {
  const count = (told: Try['told']) => tries.filter(each => each.told === told).length;
  const nextFirst = count('next first');
  return {
    tries: tries.length,
    own: count('own'),
    next: count('next') + nextFirst,
    nextFirst,
    ms: spread(tries.map(({ ms }) => ms)),
  };
}

interface OpenedForm {
  name: string;
  thread: StackThread;
  form: FormActions;
}

async function openForms(browsers: ReadonlyMap<string, StackBrowser>, server: PageServer): Promise<OpenedForm[]> {
  const opened: OpenedForm[] = [];
  for (const [name, browser] of browsers) {
    const thread = await browser.thread('framework');
    if (thread.prepareForm === undefined) continue;
    await thread.navigate(server.url('framework'));
    opened.push({ name, thread, form: await thread.prepareForm() });
  }
  return opened;
}
