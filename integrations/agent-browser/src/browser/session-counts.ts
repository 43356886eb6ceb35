import type { Metrics } from '../observe/metrics.js';
import type { Sessions } from './sessions.js';

/** Counts what becomes of sessions and their pages. */
export function countSessions(sessions: Sessions, { counts }: Metrics): void {
  sessions.onCreated(({ events }) => {
    events.on('ready', () => counts.opened++);
    events.on('closed', reason => {
      if (reason === 'hibernated') counts.hibernated++;
    });
    events.on('tabGone', (_, how) => {
      if (how === 'crashed') counts.pageCrashes++;
    });
  });
}
