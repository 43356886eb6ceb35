import type { ReactElement } from 'react';
import type { BrowserStreamState } from '../stream/state.js';

type Tone = 'live' | 'busy' | 'idle' | 'bad';

/** The state of the stream in a word. */
function statusOf({ connection, status, hasFrame }: BrowserStreamState): { text: string; tone: Tone } {
  switch (connection.phase) {
    case 'idle':
      return { text: 'Off', tone: 'idle' };
    case 'connecting':
      return { text: connection.attempt > 1 ? 'Reconnecting' : 'Connecting', tone: 'busy' };
    case 'waiting':
      return { text: 'Reconnecting', tone: 'busy' };
    case 'refused':
      return { text: 'Refused', tone: 'bad' };
    case 'open':
      if (status === 'browser_closed') return { text: 'Closed', tone: 'idle' };
      if (status === 'browser_starting') return { text: 'Starting', tone: 'busy' };
      if (status !== 'streaming') return { text: 'Idle', tone: 'idle' };
      return hasFrame ? { text: 'Live', tone: 'live' } : { text: 'Starting', tone: 'busy' };
  }
}

export function StatusBadge({ state }: { state: BrowserStreamState }): ReactElement {
  const { text, tone } = statusOf(state);
  return (
    <span className="bt-status" data-tone={tone} role="status" aria-label={`Live view: ${text}`}>
      <span className="bt-dot" />
      <span>{text}</span>
    </span>
  );
}
