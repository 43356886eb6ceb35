import type { Decision } from '../../src/server/api.js';

/** What a thread looks like to its reader. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly status: 'idle' | 'running' | 'waiting';
  /** Why the last run ended other than with an answer. */
  readonly notice?: RunNotice | undefined;
  /** The message that the run is writing. */
  readonly writing?: string | undefined;
  /** Messages that the stream has begun to tell; what was stored of them is replaced. */
  readonly told: ReadonlySet<string>;
}

export interface RunNotice {
  readonly kind: 'error' | 'info';
  readonly text: string;
  /** A person has stopped the run. */
  readonly isStopped?: boolean;
  /** The run can go on with another message. */
  readonly isUnfinished?: boolean;
}

/** What the person said last. */
export function lastTask({ messages }: Conversation): string | undefined {
  return messages.findLast(message => message.role === 'user')?.text;
}

export type Message = UserMessage | AssistantMessage;

interface UserMessage {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly id: string;
  readonly parts: readonly Part[];
}

export type Part = TextPart | ToolPart;

export interface TextPart {
  readonly kind: 'text' | 'reasoning' | 'error';
  readonly id: string;
  readonly text: string;
}

export type ToolState = 'preparing' | 'running' | 'approval' | 'question' | 'done' | 'failed' | 'denied' | 'stopped';

export interface ToolPart {
  readonly kind: 'tool';
  readonly id: string;
  readonly tool: string;
  readonly state: ToolState;
  readonly input?: unknown;
  readonly result?: unknown;
  /** What the model reads of the result. */
  readonly text?: string | undefined;
  readonly question?: Question | undefined;
  /** What the person said to the question, or why they declined. */
  readonly answer?: string | undefined;
}

export interface Question {
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description?: string | undefined }[];
}

export const EMPTY: Conversation = { messages: [], status: 'idle', told: new Set() };

/** The id of a message until the server has told its own. */
const SENDING = 'sending';

/** Shows what a person has sent before the server tells of it. */
export function withSent(conversation: Conversation, text: string): Conversation {
  const { messages } = withoutSent(conversation);
  const sent: UserMessage = { role: 'user', id: SENDING, text };
  return { ...conversation, status: 'running', notice: undefined, messages: [...messages, sent] };
}

/** Without a message that the server has not told of: it did not arrive, or is told now. */
export function withoutSent(conversation: Conversation): Conversation {
  return { ...conversation, messages: conversation.messages.filter(({ id }) => id !== SENDING) };
}

/** A call that was decided waits no longer, before the run tells of it. */
export function withDecision(conversation: Conversation, decision: Decision): Conversation {
  const decided = withTool(conversation, decision.toolCallId, part => ({ ...part, ...afterDecision(decision) }));
  return { ...decided, status: 'running' };
}

function afterDecision(decision: Decision): Pick<ToolPart, 'state' | 'answer'> {
  if (decision.kind === 'question') return { state: 'running', answer: decision.answer };
  if (decision.approved) return { state: 'running' };
  return { state: 'denied', answer: decision.reason };
}

/** The call that waits for a person. */
export function pendingCall({ messages, status }: Conversation): ToolPart | undefined {
  if (status !== 'waiting') return undefined;
  return toolParts(messages).findLast(part => part.state === 'approval' || part.state === 'question');
}

export function toolParts(messages: readonly Message[]): ToolPart[] {
  return messages.flatMap(message =>
    message.role === 'assistant' ? message.parts.filter(part => part.kind === 'tool') : [],
  );
}

/** Changes a tool call wherever it stands; a run that was resumed tells of calls in an earlier message. */
export function withTool(conversation: Conversation, id: string, change: (part: ToolPart) => ToolPart): Conversation {
  return {
    ...conversation,
    messages: conversation.messages.map(message =>
      message.role === 'assistant' && message.parts.some(part => part.kind === 'tool' && part.id === id)
        ? {
            ...message,
            parts: message.parts.map(part => (part.kind === 'tool' && part.id === id ? change(part) : part)),
          }
        : message,
    ),
  };
}

/** Changes the parts of the message that is being written, which comes into being with its first part. */
export function withParts(
  conversation: Conversation,
  change: (parts: readonly Part[]) => readonly Part[],
): Conversation {
  const { messages, writing = 'answer', told } = conversation;
  const kept = told.has(writing) ? messages : messages.filter(message => message.id !== writing);
  const current = kept.find(message => message.id === writing);
  const parts = change(current?.role === 'assistant' ? current.parts : []);
  const written: AssistantMessage = { role: 'assistant', id: writing, parts };
  return {
    ...conversation,
    told: new Set([...told, writing]),
    messages: current ? kept.map(message => (message === current ? written : message)) : [...kept, written],
  };
}
