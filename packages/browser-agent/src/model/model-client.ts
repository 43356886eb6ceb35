import { setTimeout as pause } from 'node:timers/promises';
import { unlessAborted } from '@browser-toolset/core/waiting';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { ProcessInputStepArgs } from '@mastra/core/processors';
import type { JsonSchema } from '../actions/action.js';
import type { Picture } from '../browser/browser-tools.js';
import { InvalidAnswer } from './invalid-answer.js';
import { isUnclosed, withoutThinking } from './parse-json.js';
import { type Family, familyOf, type Way } from './providers.js';
import { inDialect } from './schema-dialects.js';
import { type AnswerPart, FormIgnored, NotStreamed, type SentForm, sending } from './sent-form.js';
import { addTokens, type ModelPrice, type TokenUsage, withCost } from './token-usage.js';

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

/** A model, or a list of fallbacks, tried in order. */
export type AgentModel = MastraModelConfig | readonly MastraModelConfig[];

interface ModelQuestion {
  system: string;
  text: string;
  pictures?: readonly Picture[];
  /** The form of the answer; text when left out. */
  schema?: JsonSchema;
  /** The same, where the prompt says of the form what the schema leaves out. */
  inPrompt?: FormInPrompt;
  /** Told of the answer as it comes, where it is streamed for that. */
  onPart?: (part: AnswerPart, text: string) => void;
  signal: AbortSignal;
}

/** The form of an answer that stands in the system prompt. */
export interface FormInPrompt {
  system: string;
  schema: JsonSchema;
  /** It takes so much less than the whole schema that it is right for those who heed schemas, too. */
  isShorter: boolean;
}

interface ModelAnswer {
  given: string;
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

  /** @param isLockedOut Each model refused the key (401): no later question can fare better. */
  constructor(
    message: string,
    readonly isLockedOut = false,
  ) {
    super(message);
  }
}

/** One model. It can be shared, so that no run asks for what its provider refused before. */
export interface ModelSource {
  readonly agent: Agent;
  readonly id: string;
  /** Ways that its provider did not refuse; undefined before the first answer. */
  ways?: readonly Way[];
  /** Nothing came when it was asked for a stream. */
  isStreamless?: boolean;
}

const CUT =
  'the answer was cut off before its end, and nothing of it was used. Write less: fewer actions, and long texts in several steps';

interface Asking {
  family: Family;
  /** Those that the provider has not refused. */
  ways: readonly Way[];
  /** Tokens of the answer; as many as the provider gives when left out. */
  room?: number;
}

/** Asks models through Mastra: whatever a Mastra agent takes as its model can be asked. */
export class ModelClient {
  constructor(
    readonly sources: readonly ModelSource[],
    readonly options: ModelClientOptions,
  ) {}

  /**
   * @throws {ModelFailure} when no model answers.
   * @throws {InvalidAnswer} when the answer is cut off, a second time and with more room.
   * @throws The reason of the signal when that is aborted.
   */
  async ask(question: ModelQuestion): Promise<ModelAnswer> {
    const failures: string[] = [];
    let isLockedOut = this.sources.length > 0;
    for (const source of this.sources) {
      let last: number | undefined;
      let ways: readonly Way[] | undefined;
      for (let attempt = 0; attempt <= this.options.maxRetries; attempt++) {
        question.signal.throwIfAborted();
        try {
          const family = familyOf(await source.agent.getModel());
          ways ??= (source.ways ?? family.ways).filter(way => canSay(way, question, family));
          return await this.#whole(source, { family, ways }, question);
        } catch (error) {
          question.signal.throwIfAborted();
          if (error instanceof InvalidAnswer) throw error;
          const { message, status, headers, isOfForm, isStreamless } = failureOf(error);
          last = status;
          if (isStreamless && !source.isStreamless) {
            // Some servers answer at once, whatever they are asked for.
            source.isStreamless = true;
            attempt--;
            continue;
          }
          if (isOfForm && question.schema !== undefined && ways !== undefined && ways.length > 1) {
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
      isLockedOut &&= last === 401;
    }
    throw new ModelFailure(failures.at(-1) ?? 'no model was given', isLockedOut);
  }

  /** An answer that is cut off is asked for again, once. */
  async #whole(source: ModelSource, asking: Asking, question: ModelQuestion): Promise<ModelAnswer> {
    const first = await this.#once(source, asking, question);
    if (!first.isCut) return first;
    this.options.onRetry?.({ model: source.id, error: 'the answer was cut off', delay: 0 });
    const room = Math.max(asking.family.room, 2 * first.usage.output);
    const second = await this.#once(source, { ...asking, room }, question).catch(error => {
      // A model that cannot write more than it did refuses to be asked for more.
      if (isClientError(failureOf(error).status)) return undefined;
      throw error;
    });
    const usage = second === undefined ? first.usage : addTokens(first.usage, second.usage);
    if (second === undefined || second.isCut) throw new InvalidAnswer(CUT, { usage, model: first.model });
    return { ...second, usage };
  }

  async #once(
    source: ModelSource,
    { family, ways, room }: Asking,
    question: ModelQuestion,
  ): Promise<ModelAnswer & { isCut: boolean }> {
    const { agent, id } = source;
    const { text, pictures = [], signal } = question;
    const { system, ...asked } = formOf(question, family, ways[0] ?? 'text');
    const { onPart } = question;
    const isStreamed = onPart !== undefined && !source.isStreamless;
    const form = isStreamed ? { ...asked, onPart } : asked;
    const content = [
      { type: 'text' as const, text },
      ...pictures.map(({ data, mediaType }) => ({ type: 'image' as const, image: data, mimeType: mediaType })),
    ];
    const timeout = AbortSignal.timeout(this.options.timeout);
    const both = AbortSignal.any([signal, timeout]);
    const options = {
      instructions: system,
      maxSteps: 1,
      modelSettings: { maxRetries: 0, ...(room !== undefined && { maxOutputTokens: room }) },
      abortSignal: both,
      inputProcessors: [
        {
          id: 'browser-agent-form',
          processInputStep: ({ model }: ProcessInputStepArgs) => ({ model: sending(model, form) }),
        },
      ],
    };
    const messages = [{ role: 'user' as const, content }];
    const answering = isStreamed
      ? agent.stream(messages, options).then(output => output.getFullOutput())
      : agent.generate(messages, options);
    // A provider that does not heed the signal is not waited for.
    const answer = await unlessAborted(answering, both);
    if (answer.error !== undefined) throw answer.error;
    if (question.schema !== undefined) source.ways = ways;
    const { inputTokens = 0, outputTokens = 0, cachedInputTokens } = answer.usage ?? {};
    const usage = {
      input: inputTokens,
      output: outputTokens,
      ...(cachedInputTokens !== undefined && { cached: cachedInputTokens }),
    };
    const model = answer.response?.modelId ?? id;
    const { prices = {} } = this.options;
    if (answer.finishReason === 'content-filter') throw new Error('the provider withheld the answer (content filter)');
    const given = question.schema === undefined ? withoutThinking(answer.text) : answer.text;
    const isOpen = given === undefined || (question.schema !== undefined && isUnclosed(given));
    return {
      given: given ?? '',
      usage: withCost(usage, prices[id] ?? prices[model]),
      model,
      isCut: isOpen || answer.finishReason === 'length',
    };
  }
}

/** Google takes no objects of which it does not know the properties, as those are that the prompt describes. */
function canSay(way: Way, { inPrompt }: ModelQuestion, { dialect }: Family): boolean {
  return way !== 'schema' || dialect !== 'openapi' || !inPrompt?.isShorter;
}

/** The prompt, and what goes with it. */
function formOf(question: ModelQuestion, family: Family, wanted: Way): SentForm & { system: string } {
  const { system, schema, inPrompt } = question;
  if (schema === undefined) return { system, way: 'text' };
  const { dialect, heedsSchemas } = family;
  const isSent = wanted === 'schema' || wanted === 'tool';
  if (inPrompt === undefined || (isSent && heedsSchemas && !inPrompt.isShorter)) {
    const sent = isSent && { schema: inDialect(schema, dialect) };
    return { system, way: wanted, ...sent, ...(dialect === 'strict' && { isStrict: true }) };
  }
  const outline = inDialect(inPrompt.schema, 'plain');
  return { system: inPrompt.system, way: wanted, ...(isSent && { schema: outline, isStrict: false }) };
}

export function sourcesOf(models: AgentModel): ModelSource[] {
  const list = (Array.isArray(models) ? models : [models]) as MastraModelConfig[];
  return list.map((model, i) => ({ agent: agentFor(model, i), id: modelName(model) }));
}

/** Statuses by which providers refuse a form of answer. It was the form if another one then works. */
const FORM_REFUSED = new Set<number | undefined>([400, 404, 415, 422]);

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
  /** The form of the answer may be what was refused. */
  isOfForm: boolean;
  /** No stream came where one was asked for. */
  isStreamless?: true;
}

function failureOf(error: unknown): Failure {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof FormIgnored) return { message: each.message, isOfForm: true };
    if (each instanceof NotStreamed) return { message: each.message, isOfForm: false, isStreamless: true };
    const { statusCode, responseHeaders } = each as { statusCode?: number; responseHeaders?: Record<string, string> };
    if (statusCode !== undefined)
      return {
        message: `${statusCode} ${each.message}`,
        status: statusCode,
        isOfForm: FORM_REFUSED.has(statusCode),
        ...(responseHeaders && { headers: responseHeaders }),
      };
  }
  return { message: error instanceof Error ? error.message : String(error), isOfForm: false };
}

/** The request itself was refused; 408, 409 and 429 pass. */
function isClientError(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && ![408, 409, 429].includes(status);
}
