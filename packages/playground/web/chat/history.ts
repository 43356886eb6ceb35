import type { WaitingCall } from '../../src/server/api.js';
import type { StoredMessage, StoredPart } from '../api/mastra.js';
import { questionOf, resultOf, STOPPED, sentenceOf, stopOpenCalls } from './chunks.js';
import { type Conversation, EMPTY, type Message, type Part, type RunNotice, withTool } from './conversation.js';

/** A thread as it is stored, with the calls that wait for a person, and whether its last run was stopped by one. */
export function conversationOf(
  stored: readonly StoredMessage[],
  waiting: readonly WaitingCall[],
  isStopped: boolean,
): Conversation {
  const messages = stored.flatMap(storedMessages);
  const atRest = stopOpenCalls({ ...EMPTY, messages });
  if (waiting.length > 0) return waiting.reduce(awaiting, atRest);
  if (!isUnfinished(atRest.messages)) return atRest;
  return { ...atRest, notice: isStopped ? STOPPED : UNFINISHED };
}

const UNFINISHED: RunNotice = { kind: 'info', text: 'The last run did not come to its end.', isUnfinished: true };

/** Whether the last thing that is stored is what a person said, or a call: an agent ends with what it says. */
function isUnfinished(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return last !== undefined;
  return last.parts.at(-1)?.kind === 'tool';
}

function awaiting(conversation: Conversation, call: WaitingCall): Conversation {
  const waiting = call.kind === 'approval' ? { state: 'approval' as const } : questionOf(call.suspendPayload);
  const told = withTool(conversation, call.toolCallId, part => ({ ...part, ...waiting }));
  return { ...told, status: 'waiting' };
}

function storedMessages({ id, role, type, content }: StoredMessage): Message[] {
  if (role === 'assistant') return [{ role, id, parts: content.parts.flatMap(partOf) }];
  // Mastra stores what a user says as a signal, and other signals beside it, such as the state of the browser.
  if (role !== 'user' && !(role === 'signal' && type === 'user')) return [];
  return [{ role: 'user', id, text: content.parts.map(part => part.text ?? '').join('\n') }];
}

function partOf({ type, text, reasoning, error, toolInvocation: call, providerMetadata }: StoredPart): Part[] {
  if (type === 'text' && text) return [{ kind: 'text', id: '', text }];
  if (type === 'reasoning' && reasoning) return [{ kind: 'reasoning', id: '', text: reasoning }];
  if (type === 'error') return [{ kind: 'error', id: '', text: sentenceOf(error) }];
  if (!call) return [];
  const base = { kind: 'tool' as const, id: call.toolCallId, tool: call.toolName, input: call.args };
  switch (call.state) {
    case 'result':
      return [{ ...base, ...resultOf(call.result, providerMetadata) }];
    case 'output-error':
      return [{ ...base, state: 'failed', text: call.errorText }];
    case 'output-denied':
      return [{ ...base, state: 'denied' }];
    default:
      return [{ ...base, state: 'running' }];
  }
}
