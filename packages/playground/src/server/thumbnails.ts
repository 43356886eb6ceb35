import type { BrowserLiveSource } from '@browser-toolset/core';
import type { ActionDetail } from './api.js';
import { Camera, type Jpeg } from './camera.js';

/** A page goes on changing after an action; what it shows this many milliseconds later is what came of it. */
const SETTLE_MS = 700;
const KEPT = 600;

interface Thumbnail {
  frame?: Jpeg;
  /** `ended` until a frame has come since; only such a frame shows what came of the action. */
  phase: 'running' | 'ended' | 'shown';
  /** The picture stays as it is from now on. */
  settle(): void;
  readonly settled: Promise<void>;
}

interface Thread {
  readonly camera: Camera;
  latest?: Jpeg;
  /** The pictures that the next frame still changes. */
  readonly open: Set<Thumbnail>;
}

/** A small picture of the page after each action. It comes from a screencast, so that no action has to wait for it. */
export class Thumbnails {
  readonly #browser: BrowserLiveSource;
  readonly #threads = new Map<string, Thread>();
  readonly #pictures = new Map<string, Thumbnail>();

  constructor(browser: BrowserLiveSource) {
    this.#browser = browser;
  }

  /** Told of an action when it starts and when it has ended. */
  follow({ id, threadId, status, isReadOnly }: ActionDetail): void {
    const thread = this.#thread(threadId);
    // Frames come a little later than what they show; only an action that changes the page makes them another's.
    if (status === 'running' && !isReadOnly) settle(thread, ({ phase }) => phase !== 'ended');
    if (status === 'running') this.#begin(id, thread);
    else this.#end(id, thread);
  }

  /** The picture of an action as JPEG once it is final; undefined when there is none. */
  async of(id: string): Promise<Jpeg | undefined> {
    const picture = this.#pictures.get(id);
    await picture?.settled;
    return picture?.frame;
  }

  forget(threadId: string): void {
    this.#threads.get(threadId)?.camera.dispose();
    this.#threads.delete(threadId);
  }

  dispose(): void {
    for (const picture of this.#pictures.values()) picture.settle();
    for (const threadId of [...this.#threads.keys()]) this.forget(threadId);
  }

  #end(id: string, thread: Thread): void {
    const picture = this.#pictures.get(id);
    if (!picture) return;
    // The effects of earlier calls were on the screen before this one was done.
    settle(thread, ({ phase }) => phase === 'ended');
    picture.frame ??= thread.latest;
    picture.phase = 'ended';
    // No event says that a page has come to rest.
    setTimeout(picture.settle, SETTLE_MS).unref();
  }

  #begin(id: string, thread: Thread): void {
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    const picture: Thumbnail = {
      phase: 'running',
      settled,
      settle: () => {
        thread.open.delete(picture);
        resolve();
      },
    };
    thread.open.add(picture);
    this.#pictures.set(id, picture);
    const [oldest] = this.#pictures.keys();
    if (this.#pictures.size > KEPT && oldest !== undefined) this.#pictures.delete(oldest);
  }

  #thread(threadId: string): Thread {
    const known = this.#threads.get(threadId);
    if (known) return known;
    const camera = new Camera(this.#browser, threadId, frame => {
      thread.latest = frame;
      for (const picture of thread.open) {
        picture.frame = frame;
        if (picture.phase === 'ended') picture.phase = 'shown';
      }
    });
    const thread: Thread = { camera, open: new Set() };
    this.#threads.set(threadId, thread);
    return thread;
  }
}

function settle({ open }: Thread, which: (picture: Thumbnail) => boolean): void {
  for (const picture of [...open]) if (which(picture)) picture.settle();
}
