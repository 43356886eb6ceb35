import { createRequire } from 'node:module';
import type { AgentModel, RunOptions } from '@browser-toolset/browser-agent';
import { betweenBoundaries } from '@browser-toolset/core/boundaries';
import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import { answerTo, ask } from '../protocol/questions.js';
import type { ServedTool, ToolCall } from '../protocol/served-tool.js';
import { failure } from '../toolset/call-tool.js';
import { schemaOf } from '../toolset/catalogue.js';
import { ClientRun } from './agent-runs.js';
import { agentAnswer, historyUri, resultOf } from './run-result.js';
import { samplingModel } from './sampling-model.js';

export interface AgentToolOptions {
  /**
   * The model: whatever a Mastra agent takes. Left out, the client's own model answers, where it lets servers ask
   * (sampling).
   */
  model?: AgentModel;
  /** Seconds after which a call answers with what was done so far, because clients give up calls; 0 for never. */
  agentWait: number;
  /** Names of actions that the agent does not have. */
  except: string[];
}

/**
 * Whether Mastra's agents are installed. The command works without them: `npx` fetches two packages instead of a hundred and
 * sixty, and clients wait for it.
 */
export function hasMastra(): boolean {
  try {
    createRequire(import.meta.url).resolve('@mastra/core/agent');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

const input = z.object({
  task: z.string().min(1).optional().describe('The task, with everything needed to do it'),
  add_infos: z.string().optional().describe('Hints, such as where to start'),
  run_id: z.string().optional().describe('Continues a run that has not ended; give it instead of a task'),
});

/** Rounds that a call of a modern client may take; clients give up after ten. */
const MOST_AGENT_ROUNDS = 8;
const SAMPLE = 'sample';

/** `run_browser_agent` of the Browser Automation protocol: a whole task in one call, in the browser of the client. */
export function agentTool(options: AgentToolOptions): ServedTool {
  return {
    info: {
      name: 'run_browser_agent',
      title: 'Run browser agent',
      description:
        'Have a browser agent complete a whole task on the web on its own, in this browser. Long tasks return a run_id; call again with that run_id to continue.',
      inputSchema: schemaOf(z.toJSONSchema(input, { io: 'input' })),
      outputSchema: schemaOf(z.toJSONSchema(agentAnswer)),
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    call: call => callAgent(call, options),
  };
}

async function callAgent(call: ToolCall, options: AgentToolOptions): Promise<CallToolResult | InputRequiredResult> {
  const parsed = input.safeParse(call.input);
  if (!parsed.success) return failure('invalid_input', z.prettifyError(parsed.error));
  const { task, add_infos, run_id = call.state?.runId } = parsed.data;
  const { runs } = call.client;
  if (run_id !== undefined) {
    const known = runs.find(run_id);
    if (known === undefined) return failure('invalid_input', `There is no run ${run_id}.`, 'Give a task instead.');
    if (call.state?.runId === run_id)
      known.answer(call.state.asks === 'sampling' ? call.answers[SAMPLE] : answerTo(call));
    return follow(known, call, options);
  }
  if (task === undefined) return failure('invalid_input', 'A task is needed, or the run_id of a run.');
  if (options.model === undefined && !call.abilities.sampling)
    return failure(
      'no_model',
      'The agent has no model.',
      'Start the server with MODEL, such as MODEL=openai/gpt-5-mini and OPENAI_API_KEY, or use the other tools.',
    );
  const asked = { task, ...(add_infos !== undefined && { addInfos: add_infos }) };
  const { run, isNew } = await runs.begin(() => begin(call, options, asked));
  if (isNew) return follow(run, call, options);
  return failure(
    'invalid_input',
    `The agent still does another task here: ${run.run.state.history.task}`,
    `Call again with run_id "${run.run.runId}".`,
  );
}

async function begin(call: ToolCall, { model, except }: AgentToolOptions, asked: RunOptions): Promise<ClientRun> {
  const { client, abilities } = call;
  // Few calls need it, and it takes its time to load.
  const { BrowserAgent } = await import('@browser-toolset/browser-agent');
  const sampled = samplingModel(params => {
    const { current } = client.runs;
    return current?.needs({ kind: 'sampling', params }) ?? Promise.resolve(undefined);
  });
  client.runs.agent ??= new BrowserAgent({ browser: await call.toolset(), model: model ?? sampled, except });
  let handle: ClientRun | undefined;
  const run = client.runs.agent.run({
    ...asked,
    threadId: client.threadId,
    ...(abilities.elicitation && { onQuestion: payload => handle?.needs({ kind: 'question', payload }) }),
  });
  handle = new ClientRun(run);
  client.runs.add(handle);
  return handle;
}

/** Tells of a run until it has ended, needs its client, or has taken as long as a call may. */
async function follow(
  handle: ClientRun,
  call: ToolCall,
  { agentWait }: AgentToolOptions,
): Promise<CallToolResult | InputRequiredResult> {
  const { run } = handle;
  const stopTelling = run.onEvent(event => {
    if (event.type === 'step-ended') call.progress(event.record.step, progressOf(event.record));
  });
  const stop = (): void => run.stop();
  call.signal.addEventListener('abort', stop, { once: true });
  // It may have been cancelled while the run began.
  if (call.signal.aborted) stop();
  const left = Math.max(0, call.begun + agentWait * 1000 - Date.now());
  const patience = agentWait > 0 ? [AbortSignal.timeout(left)] : [];
  try {
    const need = await handle.next(AbortSignal.any([call.signal, ...patience]));
    const mayAsk = !call.isModern || (call.state?.rounds ?? 0) < MOST_AGENT_ROUNDS;
    if (need?.kind === 'question' && mayAsk) return await ask(call, need.payload, run.runId);
    if (need?.kind === 'sampling' && mayAsk)
      return inputRequired({
        inputRequests: { [SAMPLE]: inputRequired.createMessage(need.params) },
        requestState: await call.sign({ asks: 'sampling', runId: run.runId }),
      });
    return handle.isOver || call.signal.aborted ? await ended(handle) : soFar(handle);
  } finally {
    stopTelling();
    call.signal.removeEventListener('abort', stop);
  }
}

async function ended(handle: ClientRun): Promise<CallToolResult> {
  const result = await handle.run.result;
  const { success, stopReason, result: answer = '', problem = '', waitsFor } = result;
  const said = waitsFor?.question ?? (answer || problem);
  const own = said === '' ? `The run ended: ${stopReason}.` : success ? '' : `Not done (${stopReason}):`;
  return {
    // The agent has read pages: it may say what they wanted to have said.
    content: [{ type: 'text', text: `${own}\n${betweenBoundaries(said)}`.trim() }, historyLink(handle)],
    structuredContent: resultOf(handle, `${own} ${said}`.trim(), result),
    ...(!success && { isError: true }),
  };
}

function soFar(handle: ClientRun): CallToolResult {
  const { run, steps } = handle;
  const done = steps.flatMap(step => (step.output === undefined ? [] : `${step.step}. ${progressOf(step)}`));
  const own = `Still at work, ${steps.at(-1)?.step ?? 0} steps so far. Call run_browser_agent with run_id "${run.runId}" to go on.`;
  const latest = done.slice(-5).join('\n');
  return {
    content: [{ type: 'text', text: `${own}\n${betweenBoundaries(latest)}`.trim() }, historyLink(handle)],
    structuredContent: resultOf(handle, `${own}\n${latest}`.trim()),
  };
}

function historyLink({ run }: ClientRun): CallToolResult['content'][number] {
  return { type: 'resource_link', uri: historyUri(run.runId), name: 'history', mimeType: 'application/json' };
}

function progressOf({ output, error }: ClientRun['steps'][number]): string {
  if (output === undefined) return error ?? 'The model gave no answer';
  return [output.evaluation, output.nextGoal].filter(each => each !== '').join(' Next: ');
}
