import type { CDPSession, Frame, Page } from 'playwright-core';
import { EngineLine } from './engine-line.js';

const WORLD = /^__playwright_utility_world/;

/** One of Playwright's isolated worlds, as the DevTools protocol names it (`Runtime.ExecutionContextDescription`). */
export interface World {
  session: CDPSession;
  id: number;
  uniqueId: string;
}

/** Knows in which of a page's isolated worlds the engine of a document is. */
export class Worlds {
  /** A frame of another process has a DevTools session of its own; one of the same process shares its page's. */
  readonly #sessions = new Map<Frame, Promise<CDPSession>>();
  readonly #learning = new Set<string>();

  /** @param lines Where the ways to the engines go that were learned. */
  constructor(
    readonly page: Page,
    readonly lines: WeakMap<Frame, EngineLine>,
  ) {}

  /** Learns the straight way to the engine of this frame's document, unless it is known. */
  learn(frame: Frame, doc: string): void {
    if (this.lines.get(frame)?.doc === doc || this.#learning.has(doc)) return;
    this.#learning.add(doc);
    this.find(frame, doc)
      .then(
        world => {
          if (world !== undefined) this.lines.set(frame, new EngineLine(this.page, world, doc));
        },
        // The page went elsewhere meanwhile, or is gone: its questions go through Playwright as before.
        () => undefined,
      )
      .finally(() => this.#learning.delete(doc));
  }

  /** The world in which the engine of this document is. */
  async find(frame: Frame, doc: string): Promise<World | undefined> {
    const found = (await this.#around(frame)).map(async world => {
      const { result } = await world.session.send('Runtime.evaluate', {
        expression: `globalThis.browserToolsetEngines?.has(${JSON.stringify(doc)})`,
        uniqueContextId: world.uniqueId,
        returnByValue: true,
      });
      return result.value === true ? world : undefined;
    });
    // One of the other documents can go while it is asked.
    const [first] = (await Promise.allSettled(found)).flatMap(one => (one.status === 'fulfilled' && one.value) || []);
    return first;
  }

  async dispose(): Promise<void> {
    const sessions = new Set(this.#sessions.values());
    this.#sessions.clear();
    await Promise.allSettled([...sessions].map(async session => (await session).detach()));
  }

  /** The worlds of all documents that share this frame's process. */
  async #around(frame: Frame): Promise<World[]> {
    const session = await this.#sessionOf(frame);
    const worlds: World[] = [];
    const note = ({ context: { name, id, uniqueId } }: { context: Omit<World, 'session'> & { name: string } }) => {
      if (WORLD.test(name)) worlds.push({ session, id, uniqueId });
    };
    session.on('Runtime.executionContextCreated', note);
    try {
      // All contexts are told before the answer. A domain that stays enabled keeps every object that the page logs.
      await session.send('Runtime.enable');
      await session.send('Runtime.disable');
    } finally {
      session.off('Runtime.executionContextCreated', note);
    }
    return worlds;
  }

  #sessionOf(frame: Frame): Promise<CDPSession> {
    const known = this.#sessions.get(frame);
    if (known !== undefined) return known;
    const session = this.#attach(frame);
    this.#sessions.set(frame, session);
    session.catch(() => this.#sessions.delete(frame));
    return session;
  }

  async #attach(frame: Frame): Promise<CDPSession> {
    const context = this.page.context();
    const parent = frame.parentFrame();
    if (parent === null) return context.newCDPSession(this.page);
    const own = await context.newCDPSession(frame).catch(() => undefined);
    return own ?? this.#sessionOf(parent);
  }
}
