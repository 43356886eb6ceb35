import { setTimeout as pause } from 'node:timers/promises';
import { unlessAborted } from '@browser-toolset/core/waiting';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { JsonSchema } from '../actions/action.js';
import type { Picture } from '../browser/browser-tools.js';
import { type ModelPrice, type TokenUsage, withCost } from './token-usage.js';

/** Longest wait for a server, in milliseconds. */
const LONGEST_DELAY = 60_000;

/** Milliseconds until the next try: as the server says (RFC 9110, Retry-After), else twice as long each time. The server's own time is not capped. */
function delayOf(attempt: number, headers: Record<string, string> | undefined, base: number): number {
  const said = retryAfter(headers);
  if (said !== undefined) return said;
  return Math.min(base * 2 ** attempt * (0.75 + Math.random() / 2), LONGEST_DELAY);
}

function retryAfter(headers: Record<string, string> = {}): number | undefined {
  const milliseconds = Number(headers['retry-after-ms']);
  if (milliseconds > 0) return milliseconds;
  const said = headers['retry-after'];
  if (said === undefined) return undefined;
  const seconds = Number(said);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(said);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

async function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal, ref: true });
}

/** A model, or several of which each is asked when the one before cannot answer. */
export type AgentModel = MastraModelConfig | readonly MastraModelConfig[];

/** How an answer is brought into its form, the best way first. */
const WAYS = ['schema', 'tool', 'text'] as const;
type Way = (typeof WAYS)[number];

interface ModelQuestion {
  system: string;
  text: string;
  pictures?: readonly Picture[];
  /** The form of the answer; text when left out. */
  schema?: JsonSchema;
  signal: AbortSignal;
}

interface ModelAnswer {
  /** Text, or what a tool was called with. */
  given: unknown;
  usage: TokenUsage;
  /** Which model answered. */
  model: string;
}

interface ModelClientOptions {
  /** Tries of one model before the next one is asked. */
  maxRetries: number;
  /** Milliseconds until a try is given up. */
  timeout: number;
  /** Milliseconds of the first wait after a failure; each one after is twice as long. */
  backoff: number;
  /** By the ids of models. */
  prices?: Readonly<Record<string, ModelPrice>> | undefined;
  /** Told of a failure before the next try. */
  onRetry?: (failure: { model: string; error: string; delay: number }) => void;
}

/** No model could answer. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
}

/** One model. It can be shared, so that no run asks for what its provider refused before. */
export interface ModelSource {
  readonly agent: Agent;
  readonly id: string;
  /** Ways that its provider did not refuse. */
  ways: readonly Way[];
}

const ANSWER_TOOL = 'answer';

/** Asks models through Mastra: whatever a Mastra agent takes as its model can be asked. */
export class ModelClient {
  constructor(
    readonly sources: readonly ModelSource[],
    readonly options: ModelClientOptions,
  ) {}

  /**
   * @throws {ModelFailure} when no model answers, and the reason of the signal when that is aborted.
   */
  async ask(question: ModelQuestion): Promise<ModelAnswer> {
    const failures: string[] = [];
    for (const source of this.sources) {
      let { ways } = source;
      for (let attempt = 0; attempt <= this.options.maxRetries; attempt++) {
        question.signal.throwIfAborted();
        try {
          const answer = await this.#once(source, ways, question);
          source.ways = ways;
          return answer;
        } catch (error) {
          question.signal.throwIfAborted();
          const { message, status, headers } = failureOf(error);
          if (FORM_REFUSED.has(status) && question.schema !== undefined && ways.length > 1) {
            ways = ways.slice(1);
            attempt--;
            continue;
          }
          failures.push(`${source.id}: ${message}`);
          // A request that is wrong stays wrong.
          if (isClientError(status) || attempt === this.options.maxRetries) break;
          const wanted = delayOf(attempt, headers, this.options.backoff);
          // The next model answers sooner than a server that says to come back in an hour.
          if (wanted > LONGEST_DELAY && source !== this.sources.at(-1)) break;
          const delay = Math.min(wanted, LONGEST_DELAY);
          this.options.onRetry?.({ model: source.id, error: message, delay });
          await waitFor(delay, question.signal);
        }
      }
    }
    throw new ModelFailure(failures.at(-1) ?? 'no model was given');
  }

  async #once({ agent, id }: ModelSource, ways: readonly Way[], question: ModelQuestion): Promise<ModelAnswer> {
    const { system, text, pictures = [], schema, signal } = question;
    const [way = 'text'] = schema === undefined ? (['text'] as const) : ways;
    const content = [
      { type: 'text' as const, text },
      ...pictures.map(({ data, mediaType }) => ({ type: 'image' as const, image: data, mimeType: mediaType })),
    ];
    const timeout = AbortSignal.timeout(this.options.timeout);
    const asked = agent.generate([{ role: 'user', content }], {
      instructions: system,
      maxSteps: 1,
      modelSettings: { maxRetries: 0 },
      abortSignal: AbortSignal.any([signal, timeout]),
      ...formOf(way, schema),
    });
    // A provider that does not heed the signal is not waited for.
    const answer = await unlessAborted(asked, AbortSignal.any([signal, timeout]));
    const call = answer.toolCalls?.[0] as { payload?: { args?: unknown } } | undefined;
    const given = call?.payload?.args ?? answer.text;
    const { inputTokens = 0, outputTokens = 0, cachedInputTokens } = answer.usage ?? {};
    const usage = {
      input: inputTokens,
      output: outputTokens,
      ...(cachedInputTokens !== undefined && { cached: cachedInputTokens }),
    };
    const model = answer.response?.modelId ?? id;
    const { prices = {} } = this.options;
    return { given, usage: withCost(usage, prices[id] ?? prices[model]), model };
  }
}

export function sourcesOf(models: AgentModel): ModelSource[] {
  const list = (Array.isArray(models) ? models : [models]) as MastraModelConfig[];
  return list.map((model, i) => ({ agent: agentFor(model, i), id: modelName(model), ways: WAYS }));
}

/** Statuses by which providers refuse a form of answer. It was the form if another one then works. */
const FORM_REFUSED = new Set<number | undefined>([400, 404, 415, 422]);

function formOf(way: Way, schema: JsonSchema | undefined): object {
  if (schema === undefined || way === 'text') return {};
  if (way === 'schema') return { structuredOutput: { schema, errorStrategy: 'warn', logger: QUIET } };
  const tool = { id: ANSWER_TOOL, description: 'Give the answer', inputSchema: schema };
  return { clientTools: { [ANSWER_TOOL]: tool }, toolChoice: { type: 'tool', toolName: ANSWER_TOOL } };
}

const nothing = (): void => undefined;
const QUIET = { debug: nothing, info: nothing, warn: nothing, error: nothing, trackException: nothing };

function agentFor(model: MastraModelConfig, index: number): Agent {
  const id = `browser-agent-model-${index}`;
  const agent = new Agent({ id, name: id, instructions: '', model, maxRetries: 0 });
  // Failures are told as events, with what is done about them.
  agent.__setLogger(QUIET as never);
  return agent;
}

function modelName(model: MastraModelConfig): string {
  if (typeof model === 'string') return model;
  if (typeof model === 'object' && model !== null) {
    const { modelId, id } = model as { modelId?: unknown; id?: unknown };
    if (typeof modelId === 'string') return modelId;
    if (typeof id === 'string') return id;
  }
  return 'model';
}

interface Failure {
  message: string;
  status?: number;
  headers?: Record<string, string>;
}

function failureOf(error: unknown): Failure {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const { statusCode, responseHeaders } = each as { statusCode?: number; responseHeaders?: Record<string, string> };
    if (statusCode !== undefined)
      return {
        message: `${statusCode} ${each.message}`,
        status: statusCode,
        ...(responseHeaders && { headers: responseHeaders }),
      };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}

/** The request itself was refused; 408, 409 and 429 pass. */
function isClientError(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && ![408, 409, 429].includes(status);
}
