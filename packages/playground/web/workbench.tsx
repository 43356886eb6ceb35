import { useCallback, useMemo, useState } from 'react';
import type { StudioAgent, StudioState, ToolInfo } from '../src/server/api.js';
import { messageOf } from './api/json.js';
import { createThread, renameThread, sendMessage, type Thread, type ThreadKey } from './api/mastra.js';
import { Chat } from './chat/chat.js';
import { toolParts } from './chat/conversation.js';
import { type ConversationView, useConversation } from './chat/use-conversation.js';
import type { Send } from './chat/use-run-controls.js';
import { Columns } from './layout/columns.js';
import { openThread } from './layout/route.js';
import { Sidebar } from './layout/sidebar.js';
import { SidePanel } from './side-panel.js';
import { ThreadList } from './threads/thread-list.js';
import { titleOf } from './threads/title.js';
import { useThreads } from './threads/use-threads.js';
import { useActions } from './timeline/use-actions.js';

export interface WorkbenchProps {
  readonly state: StudioState;
  readonly tools: readonly ToolInfo[];
  readonly agent: StudioAgent;
  readonly threadId: string;
  /** The server is back. */
  readonly onReconnect: () => void;
}

/** One thread: threads at the left, the chat, and at the right what its browser does. */
export function Workbench({ state, tools, agent, threadId, onReconnect }: WorkbenchProps) {
  const key = useMemo<ThreadKey>(() => ({ agentId: agent.id, threadId }), [agent.id, threadId]);
  const threads = useThreads(agent.id);
  const view = useConversation(key, onReconnect);
  const { messages, status } = view.conversation;
  // Each call that starts or ends, and each end of a run, is a reason to look.
  const actions = useActions(
    threadId,
    toolParts(messages)
      .map(part => part.state)
      .join() + status,
  );
  const [failure, setFailure] = useState<string>();
  const thread = threads.all?.find(({ id }) => id === threadId);
  const send = useSend(key, { thread, view, onSent: threads.refresh });
  const keep = useCallback(async () => {
    if (thread) return;
    await createThread(key, TOOLS_BY_HAND);
    threads.refresh();
  }, [key, thread, threads.refresh]);
  return (
    <Columns
      left={
        <Sidebar state={state} agent={agent} onOpen={openThread}>
          <ThreadList {...{ threadId, threads }} agentId={agent.id} onOpen={openThread} onFailure={setFailure} />
        </Sidebar>
      }
      middle={
        <Chat
          key={threadId}
          {...{ state, agent, view, failure }}
          threadKey={key}
          title={thread?.title || 'New thread'}
          actions={actions.all}
          onSend={send}
        />
      }
      right={<SidePanel threadKey={key} tools={tools} actions={actions} onUse={keep} />}
    />
  );
}

const TOOLS_BY_HAND = 'Tools by hand';

interface Sending {
  /** As it is stored, if it is. */
  readonly thread: Thread | undefined;
  readonly view: ConversationView;
  readonly onSent: () => void;
}

/** Sends a message; a thread is called after its first one. */
function useSend(key: ThreadKey, { thread, view: { expectRun, fail }, onSent }: Sending): Send {
  const title = thread?.title;
  const isStored = thread !== undefined;
  return useCallback(
    async (text, options) => {
      expectRun();
      try {
        if (!isStored) await createThread(key, titleOf(text));
        else if (!title || title === TOOLS_BY_HAND) await renameThread(key, titleOf(text));
        await sendMessage(key, text, options);
        onSent();
      } catch (error) {
        fail(messageOf(error));
        throw error;
      }
    },
    [key, title, isStored, onSent, expectRun, fail],
  );
}
