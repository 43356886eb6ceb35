import { within } from '@browser-toolset/core/waiting';
import type { Session } from '../../browser/session.js';
import type { Tab } from '../../browser/tab/tab.js';
import { isTimeout, ToolError } from '../../outcome/errors.js';

/** The end of a browser is told within so many milliseconds after the end of its pages. */
const NEWS_TIME = 200;

/**
 * Notices that a browser or a page had died before a call reached it, which is told only a moment later. Then nothing
 * of the call was done, and it can run again.
 */
export class FirstContact {
  #isLost = false;
  #isReached = false;
  #noticeLoss: () => void = () => undefined;
  readonly #loss: Promise<void>;
  readonly #stops: (() => void)[];

  constructor(session: Session) {
    this.#loss = new Promise(resolve => {
      this.#noticeLoss = resolve;
    });
    const lost = (): void => {
      this.#isLost = true;
      this.#noticeLoss();
    };
    this.#stops = [
      session.events.on('lost', lost),
      session.events.on('tabGone', (tab, how) => {
        if (how === 'crashed' && tab === session.activeTab) lost();
      }),
    ];
  }

  /** Whether the call can run again. Its error may come a moment before the news of what is behind it. */
  async hasFailed(error: unknown): Promise<boolean> {
    if (this.#isReached) return false;
    if (!this.#isLost && isOfPlaywright(error)) await within(NEWS_TIME, this.#loss);
    return this.#isLost;
  }

  /** Asks the page for a sign of life, at once: before anything that the call sends. Nobody waits for it. */
  seek(tab: Tab): void {
    tab.page.evaluate('0').then(
      () => {
        this.#isReached = true;
      },
      // A page that is gone, or on its way to another one, gives none.
      () => undefined,
    );
  }

  end(): void {
    for (const stop of this.#stops) stop();
  }
}

function isOfPlaywright(error: unknown): boolean {
  return !(error instanceof ToolError) && !isTimeout(error);
}
