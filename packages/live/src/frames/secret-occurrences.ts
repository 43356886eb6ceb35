import type { Frame, Page } from 'playwright-core';
import type { Rect } from '#page-engine/dom/geometry.js';
import type { OccurrencesAnswer } from '#page-engine/protocol.js';

export interface SecretOccurrences {
  doc: string;
  vanished: number;
  areas: ReadonlyMap<string, Rect & { pinned: boolean }>;
  /** The visual viewport's scale. */
  scale: number;
}

/** In pixels; glyphs can overflow their line box. */
const MARGIN_PX = 3;
/** In milliseconds; a frame that does not answer in time is treated as showing a secret. */
const FRAME_MS = 1_000;

/** `timeout` in milliseconds until the page counts as unresponsive. */
type ReadOptions = Readonly<{ timeout: number; signal?: AbortSignal }>;

interface AskedForOccurrences {
  call(frame: Frame, name: 'secretOccurrences', asked: object, options: ReadOptions): Promise<OccurrencesAnswer>;
}

/** Finds secrets to cover on pictures. Canvas content and images are not searched. */
export class SecretOccurrenceReader {
  constructor(readonly engine: AskedForOccurrences) {}

  /** Where the page shows secrets now. Rejects when the page does not answer. */
  async read(page: Page, options: ReadOptions): Promise<SecretOccurrences> {
    const main = page.mainFrame();
    const inner = page.frames().filter(frame => frame !== main);
    const [own, ...others] = await Promise.all([
      this.#ask(main, options),
      ...inner.map(frame => this.#within(frame, { ...options, timeout: Math.min(options.timeout, FRAME_MS) })),
    ]);
    const areas = new Map<string, Rect & { pinned: boolean }>();
    const [left, top, scale] = own.visualViewport;
    for (const { key, box, pinned = false } of own.boxes) {
      const [x, y, width, height] = box;
      areas.set(key, { x: x - left, y: y - top, width, height, pinned });
    }
    for (const [key, area] of others.flat()) areas.set(key, { ...area, pinned: false });
    return { doc: own.doc, vanished: own.vanished, areas, scale };
  }

  /** The secrets in a frame, in coordinates of the page's viewport. */
  async #within(frame: Frame, options: ReadOptions): Promise<[key: string, area: Rect][]> {
    try {
      const { boxes, root, doc } = await this.#ask(frame, options);
      if (boxes.length === 0) return [];
      const shown = await frame.locator('html').boundingBox(options);
      if (shown === null) return [];
      const [x, y, width] = root;
      const scale = width > 0 ? shown.width / width : 1;
      return boxes.map(({ key, box: [left, top, wide, high] }) => [
        `${doc}:${key}`,
        { x: shown.x + (left - x) * scale, y: shown.y + (top - y) * scale, width: wide * scale, height: high * scale },
      ]);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      return this.#allOf(frame, options);
    }
  }

  /** Covers the whole of a frame that cannot be searched. */
  async #allOf(frame: Frame, options: ReadOptions): Promise<[key: string, area: Rect][]> {
    if (frame.isDetached()) return [];
    try {
      const holder = await frame.frameElement();
      const box = await holder.boundingBox();
      await holder.dispose();
      return box === null ? [] : [[`frame ${frame.url()}`, box]];
    } catch (error) {
      if (!frame.isDetached() && options.signal?.aborted !== true) throw error;
      return [];
    }
  }

  #ask(frame: Frame, options: ReadOptions): Promise<OccurrencesAnswer> {
    return this.engine.call(frame, 'secretOccurrences', {}, options);
  }
}

/**
 * Whether a picture between these reads can be covered: same document, scale and elements with secrets. An element that
 * came or went in between has no known position.
 */
export function isSteady(reads: readonly SecretOccurrences[]): boolean {
  const [first] = reads;
  return reads.every(
    ({ doc, vanished, areas, scale }) =>
      doc === first?.doc &&
      scale === first.scale &&
      vanished === first.vanished &&
      areas.size === first.areas.size &&
      [...areas.keys()].every(key => first.areas.has(key)),
  );
}

/**
 * The areas to cover on a picture taken between reads: each position, the space between them, and a margin as large as
 * the longest step, for motion that reverses or restarts in between.
 */
export function coversOf(reads: readonly SecretOccurrences[]): Rect[] {
  const keys = new Set(reads.flatMap(({ areas }) => [...areas.keys()]));
  return [...keys].map(key => {
    const seen = reads.map(({ areas }) => areas.get(key)).filter(area => area !== undefined);
    const beyondX = MARGIN_PX + longestStep(seen.map(({ x }) => x));
    const beyondY = MARGIN_PX + longestStep(seen.map(({ y }) => y));
    const left = Math.min(...seen.map(({ x }) => x)) - beyondX;
    const top = Math.min(...seen.map(({ y }) => y)) - beyondY;
    const right = Math.max(...seen.map(({ x, width }) => x + width)) + beyondX;
    const bottom = Math.max(...seen.map(({ y, height }) => y + height)) + beyondY;
    return { x: left, y: top, width: right - left, height: bottom - top };
  });
}

function longestStep(places: readonly number[]): number {
  return Math.max(0, ...places.slice(1).map((place, at) => Math.abs(place - (places[at] ?? place))));
}

/** A picture between two reads, and its covers; undefined when they are uncertain. `isStill`: no secret moved. */
export async function takeBetweenReads<Picture>(
  read: () => Promise<SecretOccurrences>,
  take: (before: SecretOccurrences) => Promise<Picture>,
): Promise<{ picture: Picture; covers: Rect[]; scale: number; isStill: boolean } | undefined> {
  const before = await read();
  const picture = await take(before);
  const reads = [before, await read()];
  if (!isSteady(reads)) return undefined;
  const covers = coversOf(reads);
  return {
    picture,
    covers,
    scale: before.scale,
    isStill: JSON.stringify(covers) === JSON.stringify(coversOf([before])),
  };
}
