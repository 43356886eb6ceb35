import type { BrowserToolset } from '../../src/index.js';

/** What a toolset's log tells of requests that were refused, from now on: host, port, rule. */
export function refusedIn(toolset: BrowserToolset): { host: string; port: number; rule: string }[] {
  const refused: { host: string; port: number; rule: string }[] = [];
  const { logger } = toolset as unknown as { logger: { debug(message: string, details?: unknown): void } };
  const { debug } = logger;
  logger.debug = (message, details) => {
    if (message === 'request refused') refused.push(details as { host: string; port: number; rule: string });
    debug.call(logger, message, details);
  };
  return refused;
}
