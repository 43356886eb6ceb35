import { useCallback } from 'react';
import { messageOf } from '../api/json.js';
import { type Decision, decide, type SendOptions, stopRun, type ThreadKey } from '../api/mastra.js';
import { pendingCall, type ToolPart } from './conversation.js';
import type { ConversationView } from './use-conversation.js';

export type Send = (text: string, options: SendOptions) => Promise<void>;

export interface ChatRunControls {
  /** The call that waits for a person. */
  readonly pending: ToolPart | undefined;
  readonly onDecide: (decision: Decision) => void;
  /** Sends a message, or answers the question that waits. Rejects when it did not arrive. */
  readonly submit: (text: string) => Promise<void>;
  readonly suggest: (prompt: string) => void;
  readonly stop: () => void;
}

/** A run that waits is not running: it is told that nobody goes along, and the agent says what it makes of that. */
function declinedDecision({ id, state }: ToolPart): Decision {
  if (state === 'approval') return { toolCallId: id, approved: false };
  return { toolCallId: id, approved: true, resumeData: 'I do not want to answer. Please stop here.' };
}

/** What a person can do to a run. What fails is shown in the conversation. */
export function useRunControls(
  key: ThreadKey,
  { conversation, fail }: ConversationView,
  onSend: (text: string) => Promise<void>,
): ChatRunControls {
  const pending = pendingCall(conversation);
  const attempt = useCallback(
    (what: () => Promise<void>) => void what().catch((error: unknown) => fail(messageOf(error))),
    [fail],
  );
  const onDecide = useCallback((decision: Decision) => attempt(() => decide(key, decision)), [attempt, key]);
  return {
    pending,
    onDecide,
    submit: text =>
      pending?.state === 'question'
        ? decide(key, { toolCallId: pending.id, approved: true, resumeData: text })
        : onSend(text),
    suggest: prompt => attempt(() => onSend(prompt)),
    stop: () => attempt(() => (pending ? decide(key, declinedDecision(pending)) : stopRun(key))),
  };
}
