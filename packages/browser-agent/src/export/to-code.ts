import type { AgentHistory } from '../history/history.js';
import { mastraCode } from './mastra-code.js';
import { playwrightCode } from './playwright-code.js';

export interface ToCodeOptions {
  /** `mastra`: the toolset's sessions, in a workflow. `playwright`: a function of a page. */
  as: 'mastra' | 'playwright';
}

/** A recorded run as the source of a TypeScript module, with its variables as parameters. */
export function toCode(history: AgentHistory, { as }: ToCodeOptions): string {
  if (as === 'mastra') return mastraCode(history);
  if (as === 'playwright') return playwrightCode(history);
  throw new TypeError(`toCode: as must be 'mastra' or 'playwright', not ${JSON.stringify(as)}`);
}
