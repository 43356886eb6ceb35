import { useCallback } from 'react';
import type { Decision } from '../../src/server/api.js';
import { decide, stopRun } from '../api/chat.js';
import { messageOf } from '../api/json.js';
import type { SendOptions, ThreadKey } from '../api/mastra.js';
import { pendingCall, type ToolPart } from './conversation.js';
import type { ConversationView } from './use-conversation.js';

export type Send = (text: string, options: SendOptions) => Promise<void>;

export interface ChatRunControls {
  /** The call that waits for a person. */
  readonly pending: ToolPart | undefined;
  readonly onDecide: (decision: Decision) => void;
  /** Sends a message, answers the question that waits, or declines the call that waits. Rejects when it did not arrive. */
  readonly submit: (text: string) => Promise<void>;
  readonly suggest: (prompt: string) => void;
  /** Answers the question that waits with a refusal. */
  readonly skip: () => void;
  readonly stop: () => void;
}

const UNANSWERED = 'I do not want to answer. Please stop here.';

/** What a text decides of the call that waits. */
function decisionIn({ id: toolCallId, state }: ToolPart, text: string): Decision {
  if (state === 'question') return { kind: 'question', toolCallId, answer: text };
  return { kind: 'approval', toolCallId, approved: false, reason: text };
}

/** What a person can do to a run. What fails is shown in the conversation. */
export function useRunControls(
  key: ThreadKey,
  { conversation, decided, fail }: ConversationView,
  onSend: (text: string) => Promise<void>,
): ChatRunControls {
  const pending = pendingCall(conversation);
  const attempt = useCallback(
    (what: () => Promise<void>) => void what().catch((error: unknown) => fail(messageOf(error))),
    [fail],
  );
  const give = useCallback(
    async (decision: Decision) => {
      await decide(key, decision);
      decided(decision);
    },
    [key, decided],
  );
  const onDecide = useCallback((decision: Decision) => attempt(() => give(decision)), [attempt, give]);
  return {
    pending,
    onDecide,
    submit: text => (pending ? give(decisionIn(pending, text)) : onSend(text)),
    suggest: prompt => attempt(() => onSend(prompt)),
    skip: () => pending && onDecide(decisionIn(pending, UNANSWERED)),
    stop: () => attempt(() => stopRun(key)),
  };
}
