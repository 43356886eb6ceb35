import { stopRun } from '../api/chat.js';
import { messageOf } from '../api/json.js';
import { deleteThread, type Thread } from '../api/mastra.js';
import { forgetThread } from '../api/playground.js';
import { ActivityMark } from '../layout/activity.js';
import type { Activity } from '../layout/activity-now.js';
import { formatRoute } from '../layout/route.js';
import { SidebarList, SidebarRow } from '../layout/sidebar.js';
import { shownDay } from '../timeline/numbers.js';
import type { Threads } from './use-threads.js';

interface ThreadListProps {
  readonly agentId: string;
  readonly threadId: string;
  readonly threads: Threads;
  /** Of the thread that is shown. */
  readonly activity: Activity;
  readonly onOpen: (agentId: string) => void;
  readonly onFailure: (reason: string | undefined) => void;
}

export function ThreadList({ agentId, threadId, threads, activity, onOpen, onFailure }: ThreadListProps) {
  const remove = async (thread: Thread) => {
    try {
      const key = { agentId, threadId: thread.id };
      // A run that goes on would start the browser again.
      await stopRun(key);
      await Promise.all([deleteThread(key), forgetThread(thread.id)]);
      onFailure(undefined);
      if (thread.id === threadId) onOpen(agentId);
    } catch (error) {
      onFailure(messageOf(error));
    }
    threads.refresh();
  };
  const activityOf = ({ id }: Thread): Activity => {
    if (id === threadId) return activity;
    return threads.waiting.get(id) ?? 'idle';
  };
  return (
    <SidebarList
      heading="Threads"
      newLabel="New thread"
      onNew={() => onOpen(agentId)}
      error={threads.error}
      hint={threads.all?.length === 0 ? 'Threads appear here with their first message.' : undefined}
    >
      {threads.all?.map(thread => (
        <SidebarRow
          key={thread.id}
          title={thread.title || 'Untitled'}
          sub={
            <>
              {shownDay(Date.parse(thread.updatedAt))} <ActivityMark activity={activityOf(thread)} />
            </>
          }
          href={formatRoute({ agentId, threadId: thread.id })}
          isCurrent={thread.id === threadId}
          onDelete={() => void remove(thread)}
        />
      ))}
    </SidebarList>
  );
}
