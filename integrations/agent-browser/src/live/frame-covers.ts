import type { ScreencastFrame } from '@browser-toolset/core';
import type { Page } from 'playwright-core';
import { drawOnPicture } from '../browser/tab/draw-on-picture.js';
import { coversOf, isSteady, type SecretSightings, type Sightings } from '../browser/tab/secret-sightings.js';
import type { CastSettings } from './cast-settings.js';

/** How long a page may take to say where it shows secrets, in milliseconds. */
const LOOK_TIME = 2_000;
/** A frame comes at most so many milliseconds after it was drawn, or so many frames. */
const LATENCY = 500;
const FRAMES_UNDER_WAY = 3;

interface Look {
  seen: Sightings;
  /** `performance.now()` when it ended. */
  at: number;
}

/** The parts of a session that the covers of its frames need. */
export interface CoverSource {
  readonly sightings: SecretSightings;
  /** A blank page to draw in; whoever asks closes it. */
  scratchPage(): Promise<Page>;
}

/** The frames that are to be covered, and where they go. */
export interface Covered {
  page: Page;
  settings(): CastSettings;
  pass(frame: ScreencastFrame): void;
  /** Asks for a frame of the page as it is now: one was withheld, and a page that stands still gives no other. */
  refresh(): void;
}

/**
 * Covers secrets on the frames of one page, one frame after the other; of those that come meanwhile the latest is next.
 * Invariant: a frame is passed on only when the page was looked at after it came as well as before it was drawn, and was
 * steady in between.
 */
export class FrameCovers {
  readonly #source: CoverSource;
  readonly #of: Covered;
  /** The looks that a frame which comes now may have been drawn between, the oldest first. */
  #looks: Look[] = [];
  #later: NodeJS.Timeout | undefined;
  #next: ScreencastFrame | undefined;
  #isBusy = false;
  #isClosed = false;
  #blank: Promise<Page> | undefined;

  private constructor(source: CoverSource, of: Covered) {
    this.#source = source;
    this.#of = of;
  }

  /** Looks at the page before its first frame is taken. */
  static async start(source: CoverSource, of: Covered): Promise<FrameCovers> {
    const covers = new FrameCovers(source, of);
    await covers.#look();
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
      // A page that is busy or waits for a dialog is asked until it answers; a picture that failed is not shown.
      const covered = await this.#cover(frame).catch(() => undefined);
      if (this.#isClosed) return;
      if (covered !== undefined) this.#of.pass(covered.frame);
      if (covered === undefined || !covered.isExact) this.#refreshLater();
    }
    this.#isBusy = false;
  }

  /** A page that stands still gives no other frame by itself. */
  #refreshLater(): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => this.#of.refresh(), LATENCY);
  }

  /** Undefined when it is not known what is on the frame. `isExact`: no more than the secrets is covered. */
  async #cover(frame: ScreencastFrame): Promise<{ frame: ScreencastFrame; isExact: boolean } | undefined> {
    await this.#look();
    const looks = this.#looks.map(({ seen }) => seen);
    if (!isSteady(looks)) return undefined;
    const areas = coversOf(looks);
    if (areas.length === 0) return { frame, isExact: true };
    this.#blank ??= this.#source.scratchPage();
    const { format: type, quality } = this.#of.settings();
    const picture = { data: frame.data, type, quality };
    const width = frame.viewport.width / (looks[0]?.scale ?? 1);
    const data = await drawOnPicture(await this.#blank, picture, { covers: areas, width });
    const isExact = JSON.stringify(areas) === JSON.stringify(coversOf(looks.slice(-1)));
    return { frame: { ...frame, data }, isExact };
  }

  async #look(): Promise<void> {
    const seen = await this.#source.sightings.look(this.#of.page, { timeout: LOOK_TIME });
    const at = performance.now();
    this.#looks.push({ seen, at });
    while (this.#looks.length > FRAMES_UNDER_WAY + 1 && at - (this.#looks[1]?.at ?? at) > LATENCY) this.#looks.shift();
  }
}

/** The page has gone with its context. */
function ignoreGone(): void {}
