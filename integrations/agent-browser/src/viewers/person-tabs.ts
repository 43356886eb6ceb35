import type { ViewportSize } from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import type { Session } from '../browser/session.js';
import { leavePage } from '../browser/tab/leave-page.js';
import { openableUrl, whyNotLoaded } from '../browser/tab/openable-url.js';
import { historyEntry, onceActive, stopLoading } from '../browser/tab/settle.js';
import type { Tab } from '../browser/tab/tab.js';
import { isTimeout, plainMessage, ToolError } from '../results/errors.js';

/** In milliseconds: the wait for a tab to come to the front. */
const FRONT_MS = 2_000;

type HistoryDirection = 'back' | 'forward' | 'reload';

/** A person's tab commands: outside the agent's queue, not waiting for a full load, rejecting with `ToolError`. */
export class PersonTabs {
  constructor(readonly session: Session) {}

  async visit(input: string): Promise<void> {
    const url = openableUrl(this.session, input);
    await this.session.person.act(async () => this.#goTo(await this.#answering(), url));
  }

  async travel(direction: HistoryDirection): Promise<void> {
    await this.session.person.act(async () => {
      const tab = await this.#answering();
      const options = this.#options;
      if (direction === 'reload')
        return this.#load(tab, { url: tab.url }, () => onceActive(tab.page, () => tab.page.reload(options)));
      const url = await historyEntry(tab, direction === 'back' ? -1 : 1);
      if (url === undefined) throw new ToolError('navigation_failed', `There is no page to go ${direction} to.`);
      await this.#load(tab, { url }, () =>
        direction === 'back' ? tab.page.goBack(options) : tab.page.goForward(options),
      );
    });
  }

  async open(input: string | undefined): Promise<void> {
    const url = input === undefined ? undefined : openableUrl(this.session, input);
    const session = this.session;
    await session.person.act(async () => {
      const { maxTabs } = session.owner.config.sessions;
      if (session.tabs.length >= maxTabs) throw new ToolError('invalid_input', `Tab limit reached (${maxTabs}).`);
      const before = session.activeTab;
      const tab = await session.newTab();
      if (url === undefined) return;
      try {
        await this.#goTo(tab, url);
      } catch (error) {
        // A tab whose page failed to load is removed.
        await session.closeTab(tab);
        if (before !== undefined) session.activate(before);
        throw error;
      }
    });
  }

  async switchTo(id: string): Promise<void> {
    await this.session.person.act(async () => {
      const tab = this.#find(id);
      this.session.activate(tab);
      await within(FRONT_MS, tab.page.bringToFront());
    });
  }

  async close(id: string): Promise<void> {
    await this.session.person.act(() => this.session.closeTab(this.#find(id)));
  }

  /** Every tab's page gets the viewport, also those to come. */
  async resize(viewport: ViewportSize): Promise<void> {
    const { emulation, events, person } = this.session;
    await person.act(async () => {
      const { page } = await this.#answering();
      const before = emulation.options;
      emulation.change({ viewport });
      await emulation.apply({ context: page.context(), pages: this.session.tabs.map(tab => tab.page) }, before);
      events.emit('resized');
    });
  }

  get #options(): { waitUntil: 'commit'; timeout: number } {
    return { waitUntil: 'commit', timeout: this.session.owner.config.navigationTimeout };
  }

  #find(id: string): Tab {
    const tab = this.session.tab(id);
    if (tab === undefined) throw new ToolError('invalid_input', `There is no tab ${JSON.stringify(id.slice(0, 20))}.`);
    return tab;
  }

  async #answering(): Promise<Tab> {
    return this.session.answering(await this.session.ready());
  }

  async #goTo(tab: Tab, url: string): Promise<void> {
    await this.#load(tab, { url, isNamed: true }, () => tab.page.goto(url, this.#options));
  }

  async #load(before: Tab, to: { url: string; isNamed?: boolean }, perform: () => Promise<unknown>): Promise<void> {
    const session = this.session;
    const began = performance.now();
    const options = this.#options;
    let tab = before;
    try {
      await leavePage(session, before, {
        go: () => session.network.drive(before, to, perform),
        anew(fresh) {
          tab = fresh;
          return session.network.drive(fresh, to, () => fresh.page.goto(to.url, options));
        },
      });
    } catch (error) {
      const message = plainMessage(error);
      // The navigation became a download or was redirected by script.
      if (message.startsWith('Download is starting') || message.includes('interrupted by another navigation')) return;
      if (isTimeout(error)) await stopLoading(tab);
      const why = whyNotLoaded(session, tab, began);
      if (why.blocked !== undefined) throw why.blocked;
      const reason = isTimeout(error)
        ? 'no answer in time'
        : (why.error ?? /net::(ERR_\w+)/.exec(message)?.[1] ?? message);
      throw new ToolError(
        'navigation_failed',
        `${session.owner.secrets.hide(to.url).slice(0, 200)} could not be loaded: ${reason}`,
        { cause: error },
      );
    }
  }
}
