import type { LiveResults } from '../live/live.ts';
import type { ActionResults } from '../measure/actions.ts';
import type { AgentPromptResults } from '../measure/agent-prompt.ts';
import type { AgentStepResults } from '../measure/agent-step.ts';
import type { ChangedResult } from '../measure/changed-snapshots.ts';
import type { FrameworkResults } from '../measure/framework.ts';
import type { HugeResult } from '../measure/huge.ts';
import type { McpResults } from '../measure/mcp.ts';
import type { MemoryResults } from '../measure/memory.ts';
import type { PromptResults } from '../measure/prompt.ts';
import type { ReadResult } from '../measure/read.ts';
import type { RecallResult } from '../measure/recall.ts';
import type { SchemaSize } from '../measure/schemas.ts';
import type { PageResult } from '../measure/snapshots.ts';
import type { StartupResults } from '../measure/startup.ts';
import type { Walks } from '../walks/walks.ts';

/** All of one run; a part that was not measured is absent. */
export interface BenchResults {
  date: string;
  machine: { cores: number; memoryGiB: number; platform: string };
  versions: Record<string, string>;
  rounds: number;
  changed?: ChangedResult[];
  snapshots?: PageResult[];
  recall?: RecallResult[];
  framework?: FrameworkResults;
  actions?: ActionResults;
  /** The same beside prices, a clock and a carousel that change by themselves. */
  ticker?: ActionResults;
  startup?: StartupResults;
  memory?: MemoryResults;
  imports?: Record<string, number>;
  schemas?: Record<string, SchemaSize>;
  read?: ReadResult[];
  huge?: HugeResult[];
  prompt?: PromptResults;
  agent?: AgentStepResults;
  agentPrompt?: AgentPromptResults;
  mcp?: McpResults;
  walks?: Walks;
  live?: LiveResults;
}

export type Section =
  | 'changed'
  | 'snapshots'
  | 'recall'
  | 'framework'
  | 'actions'
  | 'ticker'
  | 'startup'
  | 'memory'
  | 'imports'
  | 'schemas'
  | 'read'
  | 'huge'
  | 'prompt'
  | 'agent'
  | 'agent-prompt'
  | 'mcp'
  | 'walks'
  | 'live';

export const sections: readonly Section[] = [
  'changed',
  'snapshots',
  'framework',
  'actions',
  'ticker',
  'startup',
  'schemas',
  'imports',
  'memory',
  'recall',
  'read',
  'huge',
  'prompt',
  'agent',
  'agent-prompt',
  'mcp',
  'walks',
  'live',
];
