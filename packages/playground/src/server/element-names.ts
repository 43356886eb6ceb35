import { asRecord } from '../demo/unknown-values.js';
import { listedElements } from '../scripted-model/snapshot-text.js';
import { refIn } from './call-words.js';

/** Threads, and refs of each, whose names are remembered. */
const MOST_THREADS = 100;
const MOST_REFS = 5_000;

const ROLE = /^[a-z]+$/;
/** As the toolset writes a value that nobody is to see. */
const HIDDEN = /^•+$/;

/** What one thread's agent has read of elements: to a person a ref says nothing. */
export class ThreadElements {
  readonly #names = new Map<string, string>();
  readonly #hidden = new Map<string, string>();

  /** @param text What a call of the thread told the agent. */
  learn(text: string): void {
    for (const { ref, role, name } of listedElements(text)) {
      // Results name refs in sentences as well, such as `Filled: @e1 "Ann", @e2`.
      if (!ROLE.test(role) || (name === '' && this.#names.has(ref))) continue;
      this.#names.delete(ref);
      this.#names.set(ref, elementWords({ role, name, row: '' }));
    }
    forgetOldest(this.#names, MOST_REFS);
    forgetOldest(this.#hidden, MOST_REFS);
  }

  /** Learns which fields hide their values, from what a call was given and what came of it. */
  learnHidden(input: unknown, output: unknown): void {
    const { fields, ...alone } = asRecord(output);
    const all = [{ ref: asRecord(input).ref, ...alone }, ...(Array.isArray(fields) ? fields.map(asRecord) : [])];
    for (const { ref, value } of all) this.learnValue(ref, value);
  }

  /** @param value What the toolset says that a field holds, or will hold. */
  learnValue(ref: unknown, value: unknown): void {
    const at = refIn(ref);
    if (at !== undefined && typeof value === 'string' && HIDDEN.test(value)) this.#hidden.set(at, value);
  }

  elementOf(ref: string): string | undefined {
    return this.#names.get(ref);
  }

  shownValueOf(ref: string): string | undefined {
    return this.#hidden.get(ref);
  }
}

/** The elements of each thread. */
export class ElementNames {
  readonly #threads = new Map<string, ThreadElements>();

  of(threadId: string): ThreadElements {
    const known = this.#threads.get(threadId) ?? new ThreadElements();
    this.#threads.delete(threadId);
    this.#threads.set(threadId, known);
    forgetOldest(this.#threads, MOST_THREADS);
    return known;
  }
}

/** Such as `button "Pay now" in "Order 7"`. */
export function elementWords({ role, name, row }: { role: string; name: string; row: string }): string {
  const called = name === '' ? role : `${role} ${JSON.stringify(name)}`;
  // The row of some elements is their own text.
  return row === '' || row.startsWith(name) ? called : `${called} in ${JSON.stringify(row)}`;
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
