import { createHash, randomInt } from 'node:crypto';
import { unlessAborted } from '@browser-toolset/core/waiting';
import type { BrowserContext, ElementHandle, Frame, Locator, Page } from 'playwright-core';
import { z } from 'zod/v4';
import { Secrets } from '#egress/secrets.js';
import { SecretOccurrenceReader } from '#live/frames/secret-occurrences.js';
import type { PageWait, Stirring } from '#page-engine/capture/changes.js';
import type { Answer, Asked, Question } from '#page-engine/engine.js';
import { PAGE_ENGINE_SOURCE } from '#page-engine/generated/page-engine.js';
import { anyElement, type ElementRequest, type EngineRefusal, type Target } from '#page-engine/protocol.js';
import { type Marks, markOf } from '#page-engine/secrets/secret-marks.js';
import { loadPlaywright } from '../chromium/agent-browser.js';
import type { AskOptions, EngineLine } from './engine-line.js';
import type { Worlds } from './worlds.js';

let registered: Promise<string> | undefined;

/**
 * Registers the page engine with Playwright and resolves to its name. Playwright keeps selector engines per process and
 * rejects a name twice, so the name is a hash of the source and this module's URL.
 */
export function registerEngine(): Promise<string> {
  registered ??= register().catch(error => {
    registered = undefined;
    throw error;
  });
  return registered;
}

/**
 * Registers the page engine in a remote browser's default context and resolves to its name there. Playwright gives
 * engines to contexts that it creates or that exist at registration, but not to the default context of a browser that
 * it attaches to later (seen in 1.65).
 */
export async function registerEngineIn(context: BrowserContext): Promise<string> {
  const name = await registerEngine();
  const selectorEngine = { name, source: PAGE_ENGINE_SOURCE, contentScript: true };
  const { _channel } = context as unknown as ContextInternals;
  await _channel.registerSelectorEngine({ selectorEngine }, { signal: undefined, timeout: 0 });
  return name;
}

/** Playwright's internal registration for one context; the public method registers in all contexts. */
interface ContextInternals {
  _channel: {
    registerSelectorEngine(
      params: { selectorEngine: { name: string; source: string; contentScript: boolean } },
      options: { signal: undefined; timeout: number },
    ): Promise<void>;
  };
}

async function register(): Promise<string> {
  const hash = createHash('sha256')
    .update(PAGE_ENGINE_SOURCE)
    .update(import.meta.url)
    .digest('hex');
  const name = `browser-toolset-${hash.slice(0, 12)}`;
  await loadPlaywright().selectors.register(name, { content: PAGE_ENGINE_SOURCE }, { contentScript: true });
  return name;
}

/** Options of each Playwright call: a timeout in milliseconds, and a signal that cancels it. */
export interface Limits {
  timeout: number;
  signal: AbortSignal;
}

const stirring = z.enum(['stirred', 'quiet', 'inert']) satisfies z.ZodType<Stirring>;

const REFUSAL_MESSAGE = /browser-toolset-refusal:([^;\s]+);/;

/**
 * Requests that run with user activation because they act for the agent. Reads do not: activation lets a page open
 * windows, and costs a message to every renderer process of the page. The first request to each document of a frame
 * goes through Playwright, which always gives activation.
 */
const ACTS: ReadonlySet<Question> = new Set(['enter', 'choose', 'insert', 'copy']);

/** Requests that act at once and on no known element; all others may be sent again. */
const ACTING_QUESTIONS: ReadonlySet<Question> = new Set(['scroll', 'paste', 'clipboardKeys']);

/** Calls the engine in Playwright's isolated world of every document: one round trip, typed by its handler. */
export class EngineClient {
  /** The direct connections to engines of known documents. */
  readonly lines = new WeakMap<Frame, EngineLine>();
  /** Injects the engine into the main documents of pages. */
  readonly worlds = new WeakMap<Page, Worlds>();
  /** Undefined when there are no secrets. */
  readonly secretOccurrences: SecretOccurrenceReader | undefined;
  readonly #marks: { marks?: Marks };

  /** @param secrets Hidden in every result, before a text is cut or compared. */
  constructor(
    readonly name: string,
    readonly secrets = new Secrets(),
  ) {
    this.secretOccurrences = secrets.areNone ? undefined : new SecretOccurrenceReader(this);
    this.#marks = secrets.areNone ? {} : { marks: marksOf(secrets) };
  }

  /** A locator for an element; the engine resolves and checks it again at each retry. */
  locator(frame: Frame, target: Target, how: Omit<ElementRequest, 'target'> = {}): Locator {
    return frame.locator(this.#selector(JSON.stringify({ do: 'element', target, ...how })));
  }

  async call<Name extends Question>(
    frame: Frame,
    name: Name,
    asked: Asked<Name>,
    options: AskOptions,
  ): Promise<Answer<Name>> {
    const question = JSON.stringify({ do: name, ...asked, ...this.#marks });
    const deadline = performance.now() + options.timeout;
    const text =
      (await this.#askStraight(frame, name, question, options)) ??
      (await this.#askBySelector(frame, question, { ...options, timeout: Math.max(1, deadline - performance.now()) }));
    return this.secrets.parse(text, name === 'read' ? 'html' : undefined) as Answer<Name>;
  }

  /**
   * Resolves to how a wait has ended: at once where the document is gone, with the next frame where there is no direct
   * connection to it.
   * @throws An error named `TimeoutError` for a page that does not render, and the signal's reason when it is aborted.
   */
  async wait(frame: Frame, what: PageWait, options: AskOptions): Promise<Stirring> {
    const line = this.#lineTo(frame);
    if (line !== undefined) return stirring.parse((await line.wait(what, options)) ?? 'stirred');
    const root = await frame.locator('html').elementHandle(options);
    await root.waitForElementState('stable', options);
    await root.dispose();
    return 'stirred';
  }

  /** The frame inside a frame element; null for other elements. */
  async contentFrame(
    parent: Frame,
    { doc, id }: Pick<Target, 'doc' | 'id'>,
    options: AskOptions,
  ): Promise<Frame | null> {
    const handle = await this.locator(parent, anyElement(doc, id)).elementHandle(options);
    const frame = (await handle.contentFrame()) ?? (await frameOfObject(parent, handle));
    await handle.dispose();
    return frame;
  }

  /** The direct result; undefined when the call must go through Playwright. */
  async #askStraight(frame: Frame, name: Question, question: string, options: AskOptions): Promise<string | undefined> {
    // A failed direct call is repeated through Playwright, and no action may run twice.
    if (ACTING_QUESTIONS.has(name)) return undefined;
    const how = { ...options, userGesture: ACTS.has(name) };
    const answer = await this.#lineTo(frame)?.ask(question, how);
    return answer ?? (await this.#enter(frame, options))?.ask(question, how);
  }

  async #askBySelector(frame: Frame, question: string, { timeout, signal }: AskOptions): Promise<string> {
    // Without a direct connection only a selector reaches a frame's document. Playwright injects the engine with it,
    // and the text of a detached element carries the result.
    const answer = frame.locator(this.#selector(question));
    return (await answer.textContent({ timeout, ...(signal && { signal }) })) ?? 'null';
  }

  async #enter(frame: Frame, { timeout, signal }: AskOptions): Promise<EngineLine | undefined> {
    const worlds = frame.parentFrame() === null ? this.worlds.get(frame.page()) : undefined;
    // The other half of the time remains for Playwright.
    return worlds && unlessAborted(worlds.enter(timeout / 2), signal);
  }

  #lineTo(frame: Frame): EngineLine | undefined {
    const line = this.lines.get(frame);
    return line?.isOver ? undefined : line;
  }

  /** The engine's refusal inside an error of an action; undefined for other errors. */
  refusalOf(error: unknown): EngineRefusal | undefined {
    const match = error instanceof Error ? REFUSAL_MESSAGE.exec(error.message) : null;
    return match === null ? undefined : (this.secrets.parse(decodeURIComponent(match[1] as string)) as EngineRefusal);
  }

  #selector(request: string): string {
    // Playwright's selector parser treats quotes specially.
    return `${this.name}=${encodeURIComponent(request).replaceAll("'", '%27')}`;
  }
}

/** What pages recognise secrets by. They do not receive values but to type them. */
function marksOf({ shown }: Secrets): Marks {
  const bases: Marks['bases'] = [randomInt(2 ** 30) * 2 + 1, randomInt(2 ** 30) * 2 + 1];
  return { bases, marks: shown.map(text => markOf(text, bases)) };
}

/** Playwright's `contentFrame` does not support `object` elements, although a child frame knows its frame element. */
async function frameOfObject(parent: Frame, object: ElementHandle): Promise<Frame | null> {
  for (const frame of parent.childFrames()) {
    const holder = await frame.frameElement();
    const isIt = await object.evaluate((element, other) => element === other, holder);
    await holder.dispose();
    if (isIt) return frame;
  }
  return null;
}
