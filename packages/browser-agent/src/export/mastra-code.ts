import type { AgentHistory } from '../history/history.js';
import { type RecordedAction, recordedActions } from '../rerun/recorded-actions.js';
import { withValueAt } from '../rerun/variables.js';
import { comment, quoted, Source, searchAddress } from './source.js';

/** A module with a Mastra workflow that does the task with a toolset, and finds each element by what it is. */
export function mastraCode(history: AgentHistory): string {
  const source = new Source(history);
  const shape = source.variables.map(({ name, value }) => `  ${name}: z.string().default(${quoted(value)}),`);
  let goal = '';
  const body = recordedActions(history).flatMap(recorded => {
    const isNew = recorded.goal !== goal && recorded.goal !== '';
    goal = recorded.goal;
    return [...(isNew ? [`      // ${comment(recorded.goal)}`] : []), `      ${callOf(recorded, source)}`];
  });
  return [
    "import { BrowserToolset } from '@browser-toolset/agent-browser';",
    "import { createStep, createWorkflow } from '@mastra/core/workflows';",
    "import { z } from 'zod';",
    '',
    HELPERS,
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
    '    execute: async ({ inputData: input, runId }) => {',
    '      const session = browser.session(runId);',
    ...body,
    "      return { url: (await session.snapshot()).url ?? '' };",
    '    },',
    '  });',
    "  return createWorkflow({ id: 'recorded-task', inputSchema, outputSchema: z.object({ url: z.string() }) }).then(step).commit();",
    '}',
    '',
  ].join('\n');
}

/** The helpers that each module needs to find its elements. */
const HELPERS = `type Session = ReturnType<BrowserToolset['session']>;

interface Wanted {
  role: string;
  name?: string;
  /** The text that tells its row. */
  row?: string;
  /** Its place where several were alike. */
  place?: { index: number; of: number };
}

/** Waits for an element and answers with its ref. */
async function refOf(session: Session, { role, name, row, place }: Wanted): Promise<string> {
  for (let tries = 0; tries < 10; tries++) {
    const { refs = {} } = await session.snapshot();
    const alike = Object.entries(refs).filter(([, each]) => each.role === role && each.name === name && (row === undefined || each.row === row));
    // With others beside it a place may be that of another one.
    const found = alike.length === 1 ? alike[0] : alike.length === place?.of ? alike[place.index] : undefined;
    if (found !== undefined) return found[0];
    await session.wait({ for: { seconds: 0.5 } });
  }
  throw new Error(\`There is no one \${role} \${name ?? ''}\${row === undefined ? '' : \` in \${row}\`}\`);
}

/** A result that is no success fails the step. */
async function done(call: Promise<{ success: boolean; code?: string; message?: string }>): Promise<void> {
  const { success, code, message } = await call;
  if (!success) throw new Error(\`\${code}: \${message}\`);
}
`;

/** Actions that a session of the toolset has, in the words of the record. */
const OF_SESSIONS = new Set(
  'navigate history tabs click hover type fill_form select press scroll drag upload dialog wait clipboard storage emulate evaluate page_tools'.split(
    ' ',
  ),
);

/** Such as `await done(session.click({ ref: await refOf(session, { … }) }));`. */
function callOf(recorded: RecordedAction, source: Source): string {
  const { step, action, input, elements = {} } = recorded;
  if (action === 'search') return `await done(session.navigate({ url: ${searchAddress(recorded, source)} }));`;
  if (!OF_SESSIONS.has(action))
    throw new Error(`Step ${step}: a session has no ${action}; toWorkflow takes own actions`);
  const refs: string[] = [];
  let marked = input;
  for (const [path, { role, name, row, index, count }] of Object.entries(elements)) {
    marked = withValueAt(marked, path, `⟦${refs.length}⟧`);
    const place = count > 1 && { place: { index, of: count } };
    const wanted = { role, ...(name !== undefined && { name }), ...(row !== undefined && { row }), ...place };
    refs.push(`await refOf(session, ${source.value(wanted)})`);
  }
  const given = source.value(marked).replace(/'⟦(\d+)⟧'/g, (_, n) => refs[Number(n)] ?? 'undefined');
  const method = action.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `await done(session.${method}(${given}));`;
}
