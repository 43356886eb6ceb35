import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '../../pages/random.ts';
import { type Spread, spread } from '../statistics.ts';
import type { ServerProcess } from './server-process.ts';
import { LiveViewer } from './viewer.ts';

/** Milliseconds from asking for the connection to the first frame of a page that stands still. */
export interface FirstFrames {
  first: Arrivals;
  /** For a viewer who comes when another watches already. */
  late: Arrivals;
}

export interface Arrivals {
  /** Of those that came; undefined when none did. */
  ms: Spread | undefined;
  came: number;
  of: number;
}

/** A frame that has not come by then is taken for one that never does, in milliseconds. */
const patience = 1_000;
/** Chromium gives a page that was just shown a few frames more. */
const standstill = 300;

export async function measureFirstFrames(
  servers: readonly ServerProcess[],
  pageUrl: string,
  rounds: number,
): Promise<Record<string, FirstFrames>> {
  const times = new Map(servers.map(({ name }) => [name, { first: [] as Time[], late: [] as Time[] }]));
  const random = new Random('first frames');
  for (const server of servers) await server.show(pageUrl);
  for (let round = -1; round < rounds; round++) {
    for (const server of random.shuffled(servers)) {
      const { first, late } = await openTwo(server.url);
      if (round < 0) continue;
      times.get(server.name)?.first.push(first);
      times.get(server.name)?.late.push(late);
    }
  }
  const results = [...times].map(([name, { first, late }]) => [name, { first: arrivals(first), late: arrivals(late) }]);
  return Object.fromEntries(results);
}

type Time = number | undefined;

async function openTwo(url: string): Promise<{ first: Time; late: Time }> {
  const first = await openAndWait(url);
  await pause(standstill);
  const late = await openAndWait(url);
  await Promise.all([first.viewer.close(), late.viewer.close()]);
  return { first: first.ms, late: late.ms };
}

async function openAndWait(url: string): Promise<{ viewer: LiveViewer; ms: Time }> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const viewer = await LiveViewer.open(url, frame => resolve(frame.at));
  const timer = setTimeout(() => resolve(undefined), patience);
  const at = await promise;
  clearTimeout(timer);
  return { viewer, ms: at === undefined ? undefined : at - viewer.openedAt };
}

function arrivals(times: readonly Time[]): Arrivals {
  const came = times.filter(time => time !== undefined);
  return { ms: came.length === 0 ? undefined : spread(came), came: came.length, of: times.length };
}
