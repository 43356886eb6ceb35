import { within } from '@browser-toolset/core/waiting';
import type { CDPSession, Frame, Page } from 'playwright-core';
import { z } from 'zod/v4';
import { PAGE_ENGINE_SOURCE } from '../../generated/page-engine.js';
import { EngineLine, type ExecutionWorld, type KnownEngine, unlessCrashed } from './engine-line.js';

/** How long documents may take to tell of their worlds, in milliseconds; what hangs or has crashed never does. */
const WORLDS_TIMEOUT_MS = 2_000;

const UTILITY_WORLD = /^__playwright_utility_world/;

/** Milliseconds that bringing the engine into a document may take until it is left to Playwright. */
const ENTRY_TIME = 1_000;

const HAS_ENGINES = `Object.hasOwn(globalThis, 'browserToolsetEngines')`;
/** Answers with the names that engines gave the document of their world. */
const DOCUMENTS = `(${HAS_ENGINES} ? [...browserToolsetEngines.keys()] : [])`;
/** Answers as {@link DOCUMENTS}; with no documents where Playwright has brought an engine already. */
const ENTER = `(${HAS_ENGINES} ? [] : (globalThis.browserToolsetFirst = ${PAGE_ENGINE_SOURCE}, ${DOCUMENTS}))`;
const documentsSchema = z.array(z.string());

/** A DevTools session. */
interface Attached {
  session: CDPSession;
  /** That around all which the session speaks with. */
  frame: Frame;
  /** That of a page names its main frame as well. */
  targetId: Promise<string | undefined>;
}

interface FrameSession {
  attached: Promise<Attached>;
  /** Where the frame was then: elsewhere it may be in another process. */
  site: string;
}

/** Knows in which of a page's isolated worlds the engine of a document is. */
export class Worlds {
  /** A frame of another process has a DevTools session of its own; one of the same process shares that around it. */
  readonly #sessions = new Map<Frame, FrameSession>();
  /** Documents whose world is looked for, and the frames that they are in. */
  #sought = new Map<string, Frame>();
  /** Where the engines of documents are. */
  readonly #known = new Map<string, KnownEngine>();
  #search: Promise<void> | undefined;
  #entry: { began: number; line: Promise<EngineLine | undefined> } | undefined;
  #isDisposed = false;

  /** @param lines Where the ways to the engines go that were learned. */
  constructor(
    readonly page: Page,
    readonly lines: WeakMap<Frame, EngineLine>,
  ) {
    page.on('framedetached', this.#leave);
    // Whoever needs the session gets the error.
    this.#sessionOf(page.mainFrame()).catch(() => undefined);
  }

  /**
   * Brings the engine into the main frame's document by itself, which takes half of the time that Playwright needs to
   * bring all of its own scripts along. Resolves to undefined where Playwright has done so already, where its world is not
   * known by its name, when the document is gone, and where it takes long.
   * @param timeout Milliseconds; a page that is busy is left to Playwright after a second at most.
   */
  async enter(timeout = ENTRY_TIME): Promise<EngineLine | undefined> {
    if (this.#isDisposed) return undefined;
    this.#entry ??= { began: performance.now(), line: this.#enter() };
    const { began, line } = this.#entry;
    const left = Math.min(timeout, began + ENTRY_TIME - performance.now());
    return left > 0 ? within(left, line) : undefined;
  }

  async #enter(): Promise<EngineLine | undefined> {
    try {
      return await this.#bringEngine();
    } catch {
      // The document is gone, and the engine with it.
      return undefined;
    } finally {
      this.#entry = undefined;
    }
  }

  async #bringEngine(): Promise<EngineLine | undefined> {
    const main = await this.#findMain();
    if (main === undefined) return undefined;
    const [brought] = await enginesIn(main, ENTER);
    if (brought === undefined) return undefined;
    this.#known.set(brought.doc, brought);
    return this.#connect(this.page.mainFrame(), brought);
  }

  async #findMain(): Promise<ExecutionWorld | undefined> {
    const attached = await this.#sessionOf(this.page.mainFrame());
    const [worlds, frameId] = await Promise.all([worldsOf(attached), attached.targetId]);
    // Other programs that drive the same browser have worlds of the same kind there.
    const name = `__playwright_utility_world_${(this.page as unknown as { _guid?: string })._guid}`;
    return [...worlds.values()].find(world => world.name === name && world.frameId === frameId);
  }

  /** Learns the straight way to the engine of this frame's document, unless it is known. */
  learn(frame: Frame, doc: string): void {
    if (this.lines.get(frame)?.doc !== doc) void this.find(frame, doc);
  }

  /** The world in which the engine of this document is; undefined when it went meanwhile. */
  async find(frame: Frame, doc: string): Promise<ExecutionWorld | undefined> {
    if (!this.#known.has(doc)) {
      this.#sought.set(doc, frame);
      this.#search ??= this.#findAll();
      await this.#search;
    }
    const known = this.#known.get(doc);
    // It may have been found when another one was looked for.
    if (known !== undefined && this.lines.get(frame)?.doc !== doc) this.#connect(frame, known);
    return known?.world;
  }

  /** A page can have a hundred frames: their worlds are listed once for all of them. */
  async #findAll(): Promise<void> {
    while (this.#sought.size > 0) {
      const sought = this.#sought;
      this.#sought = new Map();
      const found = await Promise.allSettled([...sought.values()].map(frame => this.#sessionOf(frame)));
      const sessions = new Set(found.flatMap(one => (one.status === 'fulfilled' ? [one.value] : [])));
      // One that is gone by now has no worlds any more.
      await within(WORLDS_TIMEOUT_MS, Promise.allSettled([...sessions].map(session => this.#lookInto(session))));
    }
    this.#search = undefined;
  }

  #connect(frame: Frame, engine: KnownEngine): EngineLine {
    const line = new EngineLine(this.page, engine);
    this.lines.set(frame, line);
    return line;
  }

  async #lookInto(attached: Attached): Promise<void> {
    const { session } = attached;
    const worlds = await worldsOf(attached);
    const seen = new Set<string>();
    for (const [doc, { world }] of this.#known) {
      if (world.session !== session) continue;
      if (worlds.has(world.uniqueId)) seen.add(world.uniqueId);
      else this.#known.delete(doc);
    }
    const isNew = ({ uniqueId }: ExecutionWorld): boolean => !seen.has(uniqueId);
    await Promise.allSettled([...worlds.values()].filter(isNew).map(world => this.#note(world)));
  }

  async #note(world: ExecutionWorld): Promise<void> {
    for (const engine of await enginesIn(world, DOCUMENTS)) this.#known.set(engine.doc, engine);
  }

  /** The page's answer over the DevTools protocol; undefined when that takes longer. Rejects when it crashes. */
  async answered<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
    return within(milliseconds, unlessCrashed(this.page, work));
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.page.off('framedetached', this.#leave);
    const sessions = new Set([...this.#sessions.values()].map(({ attached }) => attached));
    this.#sessions.clear();
    await Promise.allSettled([...sessions].map(async attached => (await attached).session.detach()));
  }

  #sessionOf(frame: Frame): Promise<Attached> {
    const parent = frame.parentFrame();
    const known = this.#sessions.get(frame);
    const site = siteOf(frame);
    if (known !== undefined && (parent === null || known.site === site)) return known.attached;
    this.#leave(frame);
    const attached = this.#attach(frame, parent);
    this.#sessions.set(frame, { attached, site });
    attached.catch(() => this.#sessions.delete(frame));
    return attached;
  }

  async #attach(frame: Frame, parent: Frame | null): Promise<Attached> {
    const context = this.page.context();
    const session =
      parent === null
        ? await context.newCDPSession(this.page)
        : await context.newCDPSession(frame).catch(() => undefined);
    if (session === undefined) return this.#sessionOf(parent as Frame);
    const targetId = targetIdOf(session);
    return { session, frame, targetId };
  }

  /** Of a frame that is gone, or somewhere else, nothing is kept: pages replace their frames for as long as they are open. */
  #leave = (frame: Frame): void => {
    const known = this.#sessions.get(frame);
    if (known === undefined) return;
    this.#sessions.delete(frame);
    const forget = async (): Promise<void> => {
      const { session, frame: owner } = await known.attached;
      if (owner !== frame) return;
      for (const [doc, { world }] of this.#known) if (world.session === session) this.#known.delete(doc);
      await session.detach();
    };
    // Its target is gone by then, as a rule.
    forget().catch(() => undefined);
  };
}

/** A frame stays in its process as long as this is the same. */
function siteOf(frame: Frame): string {
  const url = frame.url();
  const { origin = 'null' } = URL.parse(url) ?? {};
  return origin === 'null' ? url : origin;
}

/** The engines in a world. */
async function enginesIn(world: ExecutionWorld, expression: string): Promise<KnownEngine[]> {
  const { session, uniqueId } = world;
  const { result } = await session.send('Runtime.evaluate', {
    expression,
    uniqueContextId: uniqueId,
    returnByValue: true,
  });
  return documentsSchema.parse(result.value).map(doc => ({ world, doc }));
}

async function targetIdOf(session: CDPSession): Promise<string | undefined> {
  const told = await session.send('Target.getTargetInfo').catch(() => undefined);
  return told?.targetInfo.targetId;
}

/** The worlds of all documents of one target, by their unique ids. */
async function worldsOf({ session }: Attached): Promise<Map<string, ExecutionWorld>> {
  const worlds = new Map<string, ExecutionWorld>();
  const note = ({ context }: { context: Pick<ExecutionWorld, 'id' | 'uniqueId' | 'name'> & { auxData?: object } }) => {
    const { id, uniqueId, name, auxData = {} } = context;
    const frameId = 'frameId' in auxData ? String(auxData.frameId) : undefined;
    if (UTILITY_WORLD.test(name)) worlds.set(uniqueId, { session, id, uniqueId, name, frameId });
  };
  session.on('Runtime.executionContextCreated', note);
  try {
    // All contexts are told before the answer. A domain that stays enabled keeps every object that the page logs.
    const enabled = session.send('Runtime.enable');
    await Promise.all([enabled, session.send('Runtime.disable')]);
  } finally {
    session.off('Runtime.executionContextCreated', note);
  }
  return worlds;
}
