import { resolve } from 'node:path';
import { within } from '@browser-toolset/core/waiting';
import type { Browser, Page } from 'playwright-core';
import { safeFileName } from '../browser/files/files.js';
import type { Recording } from '../browser/open-context.js';
import type { Session } from '../browser/session.js';
import type { Recorder } from '../browser/sessions.js';
import type { ResolvedConfig } from '../config.js';
import { plainMessage } from '../outcome/errors.js';
import { SessionRecording } from './session-recording.js';

/** How long the page that encodes may take to close, in milliseconds. */
const CLOSE_TIME = 2_000;

/** The name of a file ends so at most. */
const LONGEST_ENDING = '-99999.webm';

/** The settings of the option `video`. */
function videoOptions({ video, downloadsPath }: ResolvedConfig) {
  const {
    folder = downloadsPath ?? 'videos',
    maxWidth = 1280,
    maxFps = 10,
    maxMegabytes = 500,
  } = video === true || video === false ? {} : video;
  return { folder: resolve(folder), maxWidth, maxFps, maxMegabytes };
}

/** Makes a video file of each session, from the moment at which it opens or wakes until it closes or goes to sleep. */
export class VideoRecorder implements Recorder {
  /** One page a browser encodes all that is recorded in it. */
  readonly #pages = new Map<Browser, Promise<EncoderPage>>();
  readonly #underWay = new Map<Recording, Browser>();

  start(session: Session, browser: Browser): Recording {
    const { threadId, owner } = session;
    const time = `-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    const recording = new SessionRecording(session, {
      ...videoOptions(owner.config),
      ...{ threadId, log: owner.log, name: `${safeFileName(threadId, `${time}${LONGEST_ENDING}`)}${time}` },
      encoderPage: async () => (await this.#pageOf(browser, session)).page,
      canEncode: () => browser.isConnected(),
      onEnded: () => this.#left(recording, browser),
    });
    this.#underWay.set(recording, browser);
    return recording;
  }

  /** Waits for what ended with its browser, and ends what is left. */
  async close(): Promise<void> {
    await Promise.all([...this.#underWay.keys()].map(recording => recording.stop()));
  }

  #pageOf(browser: Browser, session: Session): Promise<EncoderPage> {
    const known = this.#pages.get(browser);
    if (known !== undefined) return known;
    const forget = (): void => {
      if (this.#pages.get(browser) === opening) this.#pages.delete(browser);
    };
    const opening = EncoderPage.open(browser, () => session.scratchPage(), forget);
    opening.catch(forget);
    this.#pages.set(browser, opening);
    return opening;
  }

  async #left(recording: Recording, browser: Browser): Promise<void> {
    this.#underWay.delete(recording);
    if ([...this.#underWay.values()].includes(browser)) return;
    const opened = this.#pages.get(browser);
    this.#pages.delete(browser);
    // One that did not open has nothing to be closed.
    const closed = opened?.then(page => page.close()).catch(() => undefined);
    if (closed !== undefined) await within(CLOSE_TIME, closed);
  }
}

/** Never asked for over a network: because of it the page is in a secure context, as WebCodecs wants. */
const URL = 'https://encoder.invalid/';
const BODY = '<!doctype html><title>Video</title><link rel="icon" href="data:,">';

/** A page to encode in, with nothing of a session in it. */
export class EncoderPage {
  private constructor(
    readonly page: Page,
    readonly close: () => Promise<void>,
  ) {}

  /**
   * @param home A blank page of the session's context, for browsers of pools that have one context and make no more.
   * @param onGone Called when the page is of no use any more.
   */
  static async open(browser: Browser, home: () => Promise<Page>, onGone: () => void): Promise<EncoderPage> {
    const { page, close } = await blankPage(browser, home);
    page.on('close', onGone);
    page.on('crash', onGone);
    try {
      await page.route('**', route => route.fulfill({ contentType: 'text/html', body: BODY }));
      await page.goto(URL);
    } catch (error) {
      await close();
      throw error;
    }
    return new EncoderPage(page, close);
  }
}

async function blankPage(browser: Browser, home: () => Promise<Page>) {
  try {
    const context = await browser.newContext();
    return { page: await context.newPage(), close: () => context.close() };
  } catch (error) {
    if (!plainMessage(error).includes('Target.createBrowserContext')) throw error;
    const page = await home();
    return { page, close: () => page.close() };
  }
}
