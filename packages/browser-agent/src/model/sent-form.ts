import type { JsonSchema } from '../actions/action.js';
import type { Way } from './providers.js';

/** The form of an answer, as it goes to the provider. */
export interface SentForm {
  way: Way;
  /** For the ways that send one. */
  schema?: JsonSchema;
  /** Whether the provider is to hold the model to every word of the schema; left out where it has no word for that. */
  isStrict?: boolean;
  /** Told of the answer as it comes. */
  onPart?: (part: AnswerPart, text: string) => void;
}

/** What a piece of a streamed answer belongs to. */
export type AnswerPart = 'thoughts' | 'answer';

/** The provider leaves out the form without refusing the request. */
export class FormIgnored extends Error {
  override readonly name = 'FormIgnored';
}

/** The provider answers with something else than a stream. */
export class NotStreamed extends Error {
  override readonly name = 'NotStreamed';
}

const ANSWER_TOOL = 'answer';

/** A part of a model's stream, as far as it is looked at here. */
interface Part {
  type: string;
  id?: string;
  delta?: string;
  error?: unknown;
  toolName?: string;
  toolCallId?: string;
  input?: unknown;
  finishReason?: unknown;
  warnings?: readonly { feature?: string; setting?: string }[];
}

interface ModelCallOptions {
  providerOptions?: Record<string, Record<string, unknown>>;
}

interface Called {
  stream: ReadableStream<Part>;
}

type Call = (options: ModelCallOptions) => PromiseLike<Called>;

/**
 * A model that is sent the form as it is, and answers with text whichever way it was asked. Mastra's own ways rewrite a schema by
 * provider: optional fields become required ones that cannot be null. What comes after this is the provider's own package.
 */
export function sending<Model extends object>(model: Model, form: SentForm): Model {
  return new Proxy(model, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      if (key !== 'doGenerate' && key !== 'doStream') return value.bind(target);
      const call = value.bind(target) as Call;
      return async (options: ModelCallOptions) => {
        const called = await call({ ...options, ...sentOptions(options, form) });
        const heard = key === 'doStream' ? form.onPart : undefined;
        return Object.assign(called, { stream: called.stream.pipeThrough(asText(form.way, heard)) });
      };
    },
  });
}

function sentOptions({ providerOptions = {} }: ModelCallOptions, { way, schema, isStrict }: SentForm): object {
  if (way === 'text') return {};
  if (way === 'tool') {
    const tool = {
      type: 'function',
      name: ANSWER_TOOL,
      description: 'Give the answer',
      inputSchema: schema,
      ...(isStrict !== undefined && { strict: isStrict }),
    };
    return { tools: [tool], toolChoice: { type: 'tool', toolName: ANSWER_TOOL } };
  }
  // The names by which the packages of providers know the same option.
  const strict = Object.fromEntries(
    ['openai', 'openaiCompatible', 'azure', 'groq'].map(name => [
      name,
      { ...providerOptions[name], strictJsonSchema: isStrict === true },
    ]),
  );
  return {
    responseFormat: { type: 'json', name: ANSWER_TOOL, ...(way === 'schema' && { schema }) },
    providerOptions: { ...providerOptions, ...strict },
  };
}

/** The input of the tool is the answer, and other words beside it are none. */
function asText(way: Way, onPart: SentForm['onPart']) {
  let answering: string | undefined;
  let isWritten = false;
  let isFinished = false;
  let isEmpty = true;
  const said: Part[] = [];
  return new TransformStream<Part, Part>({
    transform(part, controller) {
      const { type, id, delta = '' } = part;
      const write = (written: Part): void => controller.enqueue(written);
      isEmpty &&= NO_WORDS.has(type);
      if (type === 'stream-start' && way === 'schema' && part.warnings?.some(isOfForm))
        return fail(controller, new FormIgnored('the provider does not know schemas'));
      if (type === 'reasoning-delta') onPart?.('thoughts', delta);
      if (type.startsWith('text-')) {
        if (way === 'tool') return void said.push(part);
        if (type === 'text-delta') onPart?.('answer', delta);
        return write(part);
      }
      if (type === 'tool-input-start') {
        if (part.toolName !== ANSWER_TOOL || answering !== undefined || id === undefined) return;
        answering = id;
        return write({ type: 'text-start', id });
      }
      if (type === 'tool-input-delta' || type === 'tool-input-end') {
        if (id === undefined || id !== answering) return;
        if (type === 'tool-input-end') return write({ type: 'text-end', id });
        isWritten ||= delta !== '';
        onPart?.('answer', delta);
        return write({ type: 'text-delta', id, delta });
      }
      if (type === 'tool-call') {
        const { toolCallId, toolName, input } = part;
        if (toolName !== ANSWER_TOOL || toolCallId === undefined || isWritten) return;
        if (answering !== undefined && answering !== toolCallId) return;
        // Some packages tell only of the whole call.
        const text = typeof input === 'string' ? input : JSON.stringify(input);
        const isOpen = answering === toolCallId;
        answering = toolCallId;
        isWritten = true;
        onPart?.('answer', text);
        const own = isOpen ? `${toolCallId}-whole` : toolCallId;
        write({ type: 'text-start', id: own });
        write({ type: 'text-delta', id: own, delta: text });
        return write({ type: 'text-end', id: own });
      }
      if (type === 'error') isFinished = true;
      if (type !== 'finish') return write(part);
      if (isEmpty && onPart !== undefined && isUnsaid(part.finishReason))
        return fail(controller, new NotStreamed('no stream came'));
      isFinished = true;
      if (!isWritten) for (const each of said) write(each);
      write({ ...part, finishReason: withoutCalls(part.finishReason) });
    },
    flush(controller) {
      if (!isFinished) fail(controller, new Error('the answer broke off'));
    },
  });
}

/** The call fails with this. A stream that is broken would be told on the console as well. */
function fail(controller: TransformStreamDefaultController<Part>, error: Error): void {
  controller.enqueue({ type: 'error', error });
  controller.terminate();
}

/** What comes of any answer. */
const NO_WORDS = new Set(['stream-start', 'response-metadata', 'raw', 'finish']);

/** Nobody told why it ended. */
function isUnsaid(reason: unknown): boolean {
  const { unified } = (typeof reason === 'object' && reason !== null ? reason : { unified: reason }) as {
    unified?: unknown;
  };
  return unified === undefined || unified === 'other' || unified === 'unknown';
}

function isOfForm({ feature, setting }: { feature?: string; setting?: string }): boolean {
  return feature === 'responseFormat' || setting === 'responseFormat';
}

/** Nothing is left to be called. */
function withoutCalls(reason: unknown): unknown {
  if (reason === 'tool-calls') return 'stop';
  if (typeof reason !== 'object' || reason === null) return reason;
  const { unified } = reason as { unified?: unknown };
  return unified === 'tool-calls' ? { ...reason, unified: 'stop' } : reason;
}
