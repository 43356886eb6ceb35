import type { Page } from 'playwright-core';
import type { CoverSource } from './frames/frame-covers.js';
import type { ClipboardCommand } from './input/clipboard-keys.js';

/** What is shown, and takes a person's input: the tabs of a browser, one of them active. */
export interface LiveSource {
  activePage(): Page | null;
  /** Calls back on a new active page: tab switch or close, first page, crash recovery. */
  onActivePageChanged(listener: () => void): () => void;
  onUrlChanged(listener: (url: string) => void): () => void;
  /** Calls back when pages were given another size. */
  onResized(listener: () => void): () => void;
  /** Undefined where viewers may see secrets. */
  covers?(): CoverSource | undefined;
  /** Presses clipboard keys with the session's clipboard; without this, Chromium handles them. */
  pressClipboardKeys?(command: ClipboardCommand, send: () => Promise<unknown>): Promise<void>;
  /** Hides secrets in a URL for viewers. */
  publishedUrl?(url: string): string;
  /** Calls back with the reason when the session has closed for good. */
  onClosed(listener: (reason: string) => void): () => void;
}
