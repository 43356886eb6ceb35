import type { CDPSession, Frame, Page } from 'playwright-core';

/** DevTools sessions with one page: one for the page, and one for each frame that has a process of its own. */
export class PageSessions {
  readonly #sessions = new Map<Frame, CDPSession>();
  #isStopped = false;

  /** @param begin Done with each session, as soon as it is there. */
  constructor(
    readonly page: Page,
    readonly begin: (session: CDPSession) => Promise<unknown>,
  ) {}

  get all(): CDPSession[] {
    return [...this.#sessions.values()];
  }

  /** Resolves when all documents that there are now have theirs. Rejects when the page is gone. */
  async start(): Promise<void> {
    this.page.on('framenavigated', this.#onFrame);
    await this.#attach(this.page.mainFrame());
    await Promise.all(this.page.frames().map(frame => this.#attachInner(frame)));
  }

  /** @param end Done with each session. */
  stop(end: (session: CDPSession) => Promise<unknown> = session => session.detach()): void {
    this.#isStopped = true;
    this.page.off('framenavigated', this.#onFrame);
    for (const session of this.all) end(session).catch(ignoreGone);
    this.#sessions.clear();
  }

  readonly #onFrame = (frame: Frame): void => void this.#attachInner(frame);

  /** A frame that shares the process of the one around it is a part of that one's session. */
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

/** The session, the page or the frame went away, which is why a message to it fails: nothing is left to do. */
export function ignoreGone(): void {}
