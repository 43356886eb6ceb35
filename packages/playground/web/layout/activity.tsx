import { useEffect } from 'react';
import type { Connection } from '../api/reconnecting.js';
import type { Activity } from './activity-now.js';

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
