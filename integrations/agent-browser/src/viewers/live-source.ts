import { UndeliveredInput } from '#live/input/undelivered-input.js';
import type { LiveSource } from '#live/source.js';
import type { Session } from '../browser/session.js';
import { ToolError } from '../results/errors.js';

const PAGE_SIZE_MS = 1_000;

/** A session as a screencast source. A crash or hibernation does not end the stream, since the session comes back. */
export function sourceOf(session: Session): LiveSource {
  return {
    activePage: () => session.activeTab?.page ?? null,
    onActivePageChanged: listener => session.events.on('activePage', listener),
    onUrlChanged: listener => session.events.on('url', listener),
    onResized: listener => session.events.on('resized', listener),
    covers() {
      const secretOccurrences = session.activeTab?.engine.secretOccurrences;
      return secretOccurrences && { secretOccurrences, scratchPage: () => session.scratchPage() };
    },
    async pressClipboardKeys(command, send) {
      const { activeTab: tab, clipboard } = session;
      if (tab === undefined) return;
      await clipboard.press(tab, command, { send, options: { timeout: PAGE_SIZE_MS } }).catch((cause: unknown) => {
        throw cause instanceof ToolError ? new UndeliveredInput(cause.message, { cause }) : cause;
      });
    },
    publishedUrl: url => session.owner.secrets.hide(url),
    onClosed: listener =>
      session.events.on('closed', reason => {
        if (reason === 'closed') listener('browser_closed');
      }),
  };
}
