import type { KeyboardEventInput, MouseEventInput, ScreencastOptions } from '@browser-toolset/core';
import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import { InputInjector } from './input.js';
import { InputRefused } from './input-refused.js';
import { type SessionScreencast, startScreencast } from './screencast.js';
import { sourceOf } from './session-source.js';

type Callback = () => void;

/** The live view of all sessions: frames out, input in, and the news that a session has a page or has none any more. */
export class LiveView {
  #injectors = new Map<Session, InputInjector>();

  constructor(readonly sessions: Sessions) {}

  /** Starts nothing but the picture: the session has a page already. */
  async startScreencast(session: Session, options: ScreencastOptions): Promise<SessionScreencast> {
    const stream = await startScreencast(sourceOf(session), options);
    // A viewer that leaves in the middle of a drag must not leave the button down.
    stream.on('stop', () => void this.#injectors.get(session)?.releaseAll());
    return stream;
  }

  async injectMouse(threadId: string, event: MouseEventInput): Promise<void> {
    const session = this.#running(threadId);
    await this.#injector(session).injectMouse(event);
    session.touch();
  }

  async injectKeyboard(threadId: string, event: KeyboardEventInput): Promise<void> {
    const session = this.#running(threadId);
    await this.#injector(session).injectKeyboard(event);
    session.touch();
  }

  /** Calls back now if the thread has a page, and whenever it gets one. Without a thread, for any. */
  onReady(callback: Callback, threadId?: string): Callback {
    const stop = this.#each(threadId, session => session.events.on('ready', callback));
    if (this.#watched(threadId).some(session => session.isOpen)) callback();
    return stop;
  }

  /** A crash or a hibernation is no end: the session comes back with the next call, and its streams go on. */
  onClosed(callback: Callback, threadId?: string): Callback {
    const listen = (session: Session): Callback =>
      session.events.on('closed', reason => {
        if (reason === 'closed') callback();
      });
    return this.#each(threadId, listen);
  }

  async dispose(): Promise<void> {
    const injectors = [...this.#injectors.values()];
    this.#injectors.clear();
    await Promise.allSettled(injectors.map(injector => injector.dispose()));
  }

  #running(threadId: string): Session {
    const session = this.sessions.find(threadId);
    if (session === undefined || !session.isOpen) throw new InputRefused(`Thread ${threadId} has no browser.`);
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

  #watched(threadId: string | undefined): Session[] {
    return threadId === undefined ? this.sessions.all() : [this.sessions.get(threadId)];
  }

  /** Listens to the session of a thread, or to all that there are and will be. */
  #each(threadId: string | undefined, listen: (session: Session) => Callback): Callback {
    const stops = this.#watched(threadId).map(listen);
    if (threadId === undefined) stops.push(this.sessions.onCreated(session => stops.push(listen(session))));
    return () => {
      for (const stop of stops) stop();
    };
  }
}
