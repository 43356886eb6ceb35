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
import { SessionScreencast } from '#live/frames/screencast.js';
import { InputInjector } from '#live/input/input.js';
import { UndeliveredInput } from '#live/input/undelivered-input.js';
import { pageTargets, withCdp } from '../browser/chromium/cdp.js';
import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import type { Tab } from '../browser/tab/tab.js';
import { logged } from '../results/errors.js';
import { sourceOf } from './live-source.js';
import { PersonTabs } from './person-tabs.js';

type Stop = () => void;

/** Updates the titles of a session's tabs from Chromium's target events, until it is stopped. */
function watchTitles(session: Session): Stop {
  const targetIds = new WeakMap<Tab, string>();
  const asked = new WeakSet<Tab>();
  const stops = new Map<unknown, Stop>();
  let isOver = false;
  const titled = (targetId: string, title: string): void => {
    const tab = session.tabs.find(each => targetIds.get(each) === targetId);
    // Chromium reports the URL while a page has no title.
    if (tab !== undefined && title !== '' && !tab.url.includes(title)) tab.title = session.owner.secrets.hide(title);
  };
  const follow = async (tab: Tab): Promise<void> => {
    const browser = tab.page.context().browser();
    // A profile's browser object is not available; titles are then read when a document has loaded.
    if (browser === null) return;
    const targets = await pageTargets(browser);
    if (isOver) return;
    if (!stops.has(targets)) stops.set(targets, targets.titled.on(titled));
    const { targetInfo } = await withCdp(tab.page, cdp => cdp.send('Target.getTargetInfo'));
    targetIds.set(tab, targetInfo.targetId);
    titled(targetInfo.targetId, targetInfo.title);
  };
  const followNew = (): void => {
    for (const tab of session.tabs) {
      if (asked.has(tab)) continue;
      asked.add(tab);
      follow(tab).catch(logged(session, 'titles are reported late'));
    }
  };
  stops.set(session, session.events.on('tabs', followNew));
  followNew();
  return () => {
    isOver = true;
    for (const stop of stops.values()) stop();
  };
}

interface PublishedTab {
  url: string;
  title: string;
}

/** The sessions and tabs of a toolset for viewers, with the last tab of a closed session. */
class PublishedSessions {
  readonly #seen = new WeakMap<Session, PublishedTab>();

  constructor(readonly sessions: Sessions) {
    sessions.created.on(session => session.events.on('tabs', () => this.#record(session)));
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

  #record(session: Session): void {
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
  const published = (text: string): string => engine.secrets.hide(text).slice(0, MESSAGE_LIMIT);
  const message = published(dialog.message());
  return { type, message, ...(type === 'prompt' && { defaultValue: published(dialog.defaultValue()) }) };
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
  readonly published: PublishedSessions;

  readonly #streams = new Map<SessionScreencast, Session>();
  readonly #sessionsOf = new WeakMap<ScreencastStream, { home: Session; screencast: SessionScreencast }>();

  constructor(readonly sessions: Sessions) {
    this.published = new PublishedSessions(sessions);
  }

  get viewers(): number {
    return this.#streams.size;
  }

  /** Starts only the screencast, for a session that has a page already. */
  async startScreencast(session: Session, options: ScreencastOptions): Promise<SessionScreencast> {
    const stream = new SessionScreencast(sourceOf(session), options);
    await stream.reconnect();
    this.#sessionsOf.set(stream, { home: session, screencast: stream });
    this.#streams.set(stream, session);
    stream.on('stop', () => this.#onStopped(stream, session));
    return stream;
  }

  /** The session that a screencast of this live view shows; undefined for one of another. */
  sourceOf(stream: ScreencastStream): { home: Session; screencast: SessionScreencast } | undefined {
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
        watchTitles(session),
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
  #onStopped(stream: SessionScreencast, session: Session): void {
    this.#streams.delete(stream);
    if (![...this.#streams.values()].includes(session)) void this.#injectors.get(session)?.releaseAll();
  }

  /** @param isPress Whether the input can have an effect on the page; a mouse move has none. */
  async inject(threadId: string, isPress: boolean, send: SendInput): Promise<void> {
    const session = this.#running(threadId);
    await session.person.sendInput(isPress, () => {
      const injector = this.#injectors.get(session) ?? new InputInjector(sourceOf(session));
      this.#injectors.set(session, injector);
      return send(injector, session);
    });
  }

  #running(threadId: string): Session {
    const session = this.sessions.find(threadId);
    if (session === undefined || !session.isOpen) throw new UndeliveredInput(`Thread ${threadId} has no browser.`);
    return session;
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
