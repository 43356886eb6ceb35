import type { Access } from './access.js';
import type { LiveBrowser } from './live-browser.js';
import type { LiveRequest } from './requests.js';
import type { Threads } from './threads.js';

/** A request of the REST routes, and what answers it. */
export interface RestContext {
  access: Access;
  threads: Threads;
  agentId: string;
  /** The part of the path behind the agent. */
  route: string;
  request: LiveRequest;
  browserOf(): Promise<LiveBrowser>;
}
