import { withCdp } from '../browser/chromium/cdp.js';
import { pageTargets } from '../browser/chromium/page-targets.js';
import type { Session } from '../browser/session.js';
import type { Tab } from '../browser/tab/tab.js';
import { plainMessage } from '../outcome/errors.js';

type Stop = () => void;

/** Keeps the titles of a session's tabs as they are now, by Chromium's own news of them, while somebody watches. */
export class Titles {
  readonly #session: Session;
  /** Which page each tab shows. */
  readonly #targets = new WeakMap<Tab, string>();
  readonly #asked = new WeakSet<Tab>();
  readonly #stops = new Map<unknown, Stop>();
  #watchers = 0;
  #stopLooking: Stop | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Returns the way to stop. */
  watch(): Stop {
    this.#watchers++;
    if (this.#watchers === 1) {
      this.#stopLooking = this.#session.events.on('tabs', () => this.#look());
      this.#look();
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#watchers--;
      if (this.#watchers === 0) this.#stop();
    };
  }

  #stop(): void {
    this.#stopLooking?.();
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }

  #look(): void {
    for (const tab of this.#session.tabs) {
      if (this.#asked.has(tab)) continue;
      this.#asked.add(tab);
      this.#follow(tab).catch(error => {
        const { owner, threadId } = this.#session;
        owner.log.debug('titles are told late', { threadId, error: plainMessage(error) });
      });
    }
  }

  async #follow(tab: Tab): Promise<void> {
    const browser = tab.page.context().browser();
    // The browser of a profile tells Playwright alone; a title is then read when its document is there.
    if (browser === null) return;
    const targets = await pageTargets(browser);
    if (!this.#stops.has(targets) && this.#watchers > 0) {
      const stop = targets.onTitle((targetId, title) => this.#titled(targetId, title));
      this.#stops.set(targets, stop);
    }
    const { targetInfo } = await withCdp(tab.page, session => session.send('Target.getTargetInfo'));
    this.#targets.set(tab, targetInfo.targetId);
    this.#titled(targetInfo.targetId, targetInfo.title);
  }

  #titled(targetId: string, title: string): void {
    const tab = this.#session.tabs.find(each => this.#targets.get(each) === targetId);
    // While it has none, Chromium shows the url in its place.
    if (tab !== undefined && title !== '' && !tab.url.includes(title))
      tab.title = this.#session.owner.secrets.hide(title);
  }
}
