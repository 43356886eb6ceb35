import { DEFAULT_THREAD, type LiveBrowser, type LiveThread } from './live-browser.js';
import type { ThreadSurroundings } from './thread-surroundings.js';
import { type ThreadEnding, ThreadView } from './thread-view.js';

/**
 * The threads that are watched.
 *
 * Invariant: a thread of a browser has one view, and so one cast and one lease, whichever agent it is asked for by and
 * whether the default thread is named or not.
 */
export class Threads {
  readonly #surroundings: ThreadSurroundings;
  readonly #views = new Map<LiveBrowser, Map<string, ThreadView>>();
  /** Views that are ending: a browser gets to know one thing after another. */
  readonly #endings = new WeakMap<LiveBrowser, Map<string, ThreadEnding>>();

  constructor(surroundings: ThreadSurroundings) {
    this.#surroundings = surroundings;
  }

  find({ source, threadId = DEFAULT_THREAD }: LiveThread): ThreadView | undefined {
    return this.#views.get(source)?.get(threadId);
  }

  get(thread: LiveThread): ThreadView {
    return this.find(thread) ?? this.#open(thread);
  }

  #open(thread: LiveThread): ThreadView {
    const { source, threadId = DEFAULT_THREAD } = thread;
    const views = this.#views.get(source) ?? new Map<string, ThreadView>();
    const endings = this.#endings.get(source) ?? new Map<string, ThreadEnding>();
    this.#views.set(source, views);
    this.#endings.set(source, endings);
    const view = new ThreadView({
      thread,
      surroundings: this.#surroundings,
      before: endings.get(threadId),
      onEmpty: ending => {
        views.delete(threadId);
        if (views.size === 0) this.#views.delete(source);
        endings.set(threadId, ending);
        void Promise.all([ending.cast, ending.control]).then(() => {
          if (endings.get(threadId) === ending) endings.delete(threadId);
        });
      },
    });
    views.set(threadId, view);
    return view;
  }

  /** The threads of a browser that somebody watches. */
  watchedOf(source: LiveBrowser): string[] {
    return [...(this.#views.get(source)?.keys() ?? [])];
  }

  all(): ThreadView[] {
    return [...this.#views.values()].flatMap(views => [...views.values()]);
  }
}
