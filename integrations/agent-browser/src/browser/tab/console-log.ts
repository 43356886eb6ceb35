import type { ConsoleMessage, Page } from 'playwright-core';

/** From the least to the most serious. */
export const LEVELS = ['debug', 'log', 'info', 'warning', 'error'] as const;

export type Level = (typeof LEVELS)[number];

/** A console message, with how often it came. */
export interface ConsoleEntry {
  level: Level;
  text: string;
  /** Url and line of the script. */
  source?: string;
  count: number;
}

/** An exception that nobody caught. */
export type UncaughtError = Omit<ConsoleEntry, 'level'>;

const MESSAGES_KEPT = 200;
const ERRORS_KEPT = 50;
const TEXT_LENGTH = 500;
const URL_LENGTH = 200;

/** The latest console messages of a session's pages, each text once. */
export class ConsoleLog {
  readonly #messages = new Ring<ConsoleEntry>(MESSAGES_KEPT);
  readonly #errors = new Ring<UncaughtError>(ERRORS_KEPT);

  /** @param hide Takes secrets out of a text, before it is cut: half a value is one too. */
  constructor(readonly hide: (text: string) => string) {}

  /** Listens for as long as the page lives. */
  watch(page: Page): void {
    page.on('console', message => {
      // A site without an icon of its own has done nothing wrong.
      if (!message.location().url.endsWith('/favicon.ico')) this.#messages.note(entryOf(message, this.hide));
    });
    page.on('pageerror', error =>
      this.#errors.note({
        text: this.hide(`${error.name}: ${error.message}`).slice(0, TEXT_LENGTH),
        ...thrownAt(error, this.hide),
      }),
    );
  }

  /** Those of a level and of all that are more serious. */
  messages(from: Level = 'debug'): ConsoleEntry[] {
    return this.#messages.all.filter(({ level }) => LEVELS.indexOf(level) >= LEVELS.indexOf(from));
  }

  get errors(): UncaughtError[] {
    return this.#errors.all;
  }

  /** So many are not kept any more. */
  get dropped(): number {
    return this.#messages.dropped + this.#errors.dropped;
  }

  clear(): void {
    this.#messages.clear();
    this.#errors.clear();
  }
}

/** Keeps the latest entries; one that comes again counts and is the latest then. */
class Ring<Entry extends UncaughtError> {
  dropped = 0;
  readonly #entries = new Map<string, Entry>();

  constructor(readonly limit: number) {}

  get all(): Entry[] {
    return [...this.#entries.values()].map(entry => ({ ...entry }));
  }

  note(fresh: Omit<Entry, 'count'>): void {
    const key = JSON.stringify(fresh);
    const count = (this.#entries.get(key)?.count ?? 0) + 1;
    this.#entries.delete(key);
    this.#entries.set(key, { ...fresh, count } as Entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.limit) break;
      this.#entries.delete(oldest);
      this.dropped++;
    }
  }

  clear(): void {
    this.#entries.clear();
    this.dropped = 0;
  }
}

function entryOf(message: ConsoleMessage, hide: (text: string) => string): Omit<ConsoleEntry, 'count'> {
  const { url, lineNumber } = message.location();
  const source = url === '' ? undefined : `${hide(url).slice(0, URL_LENGTH)}:${lineNumber + 1}`;
  return {
    level: levelOf(message.type()),
    text: hide(message.text()).slice(0, TEXT_LENGTH),
    ...(source !== undefined && { source }),
  };
}

/** Messages without a level of their own (tables, groups, timers) count as logs. */
function levelOf(type: string): Level {
  if (type === 'assert') return 'error';
  return LEVELS.find(level => level === type) ?? 'log';
}

const PLACE = /((?:https?|blob|data|file):[^\s()]+?):(\d+):\d+/;

function thrownAt({ stack = '' }: Error, hide: (text: string) => string): { source?: string } {
  const [, url, line] = PLACE.exec(stack) ?? [];
  return url === undefined ? {} : { source: `${hide(url).slice(0, URL_LENGTH)}:${line}` };
}
