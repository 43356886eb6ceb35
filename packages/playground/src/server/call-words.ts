import { asRecord } from '../demo/unknown-values.js';

/** One line of a call: a field of the page, or of the input, and what it gets. */
export interface CallLine {
  readonly name: string;
  readonly value: string;
  /** The element that it is about. */
  readonly ref?: string;
}

export interface CallWords {
  /** Such as `Fill in 4 fields, then press button "Confirm card"`. */
  readonly sentence: string;
  /** All that the sentence does not say, in the order of the input; what is pressed is the last. */
  readonly lines: readonly CallLine[];
}

/** What is known of the elements that a call names. */
export interface Known {
  /** Such as `button "Pay now" in "Order 7"`; undefined for an element that nobody has named. */
  elementOf(ref: string): string | undefined;
  /** What a field will show, where that is known to be something else than what the call holds: a password, a secret. */
  shownValueOf?(ref: string): string | undefined;
  /** What is at the point of the call. */
  readonly atPoint?: string | undefined;
  /** The message of the dialog that is open. */
  readonly dialog?: string | undefined;
}

export type Input = Readonly<Record<string, unknown>>;

/** A call in a person's words: elements by their names, each field in a line, nothing left out. */
export function callWords(tool: string, input: Input, known: Known): CallWords {
  const call = new CallReader(input, known);
  const sentence = SENTENCES[tool]?.(call) ?? plainSentence(tool, call);
  return { sentence, lines: [...call.lines, ...call.rest(), ...call.last] };
}

/** The call on one line, beside the name of its tool: without what a form is filled in with. */
export function gistOf(tool: string, input: Input, known: Known): string {
  const call = new CallReader(input, known);
  SENTENCES[tool]?.(call);
  const fields = call.lines.map(({ name }) => name);
  const rest = call.rest().map(({ name, value }) => `${name}: ${value}`);
  const all = [...call.said, ...fields, ...rest, ...call.last.map(({ value }) => `then ${value}`)].join(', ');
  return all.length > GIST_LENGTH ? `${all.slice(0, GIST_LENGTH)}…` : all;
}

/** In characters, for lists that hold many of them. */
const GIST_LENGTH = 300;
/** In characters: a longer text, or one of several lines, gets a line of its own. */
const QUOTED_LENGTH = 60;
const REF = /^[^a-z0-9]*(?:ref[^a-z0-9]+)?(e\d+)[^a-z0-9]*$/i;
/** Where a secret's value goes: the model knows its name alone. */
const SECRET = /<secret>\s*([^<>]+?)\s*<\/secret>/g;
const REF_FIELDS: ReadonlySet<string> = new Set(['ref', 'from', 'to', 'submit']);

/** The ref in a text, as snapshots write it. */
export function refIn(value: unknown): string | undefined {
  const ref = typeof value === 'string' ? REF.exec(value.trim())?.[1] : undefined;
  return ref && `@${ref.toLowerCase()}`;
}

/** The refs that an input names, wherever they stand in it. */
export function* refsIn(input: unknown, field = ''): Generator<string> {
  const ref = REF_FIELDS.has(field) ? refIn(input) : undefined;
  if (ref !== undefined) yield ref;
  else if (typeof input === 'object' && input !== null)
    for (const [key, value] of Object.entries(input)) yield* refsIn(value, key);
}

/** Reads the input of one call; what nobody has read is listed at the end, so that nothing stays unseen. */
class CallReader {
  readonly lines: CallLine[] = [];
  readonly last: CallLine[] = [];
  /** What the sentence says of the input, piece by piece. */
  readonly said: string[] = [];
  readonly #read = new Set<string>();

  constructor(
    readonly input: Input,
    readonly known: Known,
  ) {}

  take(field: string): unknown {
    this.#read.add(field);
    return this.input[field] ?? undefined;
  }

  /** As `take`, for the sentence. */
  say(field: string): string | undefined {
    const value = this.take(field);
    if (value === undefined) return undefined;
    const words = wordsOf(value);
    this.said.push(words);
    return words;
  }

  /** A text in quotes; one that is long gets a line, and hidden ones are no one's. */
  quote(field: string, name: string, ref?: unknown): string | undefined {
    const text = this.take(field);
    if (text === undefined) return undefined;
    const at = refIn(ref);
    const shown = wordsOf((at && this.known.shownValueOf?.(at)) ?? text);
    if (shown.length <= QUOTED_LENGTH && !shown.includes('\n')) {
      this.said.push(shown);
      return quoted(shown);
    }
    this.lines.push({ name, value: shown, ...(at && { ref: at }) });
    return undefined;
  }

  element(field = 'ref'): string | undefined {
    const given = structured(this.take(field));
    if (given === undefined) return undefined;
    const words = this.nameOf(given);
    this.said.push(words);
    return words;
  }

  /** An element, or a point. */
  nameOf(given: unknown): string {
    const { x, y } = asRecord(given);
    if (x !== undefined) return `the point ${x}, ${y}`;
    const ref = refIn(given);
    return (ref && this.known.elementOf(ref)) ?? `an element that is no longer known (${wordsOf(given)})`;
  }

  place(): string | undefined {
    const element = this.element();
    const [x, y] = [this.take('x'), this.take('y')];
    if (element !== undefined || x === undefined) return element;
    const point = this.known.atPoint === undefined ? `the point ${x}, ${y}` : `${this.known.atPoint} at ${x}, ${y}`;
    this.said.push(point);
    return point;
  }

  rest(): CallLine[] {
    const unread = Object.entries(this.input).filter(([field]) => !this.#read.has(field));
    return unread.flatMap(([field, value]) => this.#linesOf(spaced(field), field, value));
  }

  #linesOf(name: string, field: string, value: unknown): CallLine[] {
    if (value === undefined || value === null) return [];
    const ref = REF_FIELDS.has(field) ? refIn(value) : undefined;
    if (ref !== undefined) return [{ name, value: this.nameOf(ref), ref }];
    if (typeof value !== 'object' || (Array.isArray(value) && !value.some(each => typeof each === 'object')))
      return [{ name, value: wordsOf(value) }];
    return Object.entries(value).flatMap(([key, inner]) => {
      const inside = Array.isArray(value) ? `${name} ${Number(key) + 1}` : `${name}: ${spaced(key).toLowerCase()}`;
      return this.#linesOf(inside, key, inner);
    });
  }
}

const quoted = (text: string) => `"${text}"`;

/** The sentence of each tool; what it leaves in the input is listed below it. */
const SENTENCES: Readonly<Record<string, (call: CallReader) => string | undefined>> = {
  browser_click: call => {
    const [count, button] = [call.take('clickCount') ?? 1, call.take('button') ?? 'left'];
    const verb = button === 'left' ? 'Click' : `Click with the ${button} button`;
    const times = count === 1 ? '' : count === 2 ? ' twice' : ` ${count} times`;
    return `${verb} ${call.place() ?? ''}${times}`;
  },
  browser_hover: call => `Point at ${call.place() ?? ''}`,
  browser_type: call => {
    const { ref } = call.input;
    const field = call.element() ?? '';
    const text = call.quote('text', 'Text', ref) ?? 'a text';
    const clear = call.take('clear') === false ? 'Add' : 'Type';
    const sent = call.take('submit') === true ? ', then press Enter' : '';
    return `${clear} ${text} ${clear === 'Add' ? 'to' : 'into'} ${field}${sent}`;
  },
  browser_fill_form: call => {
    const { known } = call;
    const given = structured(call.take('fields'));
    const fields = (Array.isArray(given) ? given : []).map(asRecord);
    for (const { ref, value } of fields) {
      const at = refIn(ref);
      const shown = wordsOf((at && known.shownValueOf?.(at)) ?? (typeof value === 'boolean' ? checked(value) : value));
      call.lines.push({ name: fieldName(call.nameOf(ref)), value: shown, ...(at && { ref: at }) });
    }
    const submit = call.take('submit');
    const at = refIn(submit);
    const button = submit === undefined ? undefined : call.nameOf(submit);
    if (button !== undefined) call.last.push({ name: 'Then press', value: button, ...(at && { ref: at }) });
    const what = `Fill in ${fields.length === 1 ? '1 field' : `${fields.length} fields`}`;
    return button === undefined ? what : `${what}, then press ${button}`;
  },
  browser_select: call => {
    const list = call.element() ?? '';
    const indexes = call.take('indexes');
    const places = Array.isArray(indexes) ? indexes.map(index => `option ${Number(index) + 1}`) : [];
    const chosen = [call.take('labels') ?? call.take('values') ?? places].flat().map(wordsOf);
    call.take('values');
    if (chosen.length === 0) return `List the options of ${list}`;
    call.said.push(...chosen);
    return `Choose ${chosen.map(quoted).join(', ')} in ${list}`;
  },
  browser_press: call => {
    const keys = [call.take('keys')].flat().map(wordsOf).join(', ');
    call.said.push(keys);
    const element = call.element();
    return element === undefined ? `Press ${keys}` : `Press ${keys} on ${element}`;
  },
  browser_drag: call => `Drag ${call.element('from')} to ${call.element('to')}`,
  browser_upload: call => {
    const paths = [call.take('paths')].flat().map(wordsOf).join(', ');
    call.said.push(paths);
    return `Upload ${paths} to ${call.element()}`;
  },
  browser_wait: call => {
    const goal = asRecord(structured(call.take('for')));
    const words = waitedFor(goal, call);
    call.said.push(words);
    return `Wait ${words}`;
  },
  browser_navigate: call => `Open ${call.say('url')}`,
  browser_dialog: call => {
    const verb = call.say('action') === 'accept' ? 'Accept' : 'Dismiss';
    const { dialog } = call.known;
    return `${verb} ${dialog === undefined ? 'the dialog' : quoted(dialog)}`;
  },
  browser_history: call => {
    const direction = call.say('direction');
    return direction === 'reload' ? 'Reload the page' : `Go ${direction}`;
  },
  browser_evaluate: () => 'Run a script in the page',
  browser_tabs: call => {
    const action = call.say('action');
    const tab = call.say('tab');
    if (action === 'new') return `Open a new tab${call.input.url === undefined ? '' : ` with ${call.say('url')}`}`;
    if (action === 'switch') return `Switch to tab ${tab}`;
    return action === 'close' ? `Close ${tab === undefined ? 'this tab' : `tab ${tab}`}` : 'List the tabs';
  },
  browser_scroll: call => {
    const element = call.element('to');
    if (element !== undefined) return `Scroll to ${element}`;
    const inside = call.element();
    return `Scroll ${call.say('direction')}${inside === undefined ? '' : ` in ${inside}`}`;
  },
  browser_screenshot: call => `Take a picture of ${call.element() ?? 'the page'}`,
  browser_snapshot: () => 'Read the page',
  browser_read: call => `Read ${call.element() ?? 'the page'}`,
  browser_find: call => {
    const text = call.quote('text', 'Text') ?? call.quote('regex', 'Pattern') ?? call.quote('role', 'Role');
    return `Find ${text ?? 'something'} on the page`;
  },
  browser_extract: () => 'Extract data from the page',
  browser_clipboard: call => {
    const verb = call.say('action') === 'copy' ? 'Copy' : 'Paste';
    const { ref } = call.input;
    const element = call.element();
    const text = call.quote('text', 'Text', ref);
    if (element === undefined) return `${verb} ${text ?? 'the text'}`;
    return verb === 'Copy' ? `Copy ${element}` : `Paste ${text ?? 'the copied text'} into ${element}`;
  },
  browser_storage: call => {
    const [action, name] = [call.say('action'), call.quote('name', 'Name')];
    if (action === 'save') return `Save cookies and logins as ${name}`;
    if (action === 'load') return `Load the cookies and logins saved as ${name}`;
    return name === undefined ? 'Clear the cookies and logins of this browser' : `Forget what is saved as ${name}`;
  },
  browser_page_tools: call =>
    call.say('action') === 'call'
      ? `Call ${call.quote('name', 'Name')}, a tool of the page`
      : 'List the tools of the page',
  ask_user: call => `Ask ${call.quote('question', 'Question') ?? 'you'}`,
};

function plainSentence(tool: string, call: CallReader): string {
  const words = capital(tool.replace(/^browser_/, '').replaceAll('_', ' '));
  const element = call.element();
  return element === undefined ? words : `${words} ${element}`;
}

function waitedFor(goal: Input, call: CallReader): string {
  const { text, gone, ref, state = 'visible', url, load, seconds } = goal;
  if (text !== undefined) return `until ${quoted(wordsOf(text))} appears`;
  if (gone !== undefined) return `until ${quoted(wordsOf(gone))} is gone`;
  if (ref !== undefined) return `until ${call.nameOf(ref)} is ${wordsOf(state)}`;
  if (url !== undefined) return `until the address is ${wordsOf(url)}`;
  if (load !== undefined) return load === 'networkidle' ? 'until the network is idle' : 'until the page is loaded';
  return `${wordsOf(seconds)} seconds`;
}

/** A field is named by what stands at it; its role matters only where it has no name. */
function fieldName(element: string): string {
  const [, name, row] = /^\w+ ("(?:[^"\\]|\\.)*")( in ".*")?$/.exec(element) ?? [];
  return name === undefined ? element : `${JSON.parse(name)}${row ?? ''}`;
}

const checked = (isChecked: boolean) => (isChecked ? 'checked' : 'not checked');

/** Models write lists and objects as text, too. */
function structured(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // A text that only begins like one.
    return value;
  }
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value).replace(SECRET, (_, name: string) => `(secret ${name})`);
}

/** `fullPage` as `Full page`. */
function spaced(field: string): string {
  return capital(
    field
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase(),
  );
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
