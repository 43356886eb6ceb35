import type { ResolvedConfig } from '../../config.js';
import type { Secrets } from '../../policy/secrets.js';
import { ConsoleLog } from './console-log.js';
import { NetworkLog } from './network-log.js';
import type { Tab } from './tab.js';

/** The console messages and requests of a session's pages. */
export class PageLogs {
  readonly console: ConsoleLog;
  readonly network: NetworkLog;

  constructor({ tools: { only = [], also = [] } }: ResolvedConfig, secrets: Secrets) {
    this.console = new ConsoleLog(text => secrets.hide(text));
    this.network = new NetworkLog([...only, ...also].includes('browser_network'));
  }

  watch({ page }: Tab): void {
    this.console.watch(page);
    this.network.watch(page);
  }

  clear(): void {
    this.console.clear();
    this.network.clear();
  }
}
