import { within } from '@browser-toolset/core/waiting';
import type { CDPSession, Frame, Page } from 'playwright-core';
import { z } from 'zod/v4';
import { PAGE_ENGINE_SOURCE } from '#page-engine/generated/page-engine.js';
import { EngineLine, type ExecutionWorld, type KnownEngine, unlessCrashed } from './engine-line.js';

/** A page that hangs or has crashed never answers. */
const WORLDS_TIMEOUT_MS = 2_000;

const UTILITY_WORLD = /^__playwright_utility_world/;

/** Milliseconds until injecting the engine is left to Playwright. */
const ENTRY_MS = 1_000;

const HAS_ENGINES = `Object.hasOwn(globalThis, 'browserToolsetEngines')`;
/** The ids of the documents with an engine in a world. */
const DOCUMENTS = `(${HAS_ENGINES} ? [...browserToolsetEngines.keys()] : [])`;
/** Injects the engine and evaluates to {@link DOCUMENTS}; empty where Playwright has injected one already. */
const ENTER = `(${HAS_ENGINES} ? [] : (globalThis.browserToolsetFirst = ${PAGE_ENGINE_SOURCE}, ${DOCUMENTS}))`;
const documentsSchema = z.array(z.string());

interface Attached {
  session: CDPSession;
  /** The root frame of the session's target. */
  frame: Frame;
  /** A page's target id is also its main frame's id. */
  targetId: Promise<string | undefined>;
}

interface FrameSession {
  attached: Promise<Attached>;
  /** The frame's site when attached: another site may be in another process. */
  site: string;
}

/** Finds the isolated world that holds a document's engine. */
export class Worlds {
  /** Sessions by frame; a frame in its parent's process shares the parent's session. */
  readonly #sessions = new Map<Frame, FrameSession>();
  #sought = new Map<string, Frame>();
  readonly #known = new Map<string, KnownEngine>();
  #search: Promise<void> | undefined;
  #entry: { began: number; line: Promise<EngineLine | undefined> } | undefined;
  #isDisposed = false;

  constructor(
    readonly page: Page,
    readonly lines: WeakMap<Frame, EngineLine>,
  ) {
    page.on('framedetached', this.#leave);
    // Callers that need the session get the error.
    this.#sessionOf(page.mainFrame()).catch(() => undefined);
  }

  /**
   * Injects the engine into the main frame's document, in half of Playwright's time for all of its scripts. Resolves to
   * undefined when Playwright already has, the world is unknown, the document is gone, or after `timeout` ms, at most a
   * second.
   */
  async enter(timeout = ENTRY_MS): Promise<EngineLine | undefined> {
    if (this.#isDisposed) return undefined;
    this.#entry ??= { began: performance.now(), line: this.#enter() };
    const { began, line } = this.#entry;
    const left = Math.min(timeout, began + ENTRY_MS - performance.now());
    return left > 0 ? within(left, line) : undefined;
  }

  async #enter(): Promise<EngineLine | undefined> {
    try {
      const main = await this.#findMain();
      const [brought] = main === undefined ? [] : await enginesIn(main, ENTER);
      if (brought === undefined) return undefined;
      this.#known.set(brought.doc, brought);
      return this.#connect(this.page.mainFrame(), brought);
    } catch {
      // The document, and its engine, is gone.
      return undefined;
    } finally {
      this.#entry = undefined;
    }
  }

  async #findMain(): Promise<ExecutionWorld | undefined> {
    const attached = await this.#sessionOf(this.page.mainFrame());
    const [worlds, frameId] = await Promise.all([worldsOf(attached), attached.targetId]);
    // Other clients of the same browser have Playwright worlds there too.
    const name = `__playwright_utility_world_${(this.page as unknown as { _guid?: string })._guid}`;
    return [...worlds.values()].find(world => world.name === name && world.frameId === frameId);
  }

  /** Connects to the engine of a frame's document in the background. */
  learn(frame: Frame, doc: string): void {
    if (this.lines.get(frame)?.doc !== doc) void this.find(frame, doc);
  }

  /** The world with a document's engine; undefined when it is gone. */
  async find(frame: Frame, doc: string): Promise<ExecutionWorld | undefined> {
    if (!this.#known.has(doc)) {
      this.#sought.set(doc, frame);
      this.#search ??= this.#findAll();
      await this.#search;
    }
    const known = this.#known.get(doc);
    // It may have been found in another document's search.
    if (known !== undefined && this.lines.get(frame)?.doc !== doc) this.#connect(frame, known);
    return known?.world;
  }

  /** A page can have a hundred frames: one search lists the worlds of all. */
  async #findAll(): Promise<void> {
    while (this.#sought.size > 0) {
      const sought = this.#sought;
      this.#sought = new Map();
      const found = await Promise.allSettled([...sought.values()].map(frame => this.#sessionOf(frame)));
      const sessions = new Set(found.flatMap(one => (one.status === 'fulfilled' ? [one.value] : [])));
      // A target that is gone has no worlds.
      await within(WORLDS_TIMEOUT_MS, Promise.allSettled([...sessions].map(session => this.#findIn(session))));
    }
    this.#search = undefined;
  }

  #connect(frame: Frame, engine: KnownEngine): EngineLine {
    const line = new EngineLine(this.page, engine);
    this.lines.set(frame, line);
    return line;
  }

  async #findIn(attached: Attached): Promise<void> {
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

  /** Resolves to undefined when CDP takes longer. Rejects when the page crashes. */
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

  /** Forgets detached and moved frames: a page can replace frames as long as it is open. */
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
    // Its target is usually gone by now.
    forget().catch(() => undefined);
  };
}

/** A frame stays in its process while its site is the same. */
function siteOf(frame: Frame): string {
  const url = frame.url();
  const { origin = 'null' } = URL.parse(url) ?? {};
  return origin === 'null' ? url : origin;
}

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
  const answer = await session.send('Target.getTargetInfo').catch(() => undefined);
  return answer?.targetInfo.targetId;
}

/** Playwright's isolated worlds in one target, by unique context id. */
async function worldsOf({ session }: Attached): Promise<Map<string, ExecutionWorld>> {
  const worlds = new Map<string, ExecutionWorld>();
  const note = ({ context }: { context: Pick<ExecutionWorld, 'id' | 'uniqueId' | 'name'> & { auxData?: object } }) => {
    const { id, uniqueId, name, auxData = {} } = context;
    const frameId = 'frameId' in auxData ? String(auxData.frameId) : undefined;
    if (UTILITY_WORLD.test(name)) worlds.set(uniqueId, { session, id, uniqueId, name, frameId });
  };
  session.on('Runtime.executionContextCreated', note);
  try {
    // `Runtime.enable` reports all contexts before it answers. Left enabled, it would keep all objects that a page
    // logs.
    const enabled = session.send('Runtime.enable');
    await Promise.all([enabled, session.send('Runtime.disable')]);
  } finally {
    session.off('Runtime.executionContextCreated', note);
  }
  return worlds;
}
