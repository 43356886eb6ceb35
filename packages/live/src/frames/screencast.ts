import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  LatestFrame,
  type ScreencastFrame,
  type ScreencastOptions,
  type ScreencastPicture,
  type ScreencastStream,
} from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import { ignoreGone, PageChannel } from '../page-channel.js';
import type { LiveSource } from '../source.js';
import { type CoverSource, FrameCovers } from './frame-covers.js';

/** A page without a new frame for this long is considered static. */
const STANDSTILL_MS = 100;

interface Thinning {
  /** Pass one of every n frames, the first included. */
  everyNthFrame: number;
  /** The least time between two frames, in milliseconds. */
  minInterval: number;
}

/**
 * Drops frames to limit the frame rate.
 * Invariant: the last frame before a page becomes static is passed on. Chromium's own `everyNthFrame` can drop it, so a
 * static page would never be shown.
 */
class FrameThinner {
  #skipped: number;
  /** `performance.now()` */
  #lastPassed = Number.NEGATIVE_INFINITY;
  #standstill: NodeJS.Timeout | undefined;

  constructor(
    readonly thinning: Thinning,
    readonly pass: (frame: ScreencastFrame) => void,
  ) {
    this.#skipped = thinning.everyNthFrame;
  }

  offer(frame: ScreencastFrame): void {
    clearTimeout(this.#standstill);
    this.#skipped += 1;
    const { everyNthFrame, minInterval } = this.thinning;
    const isNth = this.#skipped >= everyNthFrame;
    const wait = this.#lastPassed + minInterval - performance.now();
    if (isNth && wait <= 0) this.#emit(frame);
    else this.#standstill = setTimeout(() => this.#emit(frame), Math.max(wait, isNth ? 0 : STANDSTILL_MS));
  }

  stop(): void {
    clearTimeout(this.#standstill);
  }

  #emit(frame: ScreencastFrame): void {
    this.#skipped = 0;
    this.#lastPassed = performance.now();
    this.pass(frame);
  }
}

type CastOptions = Omit<ScreencastOptions, 'threadId'> & Partial<Thinning>;

type CastSettings = Required<CastOptions>;

/** In pixels; larger than any frame that Chromium can produce. */
const MAX_SIDE_PX = 16_384;

/** Invariant: Chromium accepts the result, so a cast that fails to start is the page's fault and worth a retry. */
function castSettings(options: CastOptions): CastSettings {
  return {
    format: options.format === 'png' ? 'png' : 'jpeg',
    quality: integerIn(0, 100, options.quality ?? 80),
    maxWidth: integerIn(1, MAX_SIDE_PX, options.maxWidth ?? 1280),
    maxHeight: integerIn(1, MAX_SIDE_PX, options.maxHeight ?? 720),
    everyNthFrame: integerIn(1, 1000, options.everyNthFrame ?? 1),
    minInterval: options.minInterval ?? 0,
  };
}

function integerIn(least: number, most: number, value: number): number {
  return Number.isNaN(value) ? most : Math.min(Math.max(Math.round(value), least), most);
}

/** Chromium drops frames while so many are not acknowledged (content/browser/devtools/protocol/page_handler.cc). */
const MOST_IN_FLIGHT = 3;
/** In milliseconds without a frame, until the page is at rest, and until nothing of a change is still under way. */
const AT_REST_MS = 200;
const LONG_AT_REST_MS = 2_000;
/** In milliseconds: a capture time that is earlier by more means that the clock was set. */
const CLOCK_SET_MS = 5_000;

/**
 * Makes the frames of a page end with its final state. Chromium encodes frames side by side, so that an earlier one can
 * arrive last, and drops what it cannot send, also the last frame of a change.
 */
export class LastFrames {
  /** Frames since the last one was known to be the last, late ones and those asked for as well: all were in flight. */
  #unsure = 0;
  #latest: string | undefined;
  #capturedAt = 0;
  /** The digest of the frame after which another was asked for. */
  #asked: string | undefined;
  #resting: NodeJS.Timeout | undefined;

  /** @param ask Makes Chromium send a frame of the page as it is. */
  constructor(
    readonly acks: FrameAcks,
    readonly ask: () => void,
  ) {}

  /** What a frame is beside the ones before: `late` shows an earlier state, `same` was asked for and shows no change. */
  take({ data, capturedAt = 0 }: Pick<ScreencastFrame, 'data' | 'capturedAt'>): 'new' | 'same' | 'late' {
    this.#unsure += 1;
    this.wait();
    const late = this.#capturedAt - capturedAt;
    if (late > 0 && late < CLOCK_SET_MS) return 'late';
    this.#capturedAt = capturedAt;
    this.#latest = data;
    const isSame = this.#asked !== undefined && this.#asked === digestOf(data);
    this.#asked = undefined;
    return isSame ? 'same' : 'new';
  }

  /** Asks for a frame once the page rests: Chromium may drop the only one of a new size, too. */
  doubt(): void {
    this.#unsure = MOST_IN_FLIGHT;
    this.wait();
  }

  /** Checks whether the page rests, from now on. */
  wait(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#onRest(), AT_REST_MS);
  }

  stop(): void {
    clearTimeout(this.#resting);
  }

  #onRest(): void {
    // No frame comes before this one is taken, whether the page rests or not.
    if (this.acks.isFrameDue) return;
    if (this.#unsure >= MOST_IN_FLIGHT) {
      this.#asked = digestOf(this.#latest ?? '');
      this.#unsure = 0;
      this.ask();
    } else {
      this.#resting = setTimeout(() => {
        this.#unsure = this.acks.inFlight;
      }, LONG_AT_REST_MS - AT_REST_MS);
    }
    // A string that is kept would outlive collections of young garbage.
    this.#latest = undefined;
  }
}

function digestOf(data: string): string {
  return createHash('sha1').update(data).digest('base64');
}

/** So many frames stay unacknowledged where frames are paced: Chromium makes one more for each one that is taken. */
const PACED_IN_FLIGHT = 2;

/** Acknowledges frames: at once, or when the next one is taken. */
export class FrameAcks {
  #isPaced = false;
  /** Frames of this cast since it has begun, or begun anew: Chromium counts those. */
  #sessionId = 0;
  #kept = 0;
  #due = 0;

  constructor(readonly send: (sessionId: number) => void) {}

  /** Whether a frame waits until it is taken. */
  get isFrameDue(): boolean {
    return this.#due > 0;
  }

  /** Frames that are kept unacknowledged. */
  get inFlight(): number {
    return this.#kept + this.#due;
  }

  /** Answers whether frames have to begin anew, since acknowledgements were kept back. */
  pace(isPaced: boolean): boolean {
    const hasKept = this.#isPaced && !isPaced && this.inFlight > 0;
    this.#isPaced = isPaced;
    return hasKept;
  }

  add(sessionId: number): void {
    if (sessionId !== this.#sessionId) [this.#sessionId, this.#kept, this.#due] = [sessionId, 0, 0];
    if (!this.#isPaced) this.send(sessionId);
    else if (this.#kept < PACED_IN_FLIGHT) this.#kept += 1;
    else this.#due += 1;
  }

  give(): void {
    for (; this.#due > 0; this.#due--) this.send(this.#sessionId);
  }
}

interface CastListener {
  onFrame(frame: ScreencastFrame): void;
  /** The page or the browser is gone. */
  onLost(): void;
}

/** In milliseconds: frames of the size before still arrive meanwhile. */
const RESIZED_MS = 300;
const MOST_RESIZINGS = 3;

/**
 * Keeps frames as high as the page's viewport. Chromium (156) sometimes shows a tab that comes to the front without the
 * lowest part of its viewport, until the viewport is given another size. Higher frames are a picture of the whole page.
 */
export class ViewportKeeper {
  #timer: NodeJS.Timeout | undefined;
  /** Other browsers may have reasons for another size. */
  #resizings = 0;

  constructor(readonly page: Pick<Page, 'viewportSize' | 'setViewportSize'>) {}

  check({ height }: ScreencastFrame['viewport']): void {
    const wanted = this.page.viewportSize()?.height ?? 0;
    if (height >= wanted) this.stop();
    else if (this.#resizings < MOST_RESIZINGS)
      this.#timer ??= setTimeout(() => this.#resize().catch(ignoreGone), RESIZED_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #resize(): Promise<void> {
    const { page } = this;
    const wanted = page.viewportSize();
    this.#timer = undefined;
    this.#resizings += 1;
    if (wanted === null) return;
    const other = { ...wanted, height: wanted.height + 1 };
    await page.setViewportSize(other);
    // A person may have resized it meanwhile.
    if (page.viewportSize()?.height === other.height) await page.setViewportSize(wanted);
  }
}

/** The screencast of one page, until it is closed. */
class PageCast {
  readonly #thinner: FrameThinner;
  readonly #acks: FrameAcks;
  readonly lastFrames: LastFrames;
  readonly #viewport: ViewportKeeper;
  #covers: FrameCovers | undefined;
  #isClosed = false;

  private constructor(
    readonly channel: PageChannel,
    private settings: CastSettings,
    readonly listener: CastListener,
  ) {
    this.#acks = new FrameAcks(sessionId => {
      channel.cdp.send('Page.screencastFrameAck', { sessionId }).catch(() => this.#lose());
    });
    this.lastFrames = new LastFrames(this.#acks, () => this.refresh());
    this.#viewport = new ViewportKeeper(channel.page);
    this.#thinner = new FrameThinner(settings, frame => this.#pass(frame));
    channel.cdp.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      this.#acks.add(sessionId);
      const { timestamp, deviceWidth: width, deviceHeight: height, offsetTop, pageScaleFactor } = metadata;
      // Chromium gives seconds since the epoch.
      const captured = timestamp !== undefined && { capturedAt: timestamp * 1000 };
      const frame = { data, viewport: { width, height, offsetTop, pageScaleFactor }, ...captured };
      this.#viewport.check(frame.viewport);
      const kind = this.lastFrames.take(frame);
      // Covers ask for frames of a page that has not changed.
      if (kind === 'new' || (kind === 'same' && this.#covers !== undefined)) this.#thinner.offer(frame);
      else this.#acks.give();
    });
    channel.cdp.on('close', () => this.#lose());
  }

  /** Rejects, and cleans up, while the page cannot be cast. `source` is present when secrets must be covered. */
  static async start(
    page: Page,
    settings: CastSettings,
    { listener, source }: { listener: CastListener; source?: CoverSource },
  ): Promise<PageCast> {
    const channel = await PageChannel.open(page);
    const cast = new PageCast(channel, settings, listener);
    try {
      if (source !== undefined) {
        const pass = (frame: ScreencastFrame): void => listener.onFrame(frame);
        const refresh = (): void => cast.refresh();
        const withhold = (): void => cast.takeNext();
        const of = { page, settings: () => cast.settings, pass, withhold, refresh };
        cast.#covers = await FrameCovers.start(source, of);
      }
      // A busy page sends frames while, in some versions of Chromium (150), the command stays unanswered.
      const shown = new Promise<void>(resolve => channel.cdp.once('Page.screencastFrame', () => resolve()));
      const begun = cast.#begin();
      begun.catch(() => cast.#lose());
      await Promise.race([begun, shown]);
    } catch (error) {
      cast.close();
      throw error;
    }
    return cast;
  }

  /** Whether frames are acknowledged only when the next one is taken. */
  pace(isPaced: boolean): void {
    if (this.#acks.pace(isPaced)) this.refresh();
  }

  takeNext(): void {
    if (this.#isClosed || !this.#acks.isFrameDue) return;
    this.#acks.give();
    this.lastFrames.wait();
  }

  /** Changes the settings of a running cast, except for thinning. */
  change(settings: CastSettings): void {
    this.settings = settings;
    this.refresh();
  }

  refresh(): void {
    this.#begin().catch(() => this.#lose());
  }

  close(): void {
    this.#isClosed = true;
    this.lastFrames.stop();
    this.#viewport.stop();
    this.#thinner.stop();
    this.#covers?.close();
    this.channel.close();
  }

  async #begin(): Promise<void> {
    const { format, quality, maxWidth, maxHeight } = this.settings;
    await this.channel.cdp.send('Page.startScreencast', { format, quality, maxWidth, maxHeight, everyNthFrame: 1 });
  }

  #pass(frame: ScreencastFrame): void {
    if (this.#isClosed) return;
    if (this.#covers === undefined) this.listener.onFrame(frame);
    else this.#covers.offer(frame);
  }

  #lose(): void {
    if (this.#isClosed) return;
    this.close();
    this.listener.onLost();
  }
}

/** A page cannot be cast while a navigation swaps its process; the pause between retries doubles. */
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 1000;

interface StreamEvents {
  frame: [ScreencastFrame];
  url: [string];
  stop: [string];
  /** Never emitted: Mastra's server drops a stream on its first error, and this one recovers from all of them. */
  error: [Error];
}

/**
 * A session's screencast, one of possibly several. It follows the active tab through navigations, tab switches, crashes
 * and restarts until it is stopped or the session closes.
 * Invariant: a handler added late still gets the current frame and the end.
 */
export class SessionScreencast implements ScreencastStream {
  readonly #source: LiveSource;
  #settings: CastSettings;
  readonly #emitter = new EventEmitter<StreamEvents>();
  readonly #lastFrame = new LatestFrame();
  readonly #unsubscribe: readonly (() => void)[];
  #cast: PageCast | undefined;
  #lastUrl: string | undefined;
  #stopReason: string | undefined;
  #isPaced = false;
  /** False once the active page may have changed. */
  #isCurrent = false;
  #following: Promise<void> | undefined;
  #retryNow = new AbortController();

  constructor(source: LiveSource, options: CastOptions = {}) {
    this.#source = source;
    this.#settings = castSettings(options);
    this.#unsubscribe = [
      source.onActivePageChanged(() => void this.reconnect()),
      source.onUrlChanged(url => this.#onUrl(url)),
      source.onResized(() => this.#cast?.lastFrames.doubt()),
      source.onClosed(reason => void this.#end(reason)),
    ];
  }

  on<Event extends keyof StreamEvents>(event: Event, handler: (...values: StreamEvents[Event]) => void): this;
  on(event: keyof StreamEvents, handler: (value: never) => void): this {
    this.#emitter.on(event, handler as () => void);
    if (event === 'frame') queueMicrotask(() => this.#replayFrame(handler as (frame: ScreencastFrame) => void));
    if (event === 'stop' && this.#stopReason !== undefined) queueMicrotask(() => handler(this.#stopReason as never));
    return this;
  }

  off<Event extends keyof StreamEvents>(event: Event, handler: (...values: StreamEvents[Event]) => void): this;
  off(event: keyof StreamEvents, handler: (value: never) => void): this {
    this.#emitter.off(event, handler as () => void);
    return this;
  }

  isActive(): boolean {
    return this.#stopReason === undefined;
  }

  /** Restarts the cast of the active page. Resolves when it is shown, or when there is no page. Never rejects. */
  reconnect(): Promise<void> {
    this.#isCurrent = false;
    this.#retryNow.abort();
    if (!this.isActive()) return Promise.resolve();
    this.#following ??= this.#follow();
    return this.#following;
  }

  change(picture: ScreencastPicture): void {
    const { format, everyNthFrame, minInterval } = this.#settings;
    this.#settings = castSettings({ format, everyNthFrame, minInterval, ...picture });
    // A cast that is starting still has the old settings.
    if (this.#cast === undefined) void this.reconnect();
    else this.#cast.change(this.#settings);
  }

  /**
   * Makes frames as slowly as they are taken, each after a call of `takeNext`, instead of all that Chromium can make: for
   * a screencast whose frames nobody shows as they are.
   */
  pace(isPaced: boolean): void {
    this.#isPaced = isPaced;
    if (this.isActive()) this.#cast?.pace(isPaced);
  }

  takeNext(): void {
    this.#cast?.takeNext();
  }

  latestFrame(): ScreencastFrame | undefined {
    return this.isActive() ? this.#lastFrame.read() : undefined;
  }

  emitUrl(url: string): void {
    this.#lastUrl = url;
    this.#emitter.emit('url', this.#source.publishedUrl?.(url) ?? url);
  }

  async stop(): Promise<void> {
    await this.#end('manual');
  }

  async #end(reason: string): Promise<void> {
    if (!this.isActive()) return;
    this.#stopReason = reason;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#retryNow.abort();
    this.#emitter.emit('stop', reason);
    this.#leavePage();
    await this.#following;
  }

  async #follow(): Promise<void> {
    let failures = 0;
    while (this.isActive() && !this.#isCurrent) {
      this.#isCurrent = true;
      this.#retryNow = new AbortController();
      if (await this.#showActivePage()) continue;
      failures += 1;
      await this.#pause(failures);
      this.#isCurrent = false;
    }
    this.#following = undefined;
  }

  /** Resolves to false when another attempt is due. */
  async #showActivePage(): Promise<boolean> {
    this.#leavePage();
    const page = this.#source.activePage();
    if (!page || !this.isActive()) return true;
    try {
      const listener = {
        onFrame: (frame: ScreencastFrame) => this.#onFrame(frame),
        onLost: () => {
          if (this.#source.activePage() === page) void this.reconnect();
        },
      };
      this.#cast = await PageCast.start(page, this.#settings, { listener, source: this.#source.covers?.() });
    } catch {
      // The page is swapping processes, which is brief, or it is gone, which the source will report.
      return page.isClosed();
    }
    this.#cast.pace(this.#isPaced);
    if (this.isActive()) this.#onUrl(page.url());
    else this.#leavePage();
    return true;
  }

  #leavePage(): void {
    this.#cast?.close();
    this.#cast = undefined;
    this.#lastFrame.forget();
  }

  async #pause(failures: number): Promise<void> {
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS);
    await delay(wait, undefined, { signal: this.#retryNow.signal }).catch(() => undefined);
  }

  #onFrame(frame: ScreencastFrame): void {
    if (!this.isActive()) return;
    this.#lastFrame.keep(frame);
    this.#emitter.emit('frame', frame);
  }

  #onUrl(url: string): void {
    // A navigation committed, so a page that could not be cast may work now.
    this.#retryNow.abort();
    if (url !== this.#lastUrl) this.emitUrl(url);
  }

  #replayFrame(handler: (frame: ScreencastFrame) => void): void {
    const frame = this.latestFrame();
    if (frame !== undefined) handler(frame);
  }
}
