import { untoldFields } from '../actions/elements.js';
import type { AgentHistory } from '../history/history.js';
import { type RecordedAction, recordedActions } from '../rerun/recorded-actions.js';
import { WAITS } from '../rerun/waits.js';
import { comment, quoted, Source, searchAddress } from './source.js';

/** A module with a Mastra workflow that does the task with a toolset, and finds each element by the proof of a rerun. */
export function mastraCode(history: AgentHistory): string {
  const source = new Source(history);
  const shape = source.variables.map(
    ({ name, value }) => `  ${name}: z.string()${value === undefined ? '' : `.default(${quoted(value)})`},`,
  );
  let goal = '';
  const body = recordedActions(history).flatMap((recorded, number) => {
    const isNew = recorded.goal !== goal && recorded.goal !== '';
    goal = recorded.goal;
    return [...(isNew ? [`      // ${comment(recorded.goal)}`] : []), `      ${callOf(recorded, number, source)}`];
  });
  return [
    "import type { BrowserToolset } from '@browser-toolset/agent-browser';",
    "import { recordedSession } from '@browser-toolset/browser-agent';",
    "import { createStep, createWorkflow } from '@mastra/core/workflows';",
    "import { z } from 'zod';",
    '',
    '/** What can be different in another run. */',
    'export const inputSchema = z.object({',
    ...shape,
    '});',
    '',
    `/** ${comment(history.task)} */`,
    'export function recordedTask(browser: BrowserToolset) {',
    '  const step = createStep({',
    "    id: 'recorded-task',",
    '    inputSchema,',
    '    outputSchema: z.object({ url: z.string() }),',
    '    execute: async ({ inputData: input, runId, abortSignal }) => {',
    '      const session = recordedSession(browser, runId, abortSignal);',
    ...body,
    "      return { url: (await browser.session(runId).snapshot()).url ?? '' };",
    '    },',
    '  });',
    "  return createWorkflow({ id: 'recorded-task', inputSchema, outputSchema: z.object({ url: z.string() }) }).then(step).commit();",
    '}',
    '',
  ].join('\n');
}

/** Actions that every toolset has. */
const OF_TOOLSETS = new Set(
  'navigate history tabs click hover type fill_form select press scroll drag upload dialog wait clipboard storage emulate evaluate page_tools'.split(
    ' ',
  ),
);

/** Such as `await session.take('click', { ref: { … } });`. */
function callOf(recorded: RecordedAction, number: number, source: Source): string {
  const { step, action, input, elements = {}, took } = recorded;
  const at = (path: string) => ({ action: number, path });
  if (action === 'search')
    return `await session.take('navigate', { url: ${searchAddress(recorded, source.value(input.query, at('query')))} });`;
  if (!OF_TOOLSETS.has(action))
    throw new Error(`Step ${step}: a toolset has no ${action}; toWorkflow takes own actions`);
  const [untold] = untoldFields(input, elements);
  if (untold !== undefined) throw new Error(`Step ${step}: the record does not tell what ${untold} was`);
  const written = new Map(
    Object.entries(elements).map(([path, { role, name, row, index, count, path: way }]) => {
      const fields = [
        `role: ${quoted(role)}`,
        ...(name === undefined ? [] : [`name: ${source.text(name, at(path))}`]),
        ...(row === undefined ? [] : [`row: ${source.text(row, at(`${path}.row`))}`]),
        ...(count > 1 ? [`index: ${index}, count: ${count}`] : []),
        ...(way === undefined ? [] : [`path: ${quoted(way)}`]),
      ];
      return [path, `{ ${fields.join(', ')} }`];
    }),
  );
  const isSlow = 2 * took > WAITS.shortest;
  return `await session.take(${quoted(action)}, ${source.value(input, at(''), written)}${isSlow ? `, { took: ${took} }` : ''});`;
}
