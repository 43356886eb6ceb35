import { liveStackNames } from './live-server.ts';
import { type FrameBytes, measureBytes } from './measure-bytes.ts';
import { type FirstFrames, measureFirstFrames } from './measure-first-frame.ts';
import { type GarbageResult, measureGarbage } from './measure-garbage.ts';
import { type InputLatency, measureInput } from './measure-input.ts';
import { type FlatMemory, measureFlatMemory } from './measure-memory.ts';
import { type FrameRates, measureRates } from './measure-rate.ts';
import { measureSlowViewers, type SlowViewer } from './measure-slow-viewer.ts';
import { type LivePages, serveLivePages } from './pages.ts';
import { ServerProcess } from './server-process.ts';
import { measureVideo, type VideoResults } from './video/measure-video.ts';

/** The live view, by what is measured and by stack; a part that was not measured is absent. */
export interface LiveResults {
  rounds: number;
  firstFrame?: Record<string, FirstFrames>;
  input?: Record<string, InputLatency>;
  rate?: FrameRates;
  bytes?: FrameBytes;
  slow?: Record<string, SlowViewer>;
  garbage?: Record<string, GarbageResult>;
  memory?: FlatMemory;
  video?: VideoResults;
}

export const liveParts = ['first-frame', 'input', 'rate', 'bytes', 'slow', 'garbage', 'memory', 'video'] as const;
export type LivePart = (typeof liveParts)[number];

export interface LiveOptions {
  rounds: number;
  /** How long the memory of the server is looked at. */
  minutes: number;
  isQuick: boolean;
  parts: readonly LivePart[];
}

/** A round of it takes 20 seconds: no more than the bars need. */
const roundsOfRate = 7;
/** A round of it takes two minutes. */
const roundsOfVideo = 5;

type LivePartMeasure = (pages: LivePages, options: LiveOptions, results: LiveResults) => Promise<void>;

/** What takes turns, in browsers that are open side by side; the pages of all but one stand still. */
const inTurns: Partial<
  Record<LivePart, (servers: readonly ServerProcess[], ...rest: Parameters<LivePartMeasure>) => Promise<void>>
> = {
  async 'first-frame'(servers, pages, { rounds }, results) {
    results.firstFrame = await measureFirstFrames(servers, pages.url('static'), rounds);
  },
  async input(servers, pages, { rounds, isQuick }, results) {
    const run = { pageUrl: pages.url('colours'), rounds, clicksARound: isQuick ? 12 : 30 };
    results.input = await measureInput(servers, run);
  },
  async rate(servers, pages, { rounds, isQuick }, results) {
    results.rate = await measureRates(servers, { pages, rounds: Math.min(rounds, roundsOfRate), isQuick });
  },
};

/** What looks at the memory or the log of a server: each in a fresh one, alone on the machine. */
const alone: Partial<Record<LivePart, LivePartMeasure>> = {
  async bytes(pages, _, results) {
    results.bytes = await measureBytes(pages, 1_500);
  },
  async slow(pages, { isQuick }, results) {
    results.slow = await measureSlowViewers(liveStackNames, { pages, seconds: isQuick ? 4 : 20 });
  },
  async garbage(pages, _, results) {
    results.garbage = await measureGarbage(liveStackNames, pages, 10_000);
  },
  async memory(pages, { minutes, isQuick }, results) {
    results.memory = await measureFlatMemory(pages, isQuick ? Math.min(minutes, 0.15) : minutes);
  },
  async video(pages, { rounds, isQuick }, results) {
    results.video = await measureVideo({ pages, rounds: Math.min(rounds, roundsOfVideo), isQuick });
  },
};

export async function measureLive(options: LiveOptions): Promise<LiveResults> {
  const results: LiveResults = { rounds: options.rounds };
  const pages = await serveLivePages();
  const isTurn = (part: LivePart) => part in inTurns;
  try {
    const turns = options.parts.filter(isTurn);
    if (turns.length > 0)
      await withAllServers(async servers => {
        for (const part of turns) await inTurns[part]?.(servers, pages, options, results);
      });
    for (const part of options.parts) await alone[part]?.(pages, options, results);
  } finally {
    await pages.close();
  }
  return results;
}

async function withAllServers(use: (servers: readonly ServerProcess[]) => Promise<void>): Promise<void> {
  const servers: ServerProcess[] = [];
  try {
    for (const name of liveStackNames) servers.push(await ServerProcess.start(name));
    await use(servers);
  } finally {
    await Promise.all(servers.map(server => server.close()));
  }
}
