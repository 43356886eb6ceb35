import { type ListedElement, listedElements } from './snapshot-text.js';

/** A script could not read something; the model says so and stops. */
export class NotOnPageError extends Error {
  override name = 'NotOnPageError';
}

/** The model's knowledge at its turn: the task and the tool results, as the text it was given. */
export class View {
  /** The user's words. */
  readonly task: string;
  readonly #texts: readonly string[];

  /** @param texts tool results since the task, oldest first */
  constructor(task: string, texts: readonly string[]) {
    this.task = task;
    const page = texts.findLastIndex(isWholePage);
    // Texts of an earlier page, or of an earlier snapshot of this one, no longer hold.
    this.#texts = texts.slice(Math.max(page, 0)).toReversed();
  }

  /** The latest tool result; empty before the first. */
  get text(): string {
    return this.#texts[0] ?? '';
  }

  has(text: string): boolean {
    return this.text.includes(text);
  }

  /** The first group of the pattern, or all it matched, in what is known of the page; the latest text comes first. */
  find(pattern: RegExp): string {
    return firstMatch(pattern, this.#texts, 'what I read of this page');
  }

  /** The same in the user's words. */
  findInTask(pattern: RegExp): string {
    return firstMatch(pattern, [this.task], 'the task');
  }

  /** The ref of an element as it was listed last. */
  ref(role: string, name: string | RegExp): string {
    for (const text of this.#texts) {
      const match = listedElements(text).find(element => isLike(element, role, name));
      if (match) return match.ref;
    }
    throw new NotOnPageError(
      `no ${role} ${typeof name === 'string' ? `"${name}"` : `like ${name}`} in what I read of this page`,
    );
  }

  /** The names of all such elements in the latest text that has any. */
  names(role: string, name: RegExp): string[] {
    for (const text of this.#texts) {
      const matches = listedElements(text).filter(element => isLike(element, role, name));
      if (matches.length > 0) return matches.map(element => element.name);
    }
    throw new NotOnPageError(`no ${role} like ${name} in what I read of this page`);
  }
}

function isLike(element: ListedElement, role: string, name: string | RegExp): boolean {
  return element.role === role && (typeof name === 'string' ? element.name === name : name.test(element.name));
}

function firstMatch(pattern: RegExp, texts: readonly string[], where: string): string {
  for (const text of texts) {
    const match = pattern.exec(text);
    if (match) return match[1] ?? match[0];
  }
  throw new NotOnPageError(`nothing like ${pattern} in ${where}`);
}

/** A snapshot of a page opens with a line that names it. */
function isWholePage(text: string): boolean {
  return /^page .*\bhttps?:/m.test(text);
}
