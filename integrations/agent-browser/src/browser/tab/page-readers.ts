import type { Page } from 'playwright-core';
import type { KeptPages } from '../../diff/known-page.js';
import type { PageCapture } from '../../snapshot/capture.js';
import type { EngineClient } from './engine.js';
import type { Worlds } from './worlds.js';

/** What reads pages for agents, and what it keeps of them: sessions and tabs only hold it. */
export interface PageReaders {
  /** Captures one tab. */
  capture(page: Page, engine: EngineClient, worlds: Worlds): PageCapture;
  keptPages(): KeptPages;
}
