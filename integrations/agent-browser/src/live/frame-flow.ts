import { createHash } from 'node:crypto';
import type { ScreencastFrame } from '@browser-toolset/core';

/** A page without a new frame for this long is considered static. */
const STANDSTILL_MS = 100;

export interface Thinning {
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
export class FrameThinner {
  readonly #thinning: Thinning;
  readonly #pass: (frame: ScreencastFrame) => void;
  #skipped: number;
  /** `performance.now()` */
  #lastPassed = Number.NEGATIVE_INFINITY;
  #standstill: NodeJS.Timeout | undefined;

  constructor(thinning: Thinning, pass: (frame: ScreencastFrame) => void) {
    this.#thinning = thinning;
    this.#pass = pass;
    this.#skipped = thinning.everyNthFrame;
  }

  offer(frame: ScreencastFrame): void {
    clearTimeout(this.#standstill);
    this.#skipped += 1;
    const { everyNthFrame, minInterval } = this.#thinning;
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
    this.#pass(frame);
  }
}

/** Chromium drops frames while so many are not acknowledged (content/browser/devtools/protocol/page_handler.cc). */
const MOST_IN_FLIGHT = 3;
/** In milliseconds without a frame, until the page is at rest, and until nothing of a change is still under way. */
const AT_REST_MS = 200;
const LONG_AT_REST_MS = 2_000;
/** In milliseconds: a capture time that is earlier by more says that the clock was set. */
const CLOCK_SET_MS = 5_000;

/**
 * Makes the frames of a page end with how it looks. Chromium encodes frames side by side, so that an earlier one can
 * arrive last, and drops what it cannot send, also the last frame of a change.
 */
export class LastFrames {
  readonly #ask: () => void;
  readonly #acks: FrameAcks;
  /** Frames since the last one was known to be the last, late ones and those asked for as well: all were in flight. */
  #unsure = 0;
  #latest: string | undefined;
  #capturedAt = 0;
  /** The digest of the frame after which another was asked for. */
  #asked: string | undefined;
  #resting: NodeJS.Timeout | undefined;

  /** @param ask Makes Chromium send a frame of the page as it is. */
  constructor(acks: FrameAcks, ask: () => void) {
    this.#acks = acks;
    this.#ask = ask;
  }

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

  /** Looks whether the page rests, from now on. */
  wait(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#onRest(), AT_REST_MS);
  }

  stop(): void {
    clearTimeout(this.#resting);
  }

  #onRest(): void {
    // No frame comes before this one is taken, whether the page rests or not.
    if (this.#acks.isFrameDue) return;
    if (this.#unsure >= MOST_IN_FLIGHT) {
      this.#asked = digestOf(this.#latest ?? '');
      this.#unsure = 0;
      this.#ask();
    } else {
      this.#resting = setTimeout(() => {
        this.#unsure = this.#acks.inFlight;
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
  readonly #send: (sessionId: number) => void;
  #isPaced = false;
  /** Frames of this cast since it has begun, or begun anew: Chromium counts those. */
  #sessionId = 0;
  #kept = 0;
  #due = 0;

  constructor(send: (sessionId: number) => void) {
    this.#send = send;
  }

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
    if (!this.#isPaced) this.#send(sessionId);
    else if (this.#kept < PACED_IN_FLIGHT) this.#kept += 1;
    else this.#due += 1;
  }

  give(): void {
    for (; this.#due > 0; this.#due--) this.#send(this.#sessionId);
  }
}
