import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { MEBIBYTE, round } from '../statistics.ts';
import type { LiveStackName } from './live-server.ts';
import type { LivePages } from './pages.ts';
import { type ServerProcess, withServer } from './server-process.ts';
import { LiveViewer } from './viewer.ts';

/** A viewer that stops reading, beside one that reads on. */
export interface SlowViewer {
  seconds: number;
  /** Frames a second of the one that reads, before and while the other does not. */
  rateBefore: number;
  rateBeside: number;
  /** MiB that the server's process has grown by: its resident memory, and what its buffers hold. */
  rssGrowth: number;
  bufferGrowth: number;
  /** What the slow one gets once it reads again; undefined when it got nothing more. */
  resumed: Resumed | undefined;
}

export interface Resumed {
  /** Frames from the time when it did not read. */
  stale: number;
  /** Milliseconds until it saw what the other one saw no more than `freshness` before. */
  caughtUpAfter: number | undefined;
}

export interface SlowViewerRun {
  pages: LivePages;
  seconds: number;
}

const warmUp = 4_000;
/** Of the warm-up, the part whose rate counts. */
const comparison = 2_500;
/** How far behind a frame may be and still be the newest one, in milliseconds. */
const freshness = 250;
const resumePatience = 10_000;

/** One after the other, each with nothing else on the machine: memory is what is looked at. */
export async function measureSlowViewers(
  names: readonly LiveStackName[],
  run: SlowViewerRun,
): Promise<Record<string, SlowViewer>> {
  const results: Record<string, SlowViewer> = {};
  for (const name of names) results[name] = await withServer(name, server => measureOne(server, run));
  return results;
}

async function measureOne(server: ServerProcess, { pages, seconds }: SlowViewerRun): Promise<SlowViewer> {
  await server.show(pages.url('animated'));
  const seen = new SeenFrames();
  const fast = await LiveViewer.open(server.url, ({ data, at }) => seen.note(data, at));
  await pause(warmUp - comparison);
  const rateBefore = await rateOver(fast, comparison);
  const slow = await LiveViewer.open(server.url);
  await pause(500);
  const before = await server.usage(true);
  slow.stopReading();
  const rateBeside = await rateOver(fast, seconds * 1000);
  const after = await server.usage(true);
  const resumed = await resume(slow, seen);
  await Promise.all([fast.close(), slow.close()]);
  return {
    seconds,
    rateBefore: round(rateBefore),
    rateBeside: round(rateBeside),
    rssGrowth: round((after.rss - before.rss) / MEBIBYTE),
    bufferGrowth: round((after.external + after.heapUsed - before.external - before.heapUsed) / MEBIBYTE),
    resumed,
  };
}

async function rateOver(viewer: LiveViewer, milliseconds: number): Promise<number> {
  const [frames, start] = [viewer.frames, performance.now()];
  await pause(milliseconds);
  return ((viewer.frames - frames) * 1000) / (performance.now() - start);
}

async function resume(slow: LiveViewer, seen: SeenFrames): Promise<Resumed | undefined> {
  const start = performance.now();
  const framesBefore = slow.frames;
  let stale = 0;
  const newest = slow.frameThat(({ data, at }) => {
    const isFresh = at - (seen.when(data) ?? at) <= freshness;
    if (!isFresh) stale += 1;
    return isFresh;
  }, resumePatience);
  slow.readAgain();
  const frame = await newest;
  if (slow.frames === framesBefore) return undefined;
  return { stale, caughtUpAfter: frame && round(frame.at - start) };
}

/** When the fast viewer saw which frame. */
class SeenFrames {
  readonly #times = new Map<string, number>();

  note(data: Buffer, at: number): void {
    this.#times.set(frameKey(data), at);
  }

  /** Undefined for a frame that the fast viewer has not seen: it must be newer than all of those. */
  when(data: Buffer): number | undefined {
    return this.#times.get(frameKey(data));
  }
}

function frameKey(data: Buffer): string {
  return `${data.length} ${crc32(data)}`;
}
