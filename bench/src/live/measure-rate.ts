import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../pages/random.ts';
import { median, round } from '../statistics.ts';
import type { Usage } from './child-messages.ts';
import { type FloorRatio, ratioToFloor } from './floor-ratio.ts';
import type { LivePages } from './pages.ts';
import type { ServerProcess } from './server-process.ts';
import { LiveViewer } from './viewer.ts';

/** One stack with a number of viewers of an animated page; medians over the rounds. */
interface FrameRate {
  /** Frames that the browser gave, a second. */
  captured: number;
  /** Frames that a viewer received, a second: the mean over the viewers. */
  received: number;
  /** Milliseconds of processor time of the server's process for each captured frame. */
  cpuMsPerFrame: number;
  /** Bytes that a viewer received, a second. */
  bytesPerSecond: number;
  bytesPerFrame: number;
  receivedAgainstFloor: FloorRatio | undefined;
  cpuAgainstFloor: FloorRatio | undefined;
}

/** By stack, then by number of viewers. */
export type FrameRates = Record<string, Record<string, FrameRate>>;

export interface RateRun {
  pages: LivePages;
  rounds: number;
  isQuick: boolean;
}

export const viewerCounts = [1, 5, 20] as const;
type ViewerCount = (typeof viewerCounts)[number];

/** Nothing is held against the floor with five viewers: a few rounds are enough to see where they lie. */
const roundsOfFive = 3;
/** Until a page that was just opened has done what it does once, in milliseconds. */
const opening = 1_000;
/** Until the viewers that came last are part of the flow. */
const settling = 400;
/** How long is measured: what a collection of garbage costs is shared out among the frames of more than one. */
const windows: Record<ViewerCount, number> = { 1: 4_000, 5: 1_000, 20: 4_000 };
const quickShare = 0.4;

type RateSample = Pick<FrameRate, 'captured' | 'received' | 'cpuMsPerFrame' | 'bytesPerSecond' | 'bytesPerFrame'>;
type Samples = Map<number, RateSample[]>;

export async function measureRates(servers: readonly ServerProcess[], run: RateRun): Promise<FrameRates> {
  const samples = new Map(servers.map(({ name }) => [name as string, new Map<number, RateSample[]>()]));
  const random = new Random('rates');
  for (const server of servers) await server.show(run.pages.url('blank'));
  for (let turn = -1; turn < run.rounds; turn++) {
    for (const server of random.shuffled(servers)) {
      const counts = viewerCounts.filter(count => count !== 5 || (turn >= 0 && turn < roundsOfFive));
      const taken = await turnOf(server, counts, run);
      if (turn >= 0) add(samples.get(server.name), taken);
    }
  }
  return ratesOf(samples);
}

/** The number of viewers grows within a turn; when it ends, the page stands still and leaves the machine to others. */
async function turnOf(
  server: ServerProcess,
  counts: readonly ViewerCount[],
  { pages, isQuick }: RateRun,
): Promise<Map<number, RateSample>> {
  const taken = new Map<number, RateSample>();
  const viewers: LiveViewer[] = [];
  await server.show(pages.url('animated'));
  await pause(opening);
  for (const count of counts) {
    while (viewers.length < count) viewers.push(await LiveViewer.open(server.url));
    await pause(settling);
    taken.set(count, await observe(server, viewers, windows[count] * (isQuick ? quickShare : 1)));
  }
  await server.show(pages.url('blank'));
  await Promise.all(viewers.map(viewer => viewer.close()));
  return taken;
}

async function observe(server: ServerProcess, viewers: readonly LiveViewer[], window: number): Promise<RateSample> {
  const before = await readings(server, viewers);
  await pause(window);
  const after = await readings(server, viewers);
  const seconds = (after.at - before.at) / 1000;
  const received = (after.frames - before.frames) / viewers.length;
  const bytes = (after.bytes - before.bytes) / viewers.length;
  const captured = after.usage.frames - before.usage.frames;
  return {
    captured: captured / seconds,
    received: received / seconds,
    cpuMsPerFrame: (after.usage.cpuMs - before.usage.cpuMs) / captured,
    bytesPerSecond: bytes / seconds,
    bytesPerFrame: bytes / received,
  };
}

interface Readings {
  at: number;
  usage: Usage;
  frames: number;
  bytes: number;
}

async function readings(server: ServerProcess, viewers: readonly LiveViewer[]): Promise<Readings> {
  const usage = await server.usage();
  return {
    at: performance.now(),
    usage,
    frames: viewers.reduce((sum, viewer) => sum + viewer.frames, 0),
    bytes: viewers.reduce((sum, viewer) => sum + viewer.frameBytes, 0),
  };
}

function add(samples: Samples | undefined, taken: ReadonlyMap<number, RateSample>): void {
  for (const [count, sample] of taken) samples?.set(count, [...(samples.get(count) ?? []), sample]);
}

function ratesOf(samples: ReadonlyMap<string, Samples>): FrameRates {
  const floor = samples.get('floor');
  const rates = [...samples].map(([name, counts]) => [
    name,
    Object.fromEntries([...counts].map(([count, some]) => [count, rateOf(some, floor?.get(count))])),
  ]);
  return Object.fromEntries(rates);
}

function rateOf(samples: readonly RateSample[], floor: readonly RateSample[] | undefined): FrameRate {
  const middle = (key: keyof RateSample) => round(median(samples.map(sample => sample[key])));
  const against = (key: keyof RateSample) =>
    ratioToFloor(
      samples.map(sample => sample[key]),
      floor?.map(sample => sample[key]),
    );
  return {
    captured: middle('captured'),
    received: middle('received'),
    cpuMsPerFrame: middle('cpuMsPerFrame'),
    bytesPerSecond: middle('bytesPerSecond'),
    bytesPerFrame: middle('bytesPerFrame'),
    receivedAgainstFloor: against('received'),
    cpuAgainstFloor: against('cpuMsPerFrame'),
  };
}
