import type { CDPSession } from 'playwright-core';

/** One of Playwright's isolated worlds, as the DevTools protocol names it (`Runtime.ExecutionContextDescription`). */
export interface World {
  session: CDPSession;
  id: number;
  uniqueId: string;
  name: string;
  /** The frame whose document it belongs to. */
  frameId: string | undefined;
}

/** The engine of a document, by the name that it gave the document. */
export interface KnownEngine {
  world: World;
  doc: string;
}
