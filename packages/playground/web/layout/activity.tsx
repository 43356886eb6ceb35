import type { BrowserStreamState } from '@browser-toolset/playground-ui';
import { useEffect } from 'react';
import type { RunSummary } from '../../src/server/browser-agent/api.js';
import type { Connection } from '../api/reconnecting.js';
import { type Conversation, pendingCall } from '../chat/conversation.js';

/** What goes on in a thread, as a person is told of it in the chat, the list and the tab's title. */
export type Activity =
  | 'idle'
  | 'starting'
  | 'working'
  | 'approval'
  | 'question'
  | 'control'
  | 'anothers-control'
  | 'paused'
  | 'stopped'
  | 'failed';

interface Words {
  /** One sentence, in the chat. */
  readonly sentence: string;
  /** In the list and the tab's title. */
  readonly short: string;
  readonly tone: '' | 'accent' | 'warning' | 'danger';
  readonly isMoving?: boolean;
}

const WORDS: Record<Exclude<Activity, 'idle'>, Words> = {
  starting: { sentence: 'The browser is starting.', short: 'Starting', tone: 'accent', isMoving: true },
  working: { sentence: 'The agent is working.', short: 'Working', tone: 'accent', isMoving: true },
  approval: { sentence: 'The agent waits for your approval.', short: 'Waits for your approval', tone: 'warning' },
  question: { sentence: 'The agent waits for your answer.', short: 'Waits for your answer', tone: 'warning' },
  control: {
    sentence: 'You are in control: hand back to let the agent go on.',
    short: 'You are in control',
    tone: 'warning',
  },
  'anothers-control': {
    sentence: 'Someone else is in control: the agent waits until they hand back.',
    short: 'Someone else is in control',
    tone: 'warning',
  },
  paused: { sentence: 'The run is paused.', short: 'Paused', tone: '' },
  stopped: { sentence: 'The run was stopped.', short: 'Stopped', tone: '' },
  failed: { sentence: 'The run failed.', short: 'Failed', tone: 'danger' },
};

type BrowserNow = Pick<BrowserStreamState, 'status' | 'control'>;

/** What a run that goes on does. */
function whileRunning({ status, control }: BrowserNow): Activity {
  if (control?.holder === 'human') return control.isYou ? 'control' : 'anothers-control';
  return status === 'browser_starting' ? 'starting' : 'working';
}

export function chatActivity(conversation: Conversation, browser: BrowserNow): Activity {
  const { status, notice, messages } = conversation;
  if (status === 'waiting') return pendingCall(conversation)?.state === 'approval' ? 'approval' : 'question';
  if (status === 'running') return whileRunning(browser);
  const last = messages.at(-1);
  const hasFailed = last?.role === 'assistant' && last.parts.at(-1)?.kind === 'error';
  if (notice?.kind === 'error' || hasFailed) return 'failed';
  return notice?.isStopped ? 'stopped' : 'idle';
}

type RunNow = Pick<RunSummary, 'status' | 'success' | 'stopReason'> & {
  readonly question?: { readonly kind: 'approval' | 'question' };
};

export function runActivity(run: RunNow | undefined, browser: BrowserNow): Activity {
  switch (run?.status) {
    case undefined:
      return 'idle';
    case 'running':
      return whileRunning(browser);
    case 'paused':
      return 'paused';
    case 'waiting':
      return run.question?.kind ?? 'question';
    case 'interrupted':
      return 'stopped';
    case 'ended':
      if (run.success) return 'idle';
      return run.stopReason === 'stopped' ? 'stopped' : 'failed';
  }
}

interface ActivityBadgeProps {
  readonly activity: Activity;
  readonly connection: Connection;
}

/** One sentence on what goes on. */
export function ActivityBadge({ activity, connection }: ActivityBadgeProps) {
  if (connection === 'lost') return <span className="badge danger">Disconnected. Reconnecting…</span>;
  if (activity === 'idle') return null;
  const { sentence, tone, isMoving } = WORDS[activity];
  return (
    <span className={`badge ${tone}${isMoving ? ' pulsing' : ''}`} role="status">
      {sentence}
    </span>
  );
}

/** The state in a list; nothing where nothing goes on. */
export function ActivityMark({ activity }: { readonly activity: Activity }) {
  if (activity === 'idle') return null;
  const { short, tone } = WORDS[activity];
  return <span className={`badge ${tone}`}>{short}</span>;
}

/** Names the thread and what goes on in it in the tab's title. */
export function usePageTitle(title: string, activity: Activity): void {
  useEffect(() => {
    const state = activity === 'idle' ? [] : [WORDS[activity].short];
    document.title = [...state, title, 'BrowserToolset'].join(' · ');
  }, [title, activity]);
}
