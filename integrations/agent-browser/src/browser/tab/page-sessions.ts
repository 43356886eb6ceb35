import type { CDPSession, Frame, Page } from 'playwright-core';
import { ignoreGone } from '#live/page-channel.js';

/** CDP sessions of one page: one for the page, and one for each out-of-process frame. */
export class PageSessions {
  readonly #sessions = new Map<Frame, CDPSession>();
  #isStopped = false;

  constructor(
    readonly page: Page,
    readonly begin: (session: CDPSession) => Promise<unknown>,
  ) {}

  get all(): CDPSession[] {
    return [...this.#sessions.values()];
  }

  /** Resolves when all present documents have their session. Rejects when the page is gone. */
  async start(): Promise<void> {
    this.page.on('framenavigated', this.#onFrame);
    await this.#attach(this.page.mainFrame());
    await Promise.all(this.page.frames().map(frame => this.#attachInner(frame)));
  }

  /** @param end Runs for each session. */
  stop(end: (session: CDPSession) => Promise<unknown> = session => session.detach()): void {
    this.#isStopped = true;
    this.page.off('framenavigated', this.#onFrame);
    for (const session of this.all) end(session).catch(ignoreGone);
    this.#sessions.clear();
  }

  readonly #onFrame = (frame: Frame): void => void this.#attachInner(frame);

  /** A frame in its parent's process belongs to the parent's session. */
  async #attachInner(frame: Frame): Promise<void> {
    if (frame.parentFrame() === null || this.#sessions.has(frame) || this.#isStopped) return;
    await this.#attach(frame).catch(ignoreGone);
  }

  async #attach(frame: Frame): Promise<void> {
    const of = frame.parentFrame() === null ? this.page : frame;
    const session = await this.page.context().newCDPSession(of);
    if (this.#isStopped) return session.detach();
    this.#sessions.set(frame, session);
    session.on('close', () => {
      if (this.#sessions.get(frame) === session) this.#sessions.delete(frame);
    });
    await this.begin(session);
  }
}
