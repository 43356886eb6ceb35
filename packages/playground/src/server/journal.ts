import type { ActionDetail, ActionSummary } from './api.js';

/** Calls kept of a thread; a page that is open all day must not make the server grow. */
const KEPT_ACTIONS = 200;
const KEPT_THREADS = 50;

/** The actions of each thread, oldest first. */
export class Journal {
  /** In the order of their last use. */
  readonly #threads = new Map<string, Map<string, ActionDetail>>();

  /** Adds a call or replaces what is known of it. */
  write(action: ActionDetail): void {
    const actions = this.#threads.get(action.threadId) ?? new Map<string, ActionDetail>();
    this.#threads.delete(action.threadId);
    this.#threads.set(action.threadId, actions.set(action.id, action));
    dropOldest(actions, KEPT_ACTIONS);
    dropOldest(this.#threads, KEPT_THREADS);
  }

  find(threadId: string, id: string): ActionDetail | undefined {
    return this.#threads.get(threadId)?.get(id);
  }

  summaries(threadId: string): ActionSummary[] {
    return [...(this.#threads.get(threadId)?.values() ?? [])].map(actionSummaryOf);
  }

  forget(threadId: string): void {
    this.#threads.delete(threadId);
  }
}

function actionSummaryOf({
  input: _,
  output: __,
  text: ___,
  pictures: ____,
  words: _____,
  ...summary
}: ActionDetail): ActionSummary {
  return summary;
}

function dropOldest(map: Map<string, unknown>, kept: number): void {
  for (const key of map.keys()) {
    if (map.size <= kept) return;
    map.delete(key);
  }
}
