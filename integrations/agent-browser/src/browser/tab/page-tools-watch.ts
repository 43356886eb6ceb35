import { plainMessage } from '../../outcome/errors.js';
import type { Session } from '../session.js';
import { PageSessions } from './page-sessions.js';

/**
 * Calls back when the page that is shown may offer other tools than before (WebMCP): it registers or withdraws some, or
 * another page is shown. Chromium tells it by events, and only for as long as somebody listens.
 * @returns The way to stop.
 */
export function watchPageTools(session: Session, callback: () => void): () => void {
  let watched: PageSessions | undefined;
  const leave = (): void => {
    watched?.stop();
    watched = undefined;
  };
  const enter = (): void => {
    leave();
    const page = session.activeTab?.page;
    if (page === undefined || page.isClosed()) return;
    watched = new PageSessions(page, async cdp => {
      cdp.on('WebMCP.toolsAdded', callback);
      cdp.on('WebMCP.toolsRemoved', callback);
      await cdp.send('WebMCP.enable');
    });
    watched.start().catch(error => {
      const { owner, threadId } = session;
      owner.log.debug('tools of the page are told late', { threadId, error: plainMessage(error) });
    });
  };
  const stops = [
    session.events.on('activePage', () => {
      enter();
      callback();
    }),
    session.events.on('url', callback),
    session.events.on('closed', () => {
      leave();
      callback();
    }),
    leave,
  ];
  enter();
  return () => {
    for (const stop of stops) stop();
  };
}
