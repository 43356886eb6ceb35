import type {
  KeyboardEventInput,
  LiveDialog,
  LiveDialogAnswer,
  LiveSession,
  LiveTab,
  ScreencastOptions,
  ScreencastStream,
} from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import { pageTargets, withCdp } from '../browser/chromium/cdp.js';
import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import type { Tab } from '../browser/tab/tab.js';
import { logged, UndeliveredInput } from '../results/errors.js';
import { InputInjector } from './input.js';
import { PersonTabs } from './person-tabs.js';
import { type SessionScreencast, sourceOf, startScreencast } from './screencast.js';

type Stop = () => void;

/** Updates the titles of a session's tabs from Chromium's target events while a viewer subscribes. */
class Titles {
  readonly #targets = new WeakMap<Tab, string>();
  readonly #asked = new WeakSet<Tab>();
  readonly #stops = new Map<unknown, Stop>();
  #watchers = 0;
  #stopLooking: Stop | undefined;

  constructor(readonly session: Session) {}

  watch(): Stop {
    this.#watchers++;
    if (this.#watchers === 1) {
      this.#stopLooking = this.session.events.on('tabs', () => this.#look());
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
    for (const tab of this.session.tabs) {
      if (this.#asked.has(tab)) continue;
      this.#asked.add(tab);
      this.#follow(tab).catch(logged(this.session, 'titles are told late'));
    }
  }

  async #follow(tab: Tab): Promise<void> {
    const browser = tab.page.context().browser();
    // A profile's browser object is not available; titles are then read when a document has loaded.
    if (browser === null) return;
    const targets = await pageTargets(browser);
    if (!this.#stops.has(targets) && this.#watchers > 0) {
      const stop = targets.titled.on((targetId, title) => this.#titled(targetId, title));
      this.#stops.set(targets, stop);
    }
    const { targetInfo } = await withCdp(tab.page, session => session.send('Target.getTargetInfo'));
    this.#targets.set(tab, targetInfo.targetId);
    this.#titled(targetInfo.targetId, targetInfo.title);
  }

  #titled(targetId: string, title: string): void {
    const tab = this.session.tabs.find(each => this.#targets.get(each) === targetId);
    // Chromium reports the URL while a page has no title.
    if (tab !== undefined && title !== '' && !tab.url.includes(title))
      tab.title = this.session.owner.secrets.hide(title);
  }
}

interface PublishedTab {
  url: string;
  title: string;
}

/** The sessions and tabs of a toolset for viewers, with the last tab of a closed session. */
class TabNews {
  readonly #seen = new WeakMap<Session, PublishedTab>();

  constructor(readonly sessions: Sessions) {
    sessions.created.on(session => session.events.on('tabs', () => this.#look(session)));
  }

  list(): LiveSession[] {
    return this.sessions
      .all()
      .filter(session => session.isOpen || this.#seen.has(session))
      .sort((a, b) => b.lastUsed - a.lastUsed)
      .map(session => ({ threadId: session.threadId, isOpen: session.isOpen, ...this.#seen.get(session) }));
  }

  tabs(session: Session): LiveTab[] {
    if (!session.isOpen) return [];
    return session.tabs.map(tab => ({
      tab: tab.id,
      ...publishedTab(session, tab),
      active: tab.id === session.activeTab?.id,
    }));
  }

  #look(session: Session): void {
    const { activeTab } = session;
    if (activeTab !== undefined) this.#seen.set(session, publishedTab(session, activeTab));
  }
}

function publishedTab({ owner }: Session, { url, title }: Tab): PublishedTab {
  return owner.secrets.hideIn({ url, title });
}

const DIALOG_TIMEOUT_MS = 2_000;

/** Longer than anyone reads in a dialog. */
const MESSAGE_LIMIT = 2_000;

export function dialogOf({ dialog, engine }: Tab): LiveDialog | undefined {
  if (dialog === undefined) return undefined;
  const type = dialog.type() as LiveDialog['type'];
  const told = (text: string): string => engine.secrets.hide(text).slice(0, MESSAGE_LIMIT);
  const message = told(dialog.message());
  return { type, message, ...(type === 'prompt' && { defaultValue: told(dialog.defaultValue()) }) };
}

/** Answers a page's dialog for a person. Resolves to false when none is open. */
async function answerDialog(tab: Tab | undefined, { accept, text }: LiveDialogAnswer): Promise<boolean> {
  const { dialog } = tab ?? {};
  if (tab === undefined || dialog === undefined) return false;
  tab.dialog = undefined;
  tab.events.dialogAnswered(dialog, accept);
  await within(DIALOG_TIMEOUT_MS, accept ? dialog.accept(text ?? dialog.defaultValue()) : dialog.dismiss());
  return true;
}

/** Answers a dialog by Enter or Escape, since its page takes no input. Resolves to whether the key was handled. */
export async function answeredByKey(tab: Tab | undefined, { type, key }: KeyboardEventInput): Promise<boolean> {
  if (tab?.dialog === undefined || (key !== 'Enter' && key !== 'Escape')) return false;
  if (type === 'keyDown') await answerDialog(tab, { accept: key === 'Enter' });
  return true;
}

type Callback = () => void;
type SendInput = (input: InputInjector, session: Session) => Promise<void>;

/** The live view of all sessions: screencast frames, a person's input and commands, and events to show. */
export class LiveView {
  readonly #injectors = new Map<Session, InputInjector>();
  readonly #titles = new WeakMap<Session, Titles>();
  readonly news: TabNews;

  readonly #streams = new Map<Session, number>();
  readonly #sessionsOf = new WeakMap<ScreencastStream, { session: Session; screencast: SessionScreencast }>();

  constructor(readonly sessions: Sessions) {
    this.news = new TabNews(sessions);
  }

  get viewers(): number {
    return [...this.#streams.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Starts only the screencast, for a session that has a page already. */
  async startScreencast(session: Session, options: ScreencastOptions): Promise<SessionScreencast> {
    const stream = await startScreencast(sourceOf(session), options);
    this.#sessionsOf.set(stream, { session, screencast: stream });
    this.#streams.set(session, (this.#streams.get(session) ?? 0) + 1);
    stream.on('stop', () => this.#onStopped(session));
    return stream;
  }

  /** The session that a screencast of this live view shows; undefined for one of another. */
  sourceOf(stream: ScreencastStream): { session: Session; screencast: SessionScreencast } | undefined {
    return this.#sessionsOf.get(stream);
  }

  async releaseInput(threadId: string): Promise<void> {
    const session = this.sessions.find(threadId);
    if (session !== undefined) await this.#injectors.get(session)?.releaseAll();
  }

  tabsOf(threadId: string): PersonTabs {
    return new PersonTabs(this.#running(threadId));
  }

  async answerDialog(threadId: string, answer: LiveDialogAnswer): Promise<void> {
    const session = this.#running(threadId);
    session.person.noteInput();
    if (!(await answerDialog(session.activeTab, answer)))
      throw new UndeliveredInput(`Thread ${threadId} shows no dialog.`);
  }

  /** Calls back whenever a thread gets a page, and now if it has one. Without a thread, for any. */
  onReady(callback: Callback, threadId?: string): Callback {
    const stop = this.each(threadId, session => session.events.on('ready', callback));
    if (this.#watched(threadId).some(session => session.isOpen)) callback();
    return stop;
  }

  /** Also called when the browser dies or the session hibernates, until the next call restores it. */
  onClosed(callback: Callback, threadId?: string): Callback {
    return this.each(threadId, session => session.events.on('closed', callback));
  }

  onTabsChanged(callback: Callback, threadId?: string): Callback {
    return this.each(threadId, session => {
      const stops = [
        session.events.on('tabs', callback),
        session.events.on('ready', callback),
        session.events.on('closed', callback),
        this.#titlesOf(session).watch(),
      ];
      return () => stops.map(stop => stop());
    });
  }

  async dispose(): Promise<void> {
    const injectors = [...this.#injectors.values()];
    this.#injectors.clear();
    await Promise.allSettled(injectors.map(injector => injector.dispose()));
  }

  /** A viewer that disconnects during a drag must not leave the button down; with other viewers, it may be theirs. */
  #onStopped(session: Session): void {
    const left = (this.#streams.get(session) ?? 1) - 1;
    if (left > 0) {
      this.#streams.set(session, left);
      return;
    }
    this.#streams.delete(session);
    void this.#injectors.get(session)?.releaseAll();
  }

  /** @param isPress Whether the input can have an effect on the page; a mouse move has none. */
  async inject(threadId: string, isPress: boolean, send: SendInput): Promise<void> {
    const session = this.#running(threadId);
    await session.person.sendInput(isPress, () => send(this.#injector(session), session));
  }

  #running(threadId: string): Session {
    const session = this.sessions.find(threadId);
    if (session === undefined || !session.isOpen) throw new UndeliveredInput(`Thread ${threadId} has no browser.`);
    return session;
  }

  #injector(session: Session): InputInjector {
    let injector = this.#injectors.get(session);
    if (injector === undefined) {
      injector = new InputInjector(sourceOf(session));
      this.#injectors.set(session, injector);
    }
    return injector;
  }

  #titlesOf(session: Session): Titles {
    let titles = this.#titles.get(session);
    if (titles === undefined) {
      titles = new Titles(session);
      this.#titles.set(session, titles);
    }
    return titles;
  }

  #watched(threadId: string | undefined): Session[] {
    return threadId === undefined ? this.sessions.all() : [this.sessions.get(threadId)];
  }

  /** Subscribes to a thread's session, or to all present and future sessions. */
  each(threadId: string | undefined, listen: (session: Session) => Callback): Callback {
    const stops = this.#watched(threadId).map(listen);
    if (threadId === undefined) stops.push(this.sessions.created.on(session => stops.push(listen(session))));
    return () => {
      for (const stop of stops) stop();
    };
  }
}
