import { z } from 'zod';
import { readingOf } from '../../src/demo/model-output.js';
import {
  type Conversation,
  type Question,
  type RunNotice,
  type TextPart,
  type ToolPart,
  withoutSent,
  withParts,
  withTool,
} from './conversation.js';

const text = z.object({ id: z.string(), text: z.string().catch('') });
const call = z.object({ toolCallId: z.string(), toolName: z.string(), args: z.unknown().optional() });
const message = z.object({ messageId: z.string().optional() });

const question = z.object({
  question: z.string(),
  options: z
    .array(z.object({ label: z.string(), description: z.string().optional().catch(undefined) }))
    .optional()
    .catch(undefined),
});

const metadata = z.object({ mastra: z.object({ modelOutput: z.unknown().optional() }) });
const envelope = z.object({ type: z.string(), payload: z.unknown().optional(), data: z.unknown().optional() });

type Apply = (conversation: Conversation, payload: unknown) => Conversation;

/** Reads what Mastra's agents stream, by the type of the chunk. Types that are not here change nothing that is shown. */
const CHUNKS: Record<string, Apply> = {
  start: reads(message, (conversation, { messageId }) => ({
    ...conversation,
    status: 'running',
    notice: undefined,
    told: new Set(),
    writing: messageId,
  })),
  'step-start': reads(message, (conversation, { messageId }) => ({
    ...conversation,
    status: 'running',
    writing: messageId ?? conversation.writing,
  })),
  'text-start': reads(text, (conversation, { id }) => addText(conversation, 'text', { id, text: '' })),
  'text-delta': reads(text, (conversation, { id, text: delta }) => extend(conversation, id, delta)),
  'reasoning-start': reads(text, (conversation, { id }) => addText(conversation, 'reasoning', { id, text: '' })),
  'reasoning-delta': reads(text, (conversation, { id, text: delta }) => extend(conversation, id, delta)),
  'tool-call-input-streaming-start': reads(call, (conversation, { toolCallId, toolName }) =>
    putTool(conversation, { id: toolCallId, tool: toolName, state: 'preparing' }),
  ),
  'tool-call': reads(call, (conversation, { toolCallId, toolName, args }) =>
    putTool(conversation, { id: toolCallId, tool: toolName, state: 'running', input: args }),
  ),
  'tool-result': reads(
    call.extend({ result: z.unknown().optional(), providerMetadata: z.unknown().optional() }),
    (conversation, { toolCallId, result, providerMetadata }) =>
      withTool(running(conversation), toolCallId, part => ({ ...part, ...resultOf(result, providerMetadata) })),
  ),
  'tool-error': reads(call.extend({ error: z.unknown().optional() }), (conversation, { toolCallId, error }) =>
    withTool(running(conversation), toolCallId, part => ({ ...part, state: 'failed', text: sentenceOf(error) })),
  ),
  'tool-output-denied': reads(call, (conversation, { toolCallId }) =>
    withTool(running(conversation), toolCallId, part => ({ ...part, state: 'denied' })),
  ),
  'tool-call-approval': reads(call, (conversation, { toolCallId }) =>
    withTool(waiting(conversation), toolCallId, part => ({ ...part, state: 'approval' })),
  ),
  'tool-call-suspended': reads(
    call.extend({ suspendPayload: z.unknown().optional() }),
    (conversation, { toolCallId, suspendPayload }) =>
      withTool(waiting(conversation), toolCallId, part => ({ ...part, ...questionOf(suspendPayload) })),
  ),
  finish: reads(z.object({ stepResult: z.object({ reason: z.string() }) }), (conversation, { stepResult }) =>
    stepResult.reason === 'suspended' ? waiting(conversation) : ended(conversation, ENDINGS[stepResult.reason]),
  ),
  abort: conversation => ended(conversation, STOPPED),
  error: reads(z.object({ error: z.unknown().optional() }), (conversation, { error }) =>
    ended(addText(conversation, 'error', { id: '', text: sentenceOf(error) }), undefined),
  ),
  tripwire: reads(z.object({ reason: z.string() }), (conversation, { reason }) =>
    ended(conversation, { kind: 'error', text: reason }),
  ),
};

/** A person has stopped the run. */
export const STOPPED: RunNotice = { kind: 'info', text: 'Stopped by you.', isStopped: true, isUnfinished: true };

/** How a run can end without an answer. */
const ENDINGS: Record<string, Conversation['notice']> = {
  'tool-calls': { kind: 'info', text: 'The run reached its step limit. Say “go on” to continue.' },
  length: { kind: 'info', text: 'The answer reached the length limit of the model.' },
  error: { kind: 'error', text: 'The model failed.' },
};

const userMessage = z.object({ id: z.string(), type: z.literal('user'), contents: z.string() });

/** Applies one chunk of an agent's stream. */
export function apply(conversation: Conversation, chunk: unknown): Conversation {
  const { data } = envelope.safeParse(chunk);
  if (!data) return conversation;
  if (data.type === 'data-user-message') return withUserMessage(conversation, data.data);
  const change = Object.hasOwn(CHUNKS, data.type) ? CHUNKS[data.type] : undefined;
  return change?.(conversation, data.payload) ?? conversation;
}

function withUserMessage(conversation: Conversation, value: unknown): Conversation {
  const { data } = userMessage.safeParse(value);
  if (!data || conversation.messages.some(({ id }) => id === data.id)) return conversation;
  const said = { role: 'user' as const, id: data.id, text: data.contents };
  const { messages } = withoutSent(conversation);
  return { ...conversation, messages: [...messages, said] };
}

function reads<Schema extends z.ZodType>(
  schema: Schema,
  change: (conversation: Conversation, payload: z.output<Schema>) => Conversation,
): Apply {
  return (conversation, payload) => {
    const parsed = schema.safeParse(payload);
    return parsed.success ? change(conversation, parsed.data) : conversation;
  };
}

export function resultOf(result: unknown, providerMetadata: unknown): Pick<ToolPart, 'state' | 'result' | 'text'> {
  const isFailure = z.object({ success: z.literal(false) }).safeParse(result).success;
  const { data } = metadata.safeParse(providerMetadata);
  return {
    state: isFailure ? 'failed' : 'done',
    result,
    text: readingOf(data?.mastra.modelOutput, result).read,
  };
}

export function questionOf(payload: unknown): { state: 'question'; question: Question } {
  const { data } = question.safeParse(payload);
  return {
    state: 'question',
    question: { question: data?.question ?? 'The agent is waiting for you.', options: data?.options ?? [] },
  };
}

function addText(conversation: Conversation, kind: TextPart['kind'], part: Omit<TextPart, 'kind'>): Conversation {
  return withParts(conversation, parts => [...parts, { kind, ...part }]);
}

/** Models use the same id again in later steps: the last one is meant. */
function extend(conversation: Conversation, id: string, delta: string): Conversation {
  return withParts(conversation, parts => {
    const index = parts.findLastIndex(part => part.kind !== 'tool' && part.id === id);
    return parts.map((part, at) =>
      at === index && part.kind !== 'tool' ? { ...part, text: part.text + delta } : part,
    );
  });
}

function putTool(conversation: Conversation, call: Omit<ToolPart, 'kind'>): Conversation {
  return withParts(conversation, parts => {
    const part = { kind: 'tool' as const, ...call };
    const isThere = parts.some(other => other.kind === 'tool' && other.id === call.id);
    return isThere
      ? parts.map(other => (other.id === call.id && other.kind === 'tool' ? part : other))
      : [...parts, part];
  });
}

const running = (conversation: Conversation): Conversation => ({ ...conversation, status: 'running' });
const waiting = (conversation: Conversation): Conversation => ({ ...conversation, status: 'waiting' });

function ended(conversation: Conversation, notice: Conversation['notice']): Conversation {
  return { ...stopOpenCalls(conversation), status: 'idle', notice, writing: undefined };
}

/** No run is going on: what did not end never will. */
export function stopOpenCalls(conversation: Conversation): Conversation {
  const messages = conversation.messages.map(said =>
    said.role === 'user' ? said : { ...said, parts: said.parts.map(part => (isOpen(part) ? stopped(part) : part)) },
  );
  return { ...conversation, messages };
}

const isOpen = (part: { kind: string; state?: string }) =>
  part.kind === 'tool' && ['preparing', 'running', 'approval', 'question'].includes(part.state ?? '');

function stopped<Part>(part: Part): Part & { state: 'stopped' } {
  return { ...part, state: 'stopped' };
}

const failure = z.object({ message: z.string(), responseBody: z.string().optional().catch(undefined) });

/** What went wrong; of a model's provider also what it said, which tells more than its status does. */
export function sentenceOf(error: unknown): string {
  const { data } = failure.safeParse(error);
  if (!data) return typeof error === 'string' ? error : JSON.stringify(error);
  const said = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(data.responseBody ?? '')?.[1];
  return said === undefined ? data.message : `${data.message}: ${JSON.parse(said)}`;
}
