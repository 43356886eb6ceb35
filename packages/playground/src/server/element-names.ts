import { listedElements } from '../scripted-model/snapshot-text.js';

/** Threads, and refs of each, whose names are remembered. */
const MOST_THREADS = 100;
const MOST_REFS = 5_000;

const LENGTH = 120;
const REF = /^@e\d+$/;

/** The names of elements in the texts that the agents read: to a person a ref says nothing. */
export class ElementNames {
  readonly #threads = new Map<string, Map<string, string>>();

  /** @param text What a call of the thread told the agent. */
  learn(threadId: string, text: string): void {
    const listed = listedElements(text);
    if (listed.length === 0) return;
    const names = this.#threads.get(threadId) ?? new Map<string, string>();
    this.#threads.delete(threadId);
    this.#threads.set(threadId, names);
    for (const { ref, role, name } of listed) {
      names.delete(ref);
      names.set(ref, name === '' ? role : `${role} ${JSON.stringify(name)}`);
    }
    forgetOldest(names, MOST_REFS);
    forgetOldest(this.#threads, MOST_THREADS);
  }

  /** The input of a call on one line: elements by their names, everything else with its field. */
  gist(threadId: string, input: Readonly<Record<string, unknown>>): string {
    const names = this.#threads.get(threadId);
    const said = (field: string, value: unknown): string => {
      const name = typeof value === 'string' && REF.test(value) ? names?.get(value) : undefined;
      if (name !== undefined) return field === 'ref' ? name : `${field}: ${name}`;
      if (!isList(value)) return `${field}=${JSON.stringify(value)}`;
      return value
        .map(entry =>
          Object.entries(entry)
            .map(([key, each]) => said(key, each))
            .join(' '),
        )
        .join(', ');
    };
    const text = Object.entries(input)
      .map(([field, value]) => said(field, value))
      .join(' ');
    return text.length > LENGTH ? `${text.slice(0, LENGTH)}…` : text;
  }
}

function isList(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'object' && each !== null);
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
