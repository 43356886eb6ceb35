import type { Sessions } from '../../browser/sessions.js';
import type { ResolvedConfig } from '../../config.js';
import { Approvals } from '../call/approvals.js';
import type { AgentModels } from './agent-models.js';
import { type MastraTools, toMastraTool } from './mastra-tool.js';
import { pickTools } from './pick.js';

/** The tools that the options ask for, as Mastra takes them. Throws when they name one that does not exist. */
export function makeTools(options: ResolvedConfig, sessions: Sessions, models: AgentModels): MastraTools {
  const approvals = options.approval && new Approvals(options.approval);
  const owner = { options, sessions, approvals, models };
  return Object.fromEntries(pickTools(options).map(tool => [tool.id, toMastraTool(tool, owner)])) as MastraTools;
}
