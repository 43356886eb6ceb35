import { DELETE, DOWNLOAD, PAY, SUBMIT, type Words } from './action-words.js';

/** Classes of action that can be asked about. */
export const ACTION_CLASSES = ['submit', 'pay', 'delete', 'upload', 'download', 'evaluate'] as const;

/** A class of action. `submit`: sends a form or saves; the others are what they say. */
export type ActionClass = (typeof ACTION_CLASSES)[number];

/** The kind of value that a call puts in: never the value itself. */
export type ValueKind = 'text' | 'secret' | 'checked' | 'options' | 'keys' | 'files' | 'expression';

/** An action that waits to be judged. */
export interface BrowserAction {
  /** Id of the tool. */
  tool: string;
  threadId: string;
  /** Url of the active tab. */
  url?: string;
  ref?: string;
  /** The element that is acted on, as the agent was told of it; of a form the button that sends it. */
  element?: { role: string; name: string; row: string; tag?: string };
  /** The dialog that is answered. */
  dialog?: { type: string; message: string };
  values: ValueKind[];
  /** The classes that it looks like: a guess by what the page says. */
  classes: ActionClass[];
  /** Nobody knows what is acted on: a point of the page, or whatever has the focus. */
  isUncertain: boolean;
}

/**
 * Whether a person has to approve an action first. It can be asked more than once about one action; what it throws counts
 * as yes.
 */
export type Approval = (action: BrowserAction) => boolean | Promise<boolean>;

/**
 * Asks about all actions that look like one of these classes, and about those of which nobody knows what they act on.
 *
 * @example
 * ```ts
 * new BrowserToolset({ approval: approvalFor('pay', 'delete') });
 * ```
 */
export function approvalFor(...classes: readonly ActionClass[]): Approval {
  const asked = new Set(classes);
  // Of a point or the focus anything can be expected that a press can do.
  const byPress = asked.has('pay') || asked.has('delete') || asked.has('submit') || asked.has('download');
  return ({ classes: found, isUncertain }) => (isUncertain && byPress) || found.some(each => asked.has(each));
}

/** The facts of an element that is pressed. */
export interface Pressed {
  role: string;
  name: string;
  domId?: string;
  /** The browser's own action when it is pressed. */
  does?: 'submit' | 'download';
  /** It takes files. */
  isFileInput?: boolean;
}

/** Roles of what is filled in rather than pressed. */
const FIELDS = new Set(['textbox', 'searchbox', 'spinbutton', 'slider', 'listbox', 'combobox']);

/** The classes of a press. */
export function classesOfPress({ role, name, domId = '', does, isFileInput }: Pressed, url = ''): ActionClass[] {
  if (isFileInput) return ['upload'];
  if (FIELDS.has(role)) return [];
  const said = `${name} ${spaced(domId)}`;
  const classes = classesOfWords(said);
  if (does !== undefined) classes.push(does);
  if (classes.includes('submit') && isPayPage(url)) classes.push('pay');
  return inOrder(classes);
}

/** The classes of sending the form around a field. */
export function classesOfSending(url = ''): ActionClass[] {
  return isPayPage(url) ? ['submit', 'pay'] : ['submit'];
}

/** Classes that a text speaks of. */
export function classesOfWords(text: string): ActionClass[] {
  const plain = folded(text);
  return MATCHERS.flatMap(([name, matches]) => (matches(plain) ? [name] : []));
}

const MATCHERS: [ActionClass, (text: string) => boolean][] = [
  ['submit', matcher(SUBMIT)],
  ['pay', matcher(PAY)],
  ['delete', matcher(DELETE)],
  ['download', matcher(DOWNLOAD)],
];

function isPayPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  return /checkout|payment|[/.]pay(?:[/.]|$)|billing|kasse|paiement|pago/i.test(
    `/${new URL(url).hostname}${new URL(url).pathname}`,
  );
}

function matcher({ words, anywhere = '' }: Words): (text: string) => boolean {
  const whole = words.split(/\s*,\s*/).map(word => folded(word).replaceAll('*', '\\p{L}*'));
  const one = new RegExp(`(?<![\\p{L}\\p{N}])(?:${whole.join('|')})(?![\\p{L}\\p{N}])`, 'u');
  const pieces = anywhere.split(' ').filter(Boolean).map(folded);
  return text => one.test(text) || pieces.some(piece => text.includes(piece));
}

const LETTERS: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', ı: 'i', đ: 'd', æ: 'ae', œ: 'oe' };

/** In one case, without accents and with single spaces. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßøłıđæœ]/g, letter => LETTERS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}

/** `deleteRow-btn` says delete, row and btn. */
function spaced(domId: string): string {
  return domId.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}]+/gu, ' ');
}

function inOrder(classes: readonly ActionClass[]): ActionClass[] {
  return ACTION_CLASSES.filter(each => classes.includes(each));
}
