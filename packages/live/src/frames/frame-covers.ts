import { setTimeout as delay } from 'node:timers/promises';
import type { ScreencastFrame } from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import { ignoreGone } from '../page-channel.js';
import { drawOnPicture } from './draw-on-picture.js';
import { coversOf, isSteady, type SecretOccurrenceReader, type SecretOccurrences } from './secret-occurrences.js';

const COVER_READ_MS = 2_000;
/** The longest delay between rendering and receiving a frame: in milliseconds, or in frames. */
const LATENCY_MS = 500;
const FRAMES_UNDER_WAY = 3;

interface TimedOccurrences {
  seen: SecretOccurrences;
  /** `performance.now()` when it ended. */
  at: number;
}

export interface CoverSource {
  readonly secretOccurrences: SecretOccurrenceReader;
  scratchPage(): Promise<Page>;
}

export interface CoveredStream {
  page: Page;
  settings(): { format: 'jpeg' | 'png'; quality: number };
  pass(frame: ScreencastFrame): void;
  /** A frame is not passed on. */
  withhold(): void;
  /** Requests a new frame, because one was withheld and a static page produces no other. */
  refresh(): void;
}

/**
 * Covers secrets on one page's frames, one at a time; of the frames that arrive meanwhile only the latest is kept.
 * Invariant: a frame is passed on only if the page was searched before its rendering and after its arrival, and was
 * steady in between.
 */
export class FrameCovers {
  /** The searches between which a frame arriving now may have been rendered, oldest first. */
  #reads: TimedOccurrences[] = [];
  #later: NodeJS.Timeout | undefined;
  #next: ScreencastFrame | undefined;
  #isBusy = false;
  #isClosed = false;
  #blank: Promise<Page> | undefined;

  private constructor(
    readonly source: CoverSource,
    readonly of: CoveredStream,
  ) {}

  static async start(source: CoverSource, of: CoveredStream): Promise<FrameCovers> {
    const covers = new FrameCovers(source, of);
    await covers.#read();
    // The first frame may have been rendered before the page was searched, with a secret at another place.
    if (covers.#reads.some(({ seen }) => seen.areas.size > 0)) await delay(LATENCY_MS);
    return covers;
  }

  offer(frame: ScreencastFrame): void {
    clearTimeout(this.#later);
    this.#next = frame;
    if (!this.#isBusy) void this.#work();
  }

  close(): void {
    this.#isClosed = true;
    this.#next = undefined;
    clearTimeout(this.#later);
    this.#blank?.then(page => page.close()).catch(ignoreGone);
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let frame = this.#next; frame !== undefined && !this.#isClosed; frame = this.#next) {
      this.#next = undefined;
      // A page that is busy or has a dialog open is asked again; an uncovered frame is never shown.
      const covered = await this.#cover(frame).catch(() => undefined);
      if (this.#isClosed) return;
      if (covered === undefined) this.of.withhold();
      else this.of.pass(covered.frame);
      if (covered === undefined || !covered.isExact) this.#refreshLater();
    }
    this.#isBusy = false;
  }

  /** A static page produces no other frame by itself. */
  #refreshLater(): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.of.refresh(), LATENCY_MS);
  }

  /** Undefined when the content of the frame is uncertain. `isExact`: only the secrets are covered. */
  async #cover(frame: ScreencastFrame): Promise<{ frame: ScreencastFrame; isExact: boolean } | undefined> {
    await this.#read();
    const reads = this.#reads.map(({ seen }) => seen);
    if (!isSteady(reads)) return undefined;
    const areas = coversOf(reads);
    if (areas.length === 0) return { frame, isExact: true };
    this.#blank ??= this.source.scratchPage();
    const { format: type, quality } = this.of.settings();
    const picture = { data: frame.data, type, quality };
    const width = frame.viewport.width / (reads[0]?.scale ?? 1);
    const data = await drawOnPicture(await this.#blank, picture, { covers: areas, width });
    const isExact = JSON.stringify(areas) === JSON.stringify(coversOf(reads.slice(-1)));
    return { frame: { ...frame, data }, isExact };
  }

  async #read(): Promise<void> {
    const seen = await this.source.secretOccurrences.read(this.of.page, { timeout: COVER_READ_MS });
    const at = performance.now();
    this.#reads.push({ seen, at });
    while (this.#reads.length > FRAMES_UNDER_WAY + 1 && at - (this.#reads[1]?.at ?? at) > LATENCY_MS)
      this.#reads.shift();
  }
}
