import type { BrowserLiveSource } from '../browser-toolset-like.js';

/** One implementation, fresh for one test. */
export interface ContractSubject {
  toolset: BrowserLiveSource;
  /** Makes the thread's browser show a page, and starts it when needed. */
  open(threadId: string, url: string): Promise<void>;
  /** Closes one thread's browser; left out by an implementation that cannot. */
  closeThread?(threadId: string): Promise<void>;
  /** Releases everything, whatever the test has closed already. */
  dispose(): Promise<void>;
}
