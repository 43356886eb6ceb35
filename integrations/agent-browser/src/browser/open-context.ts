import type { BrowserContext } from 'playwright-core';
import type { Door } from '../network/door.js';
import type { ContextPages } from './context-pages.js';
import type { EngineClient } from './tab/engine.js';
import type { Trace } from './trace.js';

/** The context of an open session. */
export interface OpenContext {
  context: BrowserContext;
  pages: ContextPages;
  engine: EngineClient;
  /** It was made for the session and goes with it. */
  isOwn: boolean;
  /**
   * What of its cookies and storage is the session's to keep: all; the cookies that end with the browser, of a profile that
   * keeps the rest; nothing of a person's own browser.
   */
  keeps: 'all' | 'cookies' | 'nothing';
  /** Of a context that a remote browser came with. */
  contextId?: string;
  /** The way out of it; a browser that was attached to has its own. */
  door?: Door;
  trace?: Trace;
  video?: Recording;
}

/** A video of a session, while it has the context. */
export interface Recording {
  /** Ends it while the context is still there. Never rejects, and takes no longer than a few seconds. */
  stop(): Promise<void>;
}
