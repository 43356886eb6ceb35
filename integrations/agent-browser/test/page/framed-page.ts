import type { Browser, CDPSession, Frame, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { EngineClient } from '../../src/browser/tab/engine.js';
import { Worlds } from '../../src/browser/tab/worlds.js';
import { type CaptureOptions, PageCapture } from '../../src/snapshot/capture.js';

/** A frame to be added: its address, or the attributes of its element. */
export type Inner = string | Record<string, string>;

/** A message that brought questions to engines: the session that it went through, and the documents that were asked. */
export interface Message {
  session: CDPSession;
  frames: Frame[];
}

/** A page with frames, which is asked without a toolset around it. */
export class FramedPage {
  readonly messages: Message[] = [];
  readonly #capture: PageCapture;
  readonly #sessions = new Set<CDPSession>();

  constructor(
    readonly page: Page,
    readonly engine: EngineClient,
  ) {
    this.#capture = new PageCapture(page, engine, new Worlds(page, engine.lines));
  }

  /** Opens a page with these frames beside its own; the straight ways to all of its documents are known then. */
  static async open(browser: Browser, engine: EngineClient, url: string, ...inner: Inner[]): Promise<FramedPage> {
    const opened = new FramedPage(await browser.newPage(), engine);
    await opened.page.goto(url);
    for (const each of inner) await opened.add(each);
    await opened.learn();
    return opened;
  }

  get frames(): Frame[] {
    return this.page.frames();
  }

  /** The frame whose document has this title. */
  async frame(title: string): Promise<Frame> {
    for (const frame of this.frames) if ((await frame.title()) === title) return frame;
    return expect.fail(`there is no frame ${title}`);
  }

  async add(inner: Inner, around: Frame = this.page.mainFrame()): Promise<void> {
    await around.evaluate(
      async given => {
        const frame = document.createElement('iframe');
        for (const [name, value] of Object.entries(given)) frame.setAttribute(name, value);
        const loaded = new Promise(resolve => {
          frame.onload = resolve;
        });
        document.body.append(frame);
        await loaded;
      },
      typeof inner === 'string' ? { src: inner } : inner,
    );
  }

  look(options: Pick<CaptureOptions, 'atRest'> = {}) {
    return this.#capture.take({ timeout: 10_000, ...options });
  }

  /** Looks at the page, and waits until the straight ways to all of its documents are known. Messages count from then on. */
  async learn(): Promise<void> {
    await this.look();
    for (const frame of this.frames) await expect.poll(() => this.engine.lines.get(frame)?.isOver).toBe(false);
    for (const frame of this.frames) this.#watch(frame);
    this.messages.length = 0;
  }

  #watch(frame: Frame): void {
    const session = this.engine.lines.get(frame)?.world.session;
    if (session === undefined || this.#sessions.has(session)) return;
    this.#sessions.add(session);
    const send = session.send.bind(session) as (method: string, params?: object) => Promise<never>;
    session.send = (method: string, params?: object) => {
      if (method === 'Runtime.callFunctionOn')
        this.messages.push({ session, frames: this.#askedIn(JSON.stringify(params)) });
      return send(method, params);
    };
  }

  #askedIn(params: string): Frame[] {
    return this.frames.filter(frame => params.includes(this.engine.lines.get(frame)?.doc ?? '-'));
  }
}
