import { memo, useMemo, useRef } from 'react';
import type { ActionSummary, Decision } from '../../src/server/api.js';
import { ThreadElements } from '../../src/server/element-names.js';
import { Notice } from '../layout/notices.js';
import { type AssistantMessage, type Conversation, type Message, type ToolPart, toolParts } from './conversation.js';
import { Markdown } from './markdown.js';
import { ToolCall } from './tool-call.js';
import type { PendingPreview } from './use-preview.js';
import { useStickToEnd } from './use-stick-to-end.js';

interface MessageListProps {
  readonly conversation: Conversation;
  readonly threadId: string;
  readonly actions: ReadonlyMap<string, ActionSummary>;
  readonly onDecide: (decision: Decision) => void;
  /** What the call that waits for approval is about to do. */
  readonly pending: PendingPreview | undefined;
}

export function MessageList({ conversation, ...rest }: MessageListProps) {
  const { messages, status } = conversation;
  const list = useRef<HTMLOListElement>(null);
  const elements = useElements(messages, rest.threadId);
  useStickToEnd(list, messages.findLast(({ role }) => role === 'user')?.id);
  return (
    <ol ref={list} className="messages" aria-label="Conversation" aria-busy={status === 'running'}>
      {messages.map(message => (
        <li key={message.id} className={`message ${message.role}`}>
          <MessageBody message={message} elements={elements} {...rest} />
        </li>
      ))}
    </ol>
  );
}

/** What the agent has read of elements, so far as the messages tell. */
function useElements(messages: readonly Message[], threadId: string): ThreadElements {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each thread has its own refs
  const { elements, read } = useMemo(
    () => ({ elements: new ThreadElements(), read: new WeakSet<ToolPart>() }),
    [threadId],
  );
  for (const part of toolParts(messages)) {
    if (read.has(part)) continue;
    read.add(part);
    elements.learn(part.text ?? '');
    elements.learnHidden(part.input, part.result);
  }
  return elements;
}

interface MessageBodyProps extends Omit<MessageListProps, 'conversation'> {
  readonly elements: ThreadElements;
  readonly message: Message;
}

const MessageBody = memo(function MessageBody({ message, ...rest }: MessageBodyProps) {
  if (message.role === 'user') return <p className="said">{message.text}</p>;
  return <Answer message={message} {...rest} />;
});

interface AnswerProps extends Omit<MessageBodyProps, 'message'> {
  readonly message: AssistantMessage;
}

function Answer({ message, threadId, actions, elements, onDecide, pending }: AnswerProps) {
  return message.parts.map((part, index) => {
    const key = `${part.kind} ${part.id} ${index}`;
    if (part.kind === 'tool') {
      const ofThis = pending?.toolCallId === part.id ? pending : undefined;
      const about = { part, threadId, pending: ofThis, elements, onDecide, action: actions.get(part.id) };
      return <ToolCall key={key} {...about} />;
    }
    if (part.kind === 'text') return <Markdown key={key} text={part.text} />;
    if (part.kind === 'error') return <Notice key={key} kind="error" text={part.text} />;
    return (
      <details key={key} className="reasoning">
        <summary>Reasoning</summary>
        <p>{part.text}</p>
      </details>
    );
  });
}
