import type { Page } from 'playwright-core';
import type { ClipboardDeed } from '../browser/tab/clipboard.js';
import type { CoverSource } from './frame-covers.js';

/** The parts of a session that the live view needs. */
export interface ScreencastSource {
  /** The page of the active tab; null while there is none. */
  activePage(): Page | null;
  /** Calls back when `activePage` answers another page: tab switch, tab close, first page, recovery from a crash. */
  onActivePageChanged(listener: () => void): () => void;
  /** Calls back with the url of the active tab when it has changed. */
  onUrlChanged(listener: (url: string) => void): () => void;
  /** The covers for frames; undefined where viewers may see everything. */
  covers?(): CoverSource | undefined;
  /** Presses keys that copy, cut or paste, with the clipboard of the session; without this they are Chromium's own. */
  pressClipboardKeys?(deed: ClipboardDeed, send: () => Promise<unknown>): Promise<void>;
  /** A url as viewers may read it; the very one where nothing is kept from them. */
  toldUrl?(url: string): string;
  /** Calls back when the session has closed for good, with the reason. */
  onClosed(listener: (reason: string) => void): () => void;
}
