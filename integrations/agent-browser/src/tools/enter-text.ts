import type { Locator } from 'playwright-core';
import type { Limits } from '../browser/engine.js';
import type { RefEntry } from '../refs/registry.js';
import type { Action } from './action.js';
import { inTime } from './in-time.js';

export interface TextEntry {
  text: string;
  /** Replaces what the field holds; else the text goes behind it. */
  clear?: boolean;
  /** Key by key. */
  slowly?: boolean;
}

export interface Entered {
  entry: RefEntry;
  /** What the field is expected to hold now; undefined where nobody can tell. */
  expected?: string;
}

/** Fields whose value is not typed: they take a whole one or none. */
const WHOLE_VALUE = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);
/** Milliseconds that a page may take over one key. */
const KEY_TIME = 20;

/** Puts text into the field of a ref. */
export async function enterText(
  action: Action,
  ref: string,
  { text, clear = true, slowly }: TextEntry,
): Promise<Entered> {
  const numeric = text.trim() === '' || !Number.isNaN(Number(text));
  const isEmpty = text === '';
  const replace = async (): Promise<Entered> => {
    const purpose = { to: 'type', numeric, isEmpty } as const;
    const { entry } = await action.act(ref, (locator, limits) => locator.fill(text, limits), purpose);
    return { entry, expected: text };
  };
  if (clear && !slowly) return replace();
  const { facts } = await action.factsOf(ref);
  if (WHOLE_VALUE.has(facts.inputType)) return replace();
  const purpose = { to: 'type', numeric, isEmpty, append: !clear } as const;
  const { entry } = await action.act(ref, (locator, limits) => prepare(locator, clear, limits), purpose);
  // A field of one line has a space where a text has a line break.
  const fitting = facts.tag === 'input' ? text.replace(/\r\n|\r|\n/g, ' ') : text;
  await inTime(
    action,
    slowly ? typeKeys(action, fitting) : action.tab.page.keyboard.insertText(fitting),
    text.length * KEY_TIME,
  );
  const before = facts.masked ? undefined : facts.value;
  return { entry, expected: clear ? text : before === undefined ? undefined : before + text };
}

/** The focus is in the field, which is empty or has the caret at its end. */
async function prepare(locator: Locator, clear: boolean, limits: Limits): Promise<void> {
  await (clear ? locator.fill('', limits) : locator.focus(limits));
}

/** An Enter key would send the form of a field of one line, and the message of a chat. */
async function typeKeys(action: Action, text: string): Promise<void> {
  const { keyboard } = action.tab.page;
  const [first = '', ...others] = text.split(/\r\n|\r|\n/);
  await keyboard.type(first);
  for (const line of others) {
    await keyboard.insertText('\n');
    await keyboard.type(line);
  }
}
