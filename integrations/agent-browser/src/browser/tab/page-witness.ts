import { within } from '@browser-toolset/core/waiting';
import type { CDPSession, Frame, Page } from 'playwright-core';
import { z } from 'zod/v4';
import { WITNESS_SOURCE } from '../../generated/page-witness.js';
import type { Testimony } from '../../page/witness-protocol.js';

/** A world of its own: neither the page nor Playwright's engine see it. */
const WORLD = 'browser-toolset-witness';
const BINDING = 'browserToolsetTell';
const SOURCE = `(${WITNESS_SOURCE})(${JSON.stringify(BINDING)})`;
/** How long a page may take for what it has still to tell, in milliseconds. */
const LAST_WORDS = 500;

const change = z.object({
  did: z.literal('change'),
  field: z.string().max(100),
  role: z.string().max(100),
  name: z.string().max(1000),
  isAsBefore: z.boolean(),
  isEcho: z.boolean(),
});
/** A page whose renderer was taken over may say anything. */
const testimonySchema: z.ZodType<Testimony> = z.union([
  z.object({ did: z.literal('click'), role: z.string().max(100), name: z.string().max(1000) }),
  change.extend({ secret: z.literal(true) }),
  change.extend({ value: z.string().max(1000) }),
]);

/** Hears from the witnesses in all documents of one page, until it is stopped or the page is gone. */
export class PageWitness {
  readonly #page: Page;
  readonly #onTestimony: (testimony: Testimony) => void;
  /** One for the page, and one for each frame that has a process of its own. */
  readonly #sessions = new Map<Frame, CDPSession>();
  readonly #worlds = new Map<CDPSession, Set<number>>();
  #isStopped = false;

  constructor(page: Page, onTestimony: (testimony: Testimony) => void) {
    this.#page = page;
    this.#onTestimony = onTestimony;
  }

  /** Resolves when all documents that there are now have their witness. Rejects when the page is gone. */
  async start(): Promise<void> {
    this.#page.on('framenavigated', this.#onFrame);
    await this.#attach(this.#page.mainFrame());
    await Promise.all(this.#page.frames().map(frame => this.#attachInner(frame)));
  }

  /** Resolves when the page has told what happened so far. */
  async heard(): Promise<void> {
    const questions = [...this.#sessions.values()].map(session =>
      session.send('Runtime.evaluate', { expression: '0' }),
    );
    await within(LAST_WORDS, Promise.allSettled(questions));
  }

  stop(): void {
    this.#isStopped = true;
    this.#page.off('framenavigated', this.#onFrame);
    for (const session of this.#sessions.values()) this.#dismiss(session).catch(ignoreGone);
    this.#sessions.clear();
  }

  readonly #onFrame = (frame: Frame): void => void this.#attachInner(frame);

  /** A frame that shares the process of the one around it is a part of that one's session. */
  async #attachInner(frame: Frame): Promise<void> {
    if (frame.parentFrame() === null || this.#sessions.has(frame) || this.#isStopped) return;
    await this.#attach(frame).catch(ignoreGone);
  }

  async #attach(frame: Frame): Promise<void> {
    const of = frame.parentFrame() === null ? this.#page : frame;
    const session = await this.#page.context().newCDPSession(of);
    this.#sessions.set(frame, session);
    session.on('close', () => {
      if (this.#sessions.get(frame) === session) this.#sessions.delete(frame);
    });
    this.#listen(session);
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: BINDING, executionContextName: WORLD });
    await session.send('Page.enable');
    const script = { source: SOURCE, worldName: WORLD, runImmediately: true };
    await session.send('Page.addScriptToEvaluateOnNewDocument', script);
  }

  #listen(session: CDPSession): void {
    const worlds = new Set<number>();
    this.#worlds.set(session, worlds);
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name === WORLD) worlds.add(context.id);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => worlds.delete(executionContextId));
    session.on('Runtime.executionContextsCleared', () => worlds.clear());
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === BINDING && !this.#isStopped) this.#hear(payload);
    });
  }

  #hear(payload: string): void {
    const { data } = testimonySchema.safeParse(parsed(payload));
    if (data !== undefined) this.#onTestimony(data);
  }

  /** Documents outlive their session: without this their witnesses would go on looking. */
  async #dismiss(session: CDPSession): Promise<void> {
    const worlds = [...(this.#worlds.get(session) ?? [])];
    this.#worlds.delete(session);
    const expression = 'globalThis.browserToolsetWitness?.stop()';
    const told = worlds.map(contextId => session.send('Runtime.evaluate', { expression, contextId }));
    await within(LAST_WORDS, Promise.allSettled(told));
    await session.detach();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The frame or the page went away, or the frame is part of another's session: there is nothing more to see. */
function ignoreGone(): void {}
