import { useBrowserStream } from '@browser-toolset/playground-ui';
import { useCallback, useMemo, useState } from 'react';
import type { StudioAgent, StudioState, ToolInfo } from '../src/server/api.js';
import { messageOf } from './api/json.js';
import { createThread, renameThread, sendMessage, type Thread, type ThreadKey } from './api/mastra.js';
import { Chat } from './chat/chat.js';
import { pendingCall, toolParts } from './chat/conversation.js';
import { type ConversationView, useConversation } from './chat/use-conversation.js';
import { usePreview } from './chat/use-preview.js';
import type { Send } from './chat/use-run-controls.js';
import { usePageTitle } from './layout/activity.js';
import { chatActivity } from './layout/activity-now.js';
import { Columns } from './layout/columns.js';
import { useModelStatus } from './layout/model-status.js';
import { openThread } from './layout/route.js';
import { Sidebar } from './layout/sidebar.js';
import { LIVE_BASE, outlinesOf } from './live-view.js';
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
  const view = useConversation(key, onReconnect);
  const { messages, status } = view.conversation;
  // A run that waits or goes on may be another thread's when this one is looked at again.
  const threads = useThreads(agent.id, status);
  // Each call that starts or ends, and each end of a run, is a reason to look.
  const actions = useActions(
    threadId,
    toolParts(messages)
      .map(part => part.state)
      .join() + status,
  );
  const [failure, setFailure] = useState<string>();
  const stream = useBrowserStream({ ...key, baseUrl: LIVE_BASE });
  const { viewport, control, url } = stream.state;
  const preview = usePreview(key, pendingCall(view.conversation), JSON.stringify([viewport, control?.holder, url]));
  const thread = threads.all?.find(({ id }) => id === threadId);
  const activity = chatActivity(view.conversation, stream.state);
  const title = thread?.title || 'New thread';
  usePageTitle(title, activity);
  const send = useSend(key, { thread, view, hasModel: agent.model !== undefined, onSent: threads.refresh });
  const keep = useCallback(async () => {
    if (thread) return;
    await createThread(key, TOOLS_BY_HAND);
    threads.refresh();
  }, [key, thread, threads.refresh]);
  return (
    <Columns
      isWaiting={status === 'waiting'}
      left={
        <Sidebar state={state} agent={agent} onOpen={openThread}>
          <ThreadList
            {...{ threadId, threads, activity }}
            agentId={agent.id}
            onOpen={openThread}
            onFailure={setFailure}
          />
        </Sidebar>
      }
      middle={
        <Chat
          key={threadId}
          {...{ state, agent, view, failure, preview, activity }}
          threadKey={key}
          title={title}
          actions={actions.all}
          onSend={send}
        />
      }
      right={
        <SidePanel
          {...{ tools, actions, stream }}
          threadKey={key}
          outlines={outlinesOf(preview?.preview, preview?.current)}
          onUse={keep}
        />
      }
    />
  );
}

const TOOLS_BY_HAND = 'Tools by hand';

const NOT_SENT = 'Not sent: the model cannot be used, as said above.';

interface Sending {
  /** As it is stored, if it is. */
  readonly thread: Thread | undefined;
  readonly view: ConversationView;
  readonly hasModel: boolean;
  readonly onSent: () => void;
}

/** Sends a message; a thread is called after its first one. */
function useSend(key: ThreadKey, { thread, view: { sent, fail }, hasModel, onSent }: Sending): Send {
  const { problem, check } = useModelStatus();
  const isDoubtful = hasModel && problem !== undefined;
  const title = thread?.title;
  const isStored = thread !== undefined;
  return useCallback(
    async (text, options) => {
      sent(text);
      try {
        if (isDoubtful && (await check()) !== undefined) throw new Error(NOT_SENT);
        if (!isStored) await createThread(key, titleOf(text));
        else if (!title || title === TOOLS_BY_HAND) await renameThread(key, titleOf(text));
        await sendMessage(key, text, options);
        onSent();
      } catch (error) {
        fail(messageOf(error));
        throw error;
      }
    },
    [key, title, isStored, isDoubtful, check, onSent, sent, fail],
  );
}
