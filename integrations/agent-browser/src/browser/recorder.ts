import type { Browser } from 'playwright-core';
import type { Session } from './session.js';

/** Records what sessions show, each from the moment at which it gets its context. */
export interface Recorder {
  start(session: Session, browser: Browser): Recording;
}

export interface Recording {
  /** Ends it while the context is still there. Never rejects, and takes no longer than a few seconds. */
  stop(): Promise<void>;
}
