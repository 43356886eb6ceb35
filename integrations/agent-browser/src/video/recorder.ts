import { resolve } from 'node:path';
import type { ScreencastFrame } from '@browser-toolset/core';
import { within } from '@browser-toolset/core/waiting';
import type { Browser, Page } from 'playwright-core';
import { endWithProcess } from '../browser/chromium/process-end.js';
import { safeFileName } from '../browser/files/files.js';
import type { Recording } from '../browser/open-context.js';
import type { Session } from '../browser/session.js';
import type { Recorder } from '../browser/sessions.js';
import { drawOnPicture } from '../browser/tab/draw-on-picture.js';
import { takeBetweenLooks } from '../browser/tab/secret-occurrences.js';
import type { Tab } from '../browser/tab/tab.js';
import { SessionScreencast, sourceOf } from '../live/screencast.js';
import type { ResolvedConfig } from '../options.js';
import type { Point } from '../page/geometry.js';
import { plainMessage } from '../results/errors.js';
import { Video, type VideoOptions } from './video.js';

/** How long the place of an action is marked, in milliseconds. */
const MARK_TIME = 700;
/** How long a page may take to say what it shows at the end, in milliseconds; frames still come meanwhile. */
const LAST_PICTURE_TIMEOUT_MS = 3_000;

interface RecordingOptions extends VideoOptions {
  maxFps: number;
  onEnded(): Promise<void>;
}

/** Records the active tab of a session until it is stopped or the session's context goes. */
class SessionRecording implements Recording {
  readonly #options: RecordingOptions;
  readonly #video: Video;
  readonly #stream: SessionScreencast;
  readonly #stopListening: readonly (() => void)[];
  /** The active one, and at the end the one that was: a session that ends has none any more. */
  #tab: Tab | undefined;
  #frame: ScreencastFrame | undefined;
  #point: Point | undefined;
  #unmark: NodeJS.Timeout | undefined;
  /** Undefined while it goes on. */
  #endsAt: number | undefined;
  #ended: Promise<void> | undefined;

  constructor(session: Session, options: RecordingOptions) {
    this.#options = options;
    this.#video = new Video(options);
    const { maxWidth, maxFps } = options;
    const cast = { maxWidth, maxHeight: maxWidth, minInterval: 1000 / maxFps };
    // The stream goes on when the session has closed, until the last picture is there.
    const source = { ...sourceOf(session), onClosed: () => () => undefined };
    this.#stream = new SessionScreencast(source, cast).on('frame', frame => this.#onFrame(frame));
    this.#stopListening = [
      // Written pictures stand, whatever comes; an orderly end has time to complete the file.
      endWithProcess({ close: () => this.stop(), abandon: () => undefined }),
      session.events.on('activePage', () => {
        this.#tab = session.activeTab;
      }),
      session.events.on('action', ({ point }) => point && this.#onPoint(point)),
      // Nobody wants to see how nothing happens until a session that is not used goes to sleep.
      session.events.on('closed', why => void this.#end(why === 'hibernated' ? session.lastUsed : performance.now())),
    ];
    void this.#stream.reconnect();
  }

  stop(): Promise<void> {
    return this.#end(performance.now());
  }

  #onFrame(frame: ScreencastFrame): void {
    this.#frame = frame;
    this.#show();
  }

  #onPoint(point: Point): void {
    if (this.#endsAt !== undefined) return;
    clearTimeout(this.#unmark);
    this.#setMark(point);
    this.#unmark = setTimeout(() => this.#setMark(undefined), MARK_TIME);
  }

  #setMark(point: Point | undefined): void {
    this.#point = point;
    this.#show();
  }

  #show(): void {
    if (this.#frame === undefined) return;
    const { data, viewport } = this.#frame;
    const { width, height, offsetTop = 0 } = viewport;
    const mark = this.#point && { x: this.#point.x / width, y: (this.#point.y + offsetTop) / width };
    this.#video.show({ picture: data, shape: { width, height }, mark, at: this.#endsAt ?? performance.now() });
  }

  #end(at: number): Promise<void> {
    this.#ended ??= this.#finish(at);
    return this.#ended;
  }

  async #finish(at: number): Promise<void> {
    this.#endsAt = at;
    clearTimeout(this.#unmark);
    this.#point = undefined;
    const picture = await this.#lastPicture();
    await this.#stream.stop();
    if (picture !== undefined) this.#video.show({ picture, at });
    await this.#video.end(at);
    for (const stop of this.#stopListening) stop();
    await this.#options.onEnded();
  }

  async #lastPicture(): Promise<string | undefined> {
    const { canEncode, encoderPage } = this.#options;
    const tab = this.#tab;
    // A page that waits for a dialog is not drawn.
    if (tab === undefined || tab.crashed || tab.dialog !== undefined || !canEncode()) return undefined;
    const taking = lastPicture(tab, { blank: encoderPage, timeout: LAST_PICTURE_TIMEOUT_MS });
    // Of one that is busy, or gone, there is nothing newer than its last frame.
    return within(LAST_PICTURE_TIMEOUT_MS, taking).catch(() => undefined);
  }
}

const JPEG = { type: 'jpeg', quality: 80 } as const;
/** How often a picture is taken anew because a secret on it moved, came or went. */
const RECORDING_TRIES = 3;

/**
 * What a page shows now, as JPEG in base64. The frames of a screencast are of what it showed before, and none tells whether
 * another one is under way. Undefined when it is not known where a secret stands on it.
 * @param blank A page to cover secrets in.
 * @param timeout Of each step, in milliseconds; rejects when a page needs longer.
 */
async function lastPicture(
  { page, engine }: Tab,
  { blank, timeout }: { blank(): Promise<Page>; timeout: number },
): Promise<string | undefined> {
  const take = (): Promise<Buffer> =>
    page.screenshot({ ...JPEG, scale: 'css', animations: 'allow', caret: 'initial', timeout });
  const { sightings } = engine;
  if (sightings === undefined) return (await take()).toString('base64');
  for (let tries = 0; tries < RECORDING_TRIES; tries++) {
    const taken = await takeBetweenLooks(() => sightings.look(page, { timeout }), take);
    if (!taken?.isStill) continue;
    const { picture, covers, scale } = taken;
    const data = picture.toString('base64');
    return covers.length === 0 ? data : drawOnPicture(await blank(), { data, ...JPEG }, { covers, scale });
  }
  return undefined;
}

/** How long the page that encodes may take to close, in milliseconds. */
const ENCODER_CLOSE_MS = 2_000;

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
    if (closed !== undefined) await within(ENCODER_CLOSE_MS, closed);
  }
}

/** Never asked for over a network: because of it the page is in a secure context, as WebCodecs wants. */
const URL = 'https://encoder.invalid/';
const BODY = '<!doctype html><title>Video</title><link rel="icon" href="data:,">';

/** A page to encode in, with nothing of a session in it. */
class EncoderPage {
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
