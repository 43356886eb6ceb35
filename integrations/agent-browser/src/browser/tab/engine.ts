import { createHash } from 'node:crypto';
import { unlessAborted } from '@browser-toolset/core/waiting';
import type { BrowserContext, ElementHandle, Frame, Locator, Page } from 'playwright-core';
import { z } from 'zod/v4';
import { PAGE_ENGINE_SOURCE } from '../../generated/page-engine.js';
import type { Stirring } from '../../page/changes.js';
import type { Answer, Asked, Question } from '../../page/engine.js';
import { anyElement, type ElementRequest, type EngineRefusal, type Target } from '../../page/protocol.js';
import { Secrets } from '../../policy/secrets.js';
import { loadPlaywright } from '../chromium/agent-browser.js';
import type { AskOptions, EngineLine } from './engine-line.js';
import { SecretOccurrenceReader } from './secret-occurrences.js';
import type { Worlds } from './worlds.js';

let registered: Promise<string> | undefined;

/**
 * Registers the page engine with Playwright and answers with its name. Playwright keeps selector engines for the whole
 * process and refuses a name twice; so the name is made of the source's hash and of this copy of the module.
 */
export function registerEngine(): Promise<string> {
  registered ??= register(engineName()).catch(error => {
    registered = undefined;
    throw error;
  });
  return registered;
}

/**
 * Gives the page engine to the context that a remote browser came with, and answers with its name there. Playwright
 * hands engines to contexts that it makes and to those that are there when an engine is registered, but forgets them
 * for the default context of a browser that it attaches to later (seen in 1.65).
 */
export async function registerEngineIn(context: BrowserContext): Promise<string> {
  const name = await registerEngine();
  const internals = context as unknown as Partial<ContextInternals>;
  try {
    if (internals._channel === undefined) return await registerAgain();
    const selectorEngine = { name, source: PAGE_ENGINE_SOURCE, contentScript: true };
    await internals._channel.registerSelectorEngine({ selectorEngine }, { signal: undefined, timeout: 0 });
    return name;
  } catch {
    // Another version of Playwright has other internals.
    return registerAgain();
  }
}

/** The engines of one context; the public method adds an engine to all contexts. */
interface ContextInternals {
  _channel: {
    registerSelectorEngine(
      params: { selectorEngine: { name: string; source: string; contentScript: boolean } },
      options: { signal: undefined; timeout: number },
    ): Promise<void>;
  };
}

let registrations = 1;

/** Under another name the engine reaches all contexts that there are now. */
function registerAgain(): Promise<string> {
  registrations++;
  return register(`${engineName()}-${registrations}`);
}

function engineName(): string {
  const hash = createHash('sha256')
    .update(PAGE_ENGINE_SOURCE)
    .update(import.meta.url)
    .digest('hex');
  return `browser-toolset-${hash.slice(0, 12)}`;
}

async function register(name: string): Promise<string> {
  await loadPlaywright().selectors.register(name, { content: PAGE_ENGINE_SOURCE }, { contentScript: true });
  return name;
}

/** The options of each Playwright call: milliseconds, and the signal that cancels it. */
export interface Limits {
  timeout: number;
  signal: AbortSignal;
}

const stirring = z.enum(['stirred', 'quiet', 'inert']) satisfies z.ZodType<Stirring>;

const REFUSAL_MESSAGE = /browser-toolset-refusal:([^;\s]+);/;

/**
 * What the engine does to a page for an agent counts as done by a person. Looking at it does not: that would let the page
 * open windows, and costs a message to every process that shows a part of it. What Playwright brings does all the same,
 * which is the first question to each document of a frame.
 */
const ACTS: ReadonlySet<Question> = new Set(['enter', 'choose', 'insert', 'copy']);

/** What acts at once, on no element of a known document; all else may be asked again. */
const ACTING_QUESTIONS: ReadonlySet<Question> = new Set(['scroll', 'paste', 'clipboardKeys']);

/**
 * Speaks to the engine that runs in Playwright's isolated world of every document. A question is one round trip, and its
 * answer has the type of what the handler of that name returns there.
 */
export class EngineClient {
  /** The straight ways to the engines of documents that are known. */
  readonly lines = new WeakMap<Frame, EngineLine>();
  /** Who brings the engine into the main documents of pages. */
  readonly worlds = new WeakMap<Page, Worlds>();
  /** Where pages show secrets; undefined when there are none. */
  readonly sightings: SecretOccurrenceReader | undefined;

  /**
   * @param name Under which the engine is registered with Playwright.
   * @param secrets What no answer may hold: it is taken out before anything here cuts or compares texts.
   */
  constructor(
    readonly name: string,
    readonly secrets = new Secrets(),
  ) {
    this.sightings = secrets.areNone ? undefined : new SecretOccurrenceReader(this, secrets);
  }

  /** An element, for Playwright to act on; it is looked up and checked again at each try. */
  locator(frame: Frame, target: Target, how: Omit<ElementRequest, 'target'> = {}): Locator {
    return frame.locator(this.#selector(JSON.stringify({ do: 'element', target, ...how })));
  }

  async call<Name extends Question>(
    frame: Frame,
    name: Name,
    asked: Asked<Name>,
    options: AskOptions,
  ): Promise<Answer<Name>> {
    const question = JSON.stringify({ do: name, ...asked });
    const deadline = performance.now() + options.timeout;
    const text =
      (await this.#askStraight(frame, name, question, options)) ??
      (await this.#askBySelector(frame, question, { ...options, timeout: Math.max(1, deadline - performance.now()) }));
    return this.secrets.parse(text, name === 'read' ? 'html' : undefined) as Answer<Name>;
  }

  /**
   * Resolves when the page has drawn its document anew, with all that waited for a frame, or has left it.
   * @throws An error named `TimeoutError` for a page that does not draw, and the reason of the signal when that is aborted.
   */
  async drawn(frame: Frame, options: AskOptions): Promise<void> {
    const line = this.#lineTo(frame);
    if (line !== undefined) return line.drawn(options);
    const root = await frame.locator('html').elementHandle(options);
    await root.waitForElementState('stable', options);
    await root.dispose();
  }

  /**
   * Resolves when the page has done what it had put off until its next frame.
   * @throws As {@link drawn}.
   */
  async rested(frame: Frame, options: AskOptions): Promise<void> {
    const line = this.#lineTo(frame);
    await (line === undefined ? this.drawn(frame, options) : line.rested(options));
  }

  /**
   * Resolves when the document of a frame does something, is gone, or did nothing for so many milliseconds.
   * @throws As {@link drawn}.
   */
  async stirred(frame: Frame, milliseconds: number, options: AskOptions): Promise<Stirring> {
    const line = this.#lineTo(frame);
    if (line !== undefined) return stirring.parse((await line.stirred(milliseconds, options)) ?? 'stirred');
    await this.drawn(frame, options);
    return 'stirred';
  }

  /**
   * Resolves when what comes or goes in a frame by an animation has done so, or after so many milliseconds; with its next
   * drawing where the straight way to its engine is not known yet.
   * @throws As {@link drawn}.
   */
  async faded(frame: Frame, milliseconds: number, options: AskOptions): Promise<void> {
    const line = this.#lineTo(frame);
    await (line === undefined ? this.drawn(frame, options) : line.faded(milliseconds, options));
  }

  /** The frame whose document an element of another shows; null for what is no frame. */
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

  /** The text of the answer; undefined where Playwright has to bring the question. */
  async #askStraight(frame: Frame, name: Question, question: string, options: AskOptions): Promise<string | undefined> {
    // Another attempt would go the other way, and no action may be done twice.
    if (ACTING_QUESTIONS.has(name)) return undefined;
    const how = { ...options, userGesture: ACTS.has(name) };
    const answer = await this.#lineTo(frame)?.ask(question, how);
    return answer ?? (await this.#enter(frame, options))?.ask(question, how);
  }

  async #askBySelector(frame: Frame, question: string, { timeout, signal }: AskOptions): Promise<string> {
    // Nothing but a selector leads from a frame to its document before the engine in there has told its name, or once the
    // session is gone. Playwright brings the engine along with it, and the text of a detached element carries the answer.
    const told = frame.locator(this.#selector(question));
    return (await told.textContent({ timeout, ...(signal && { signal }) })) ?? 'null';
  }

  async #enter(frame: Frame, { timeout, signal }: AskOptions): Promise<EngineLine | undefined> {
    const worlds = frame.parentFrame() === null ? this.worlds.get(frame.page()) : undefined;
    // Half of the time is left for the other way.
    return worlds && unlessAborted(worlds.enter(timeout / 2), signal);
  }

  #lineTo(frame: Frame): EngineLine | undefined {
    const line = this.lines.get(frame);
    return line?.isOver ? undefined : line;
  }

  /** The engine's reason in an error that an action threw; undefined when the error is about something else. */
  refusalOf(error: unknown): EngineRefusal | undefined {
    const match = error instanceof Error ? REFUSAL_MESSAGE.exec(error.message) : null;
    return match === null ? undefined : (this.secrets.parse(decodeURIComponent(match[1] as string)) as EngineRefusal);
  }

  #selector(request: string): string {
    // Playwright's parser gives quotes a meaning of their own.
    return `${this.name}=${encodeURIComponent(request).replaceAll("'", '%27')}`;
  }
}

/** Playwright takes none but frames for such, though the frames inside of others know what holds them. */
async function frameOfObject(parent: Frame, object: ElementHandle): Promise<Frame | null> {
  for (const frame of parent.childFrames()) {
    const holder = await frame.frameElement();
    const isIt = await object.evaluate((element, other) => element === other, holder);
    await holder.dispose();
    if (isIt) return frame;
  }
  return null;
}
