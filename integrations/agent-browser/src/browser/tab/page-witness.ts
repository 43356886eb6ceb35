import { within } from '@browser-toolset/core/waiting';
import type { CDPSession, Page } from 'playwright-core';
import { z } from 'zod/v4';
import { WITNESS_SOURCE } from '../../generated/page-witness.js';
import type { Testimony } from '../../page/witness-protocol.js';
import { PageSessions } from './page-sessions.js';

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
  readonly #onTestimony: (testimony: Testimony) => void;
  readonly #sessions: PageSessions;
  readonly #worlds = new Map<CDPSession, Set<number>>();
  #isStopped = false;

  constructor(page: Page, onTestimony: (testimony: Testimony) => void) {
    this.#sessions = new PageSessions(page, session => this.#begin(session));
    this.#onTestimony = onTestimony;
  }

  /** Resolves when all documents that there are now have their witness. Rejects when the page is gone. */
  async start(): Promise<void> {
    await this.#sessions.start();
  }

  /** Resolves when the page has told what happened so far. */
  async heard(): Promise<void> {
    const questions = this.#sessions.all.map(session => session.send('Runtime.evaluate', { expression: '0' }));
    await within(LAST_WORDS, Promise.allSettled(questions));
  }

  stop(): void {
    this.#isStopped = true;
    this.#sessions.stop(session => this.#dismiss(session));
  }

  async #begin(session: CDPSession): Promise<void> {
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
