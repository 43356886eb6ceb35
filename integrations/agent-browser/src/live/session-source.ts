import type { Session } from '../browser/session.js';
import type { ScreencastSource } from './screencast-source.js';

/** Milliseconds that a page may take to say what has the focus. */
const PAGE_TIME = 1_000;

/** A session as the live view sees it. A crash or a hibernation is no end: the session comes back, and with it the picture. */
export function sourceOf(session: Session): ScreencastSource {
  return {
    activePage: () => session.activeTab?.page ?? null,
    onActivePageChanged: listener => session.events.on('activePage', listener),
    onUrlChanged: listener => session.events.on('url', listener),
    covers() {
      const sightings = session.activeTab?.engine.sightings;
      return sightings && { sightings, scratchPage: () => session.scratchPage() };
    },
    async pressClipboardKeys(deed, send) {
      const { activeTab, clipboard } = session;
      if (activeTab !== undefined) await clipboard.press(activeTab, deed, { send, options: { timeout: PAGE_TIME } });
    },
    toldUrl: url => session.owner.secrets.hide(url),
    onClosed: listener =>
      session.events.on('closed', reason => {
        if (reason === 'closed') listener('browser_closed');
      }),
  };
}
