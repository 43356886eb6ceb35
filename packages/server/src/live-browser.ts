import type { BrowserLiveControls, BrowserLiveSource } from '@browser-toolset/core';

/** Any browser that gives frames and takes input. The live view asks for everything else by presence. */
export type LiveBrowser = BrowserLiveSource & Partial<BrowserLiveControls>;

/** The thread of a request that names none. */
export const DEFAULT_THREAD = 'default';

/** A thread of a browser, as a request names it: without an id it is the default one. */
export interface LiveThread {
  source: LiveBrowser;
  threadId: string | undefined;
}

/** For the log. */
export function nameOf({ threadId }: LiveThread): string {
  return `Thread ${threadId ?? '(default)'}`;
}

/**
 * Whether the thread itself has a browser. `isBrowserRunning` without a thread answers for any of them, so the default
 * thread is asked for its url as well.
 */
export async function isThreadOpen({ source, threadId }: LiveThread): Promise<boolean> {
  if (!source.isBrowserRunning(threadId)) return false;
  return threadId !== undefined || (await source.getCurrentUrl()) !== null;
}
