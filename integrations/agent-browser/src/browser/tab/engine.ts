import type { Frame, Locator } from 'playwright-core';
import type { Refusal, Request, Target } from '../../page/protocol.js';
import { Secrets } from '../../policy/secrets.js';
import { SecretSightings } from './secret-sightings.js';

/** What Playwright is told at each call: milliseconds, and what cancels it. */
export interface Limits {
  timeout: number;
  signal: AbortSignal;
}

/** Options of a question to the engine in a page. */
export interface AskOptions {
  /** Milliseconds until the page counts as not answering. */
  timeout: number;
  signal?: AbortSignal;
}

const REFUSAL = /browser-toolset-refusal:([^;\s]+);/;

/**
 * Speaks to the engine that runs in Playwright's isolated world of every document. A question is one round trip:
 * the selector carries it, the text of a detached element carries the answer.
 */
export class EngineClient {
  /** Where pages show secrets; undefined when there are none. */
  readonly sightings: SecretSightings | undefined;

  /**
   * @param name Under which the engine is registered with Playwright.
   * @param secrets What no answer may hold: it is taken out before anything here cuts or compares texts.
   */
  constructor(
    readonly name: string,
    readonly secrets = new Secrets(),
  ) {
    this.sightings = secrets.areNone ? undefined : new SecretSightings(this, secrets);
  }

  /** The element of a request, for Playwright to act on; it is looked up and checked again at each try. */
  locator(frame: Frame, request: Extract<Request, { do: 'element' }>): Locator {
    return frame.locator(this.#selector(request));
  }

  async ask<Answer>(frame: Frame, request: Exclude<Request, { do: 'element' }>, options: AskOptions): Promise<Answer> {
    const text = await frame.locator(this.#selector(request)).textContent(options);
    return this.secrets.parse(text ?? 'null') as Answer;
  }

  /** The frame whose document an element of another shows; null for what is no frame. */
  async contentFrame(
    parent: Frame,
    { doc, id }: Pick<Target, 'doc' | 'id'>,
    options: AskOptions,
  ): Promise<Frame | null> {
    const target = { doc, id, fingerprint: 0, lastId: 0 };
    const handle = await this.locator(parent, { do: 'element', target }).elementHandle(options);
    const frame = await handle.contentFrame();
    await handle.dispose();
    return frame;
  }

  /** The engine's reason in an error that an action threw; undefined when the error is about something else. */
  refusalOf(error: unknown): Refusal | undefined {
    const match = error instanceof Error ? REFUSAL.exec(error.message) : null;
    return match === null ? undefined : (this.secrets.parse(decodeURIComponent(match[1] as string)) as Refusal);
  }

  #selector(request: Request): string {
    // Playwright's parser gives quotes a meaning of their own.
    return `${this.name}=${encodeURIComponent(JSON.stringify(request)).replaceAll("'", '%27')}`;
  }
}
