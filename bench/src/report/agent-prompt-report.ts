import type { AgentPromptCost, AgentPromptResults } from '../measure/agent-prompt.ts';
import { STEPS } from '../prompt/runs.ts';
import type { Bar, Table } from './table.ts';

/** Tokens of the same runs at 2f8318e, when each step repeated what the steps before had told. */
const BEFORE: Readonly<Record<string, number>> = { 'demo shop': 270_186, 'generated pages': 424_847 };
const MOST = 0.75;

const totalOf = ({ system, schema, message }: AgentPromptCost): number => system + schema + message;

/** The bar holds for each run. */
export function judgeAgentPrompt(results: AgentPromptResults = {}): Bar[] {
  return Object.entries(results).flatMap(([run, cost]) => {
    const before = BEFORE[run];
    if (before === undefined) return [];
    const ratio = totalOf(cost) / before;
    return [
      {
        what: `Tokens in of ${STEPS} steps of the browser agent against 2f8318e, ${run}`,
        bar: `<= ${MOST.toFixed(2)}x`,
        measured: `${ratio.toFixed(2)}x`,
        pass: ratio <= MOST,
      },
    ];
  });
}

export function agentPromptTables(results: AgentPromptResults = {}): Table[] {
  const rows = Object.entries(results).map(([run, cost]) => [
    run,
    ...[cost.system, cost.schema, cost.message, cost.history, totalOf(cost)].map(String),
  ]);
  if (rows.length === 0) return [];
  const head = ['', 'system prompt', 'schema', 'messages', 'their history', 'all'];
  return [{ title: `Requests of ${STEPS} steps of the browser agent, tokens (o200k_base)`, head, rows }];
}
