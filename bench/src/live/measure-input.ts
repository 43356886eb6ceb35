import { Random } from '../../pages/random.ts';
import { median, percentile, round } from '../statistics.ts';
import { ColourClicker } from './clicks.ts';
import { type FloorRatio, ratioToFloor } from './floor-ratio.ts';
import type { ServerProcess } from './server-process.ts';

/** Milliseconds from sending a press to receiving the first frame that shows what it changed. */
export interface InputLatency {
  p50: number;
  p95: number;
  /** Of the medians of each round. */
  againstFloor: FloorRatio | undefined;
  clicks: number;
  /** Clicks whose frame never came. */
  lost: number;
}

export interface InputRun {
  pageUrl: string;
  rounds: number;
  clicksARound: number;
}

export async function measureInput(
  servers: readonly ServerProcess[],
  { pageUrl, rounds, clicksARound }: InputRun,
): Promise<Record<string, InputLatency>> {
  const subjects = await Promise.all(servers.map(server => openSubject(server, pageUrl)));
  const random = new Random('input');
  for (let turn = -5; turn < rounds * clicksARound; turn++) {
    for (const subject of random.shuffled(subjects)) {
      const ms = await subject.clicker.click();
      await subject.clicker.think();
      if (turn < 0) continue;
      if (turn % clicksARound === 0) subject.rounds.push([]);
      if (ms === undefined) subject.lost += 1;
      else subject.rounds.at(-1)?.push(ms);
    }
  }
  for (const { clicker } of subjects) await clicker.viewer.close();
  const floor = subjects.find(({ name }) => name === 'floor');
  return Object.fromEntries(subjects.map(subject => [subject.name, latencyOf(subject, floor)]));
}

interface Subject {
  name: string;
  clicker: ColourClicker;
  rounds: number[][];
  lost: number;
}

async function openSubject(server: ServerProcess, pageUrl: string): Promise<Subject> {
  await server.show(pageUrl);
  return { name: server.name, clicker: await ColourClicker.open(server.url), rounds: [], lost: 0 };
}

function latencyOf({ rounds, lost }: Subject, floor: Subject | undefined): InputLatency {
  const all = rounds.flat();
  return {
    p50: round(median(all)),
    p95: round(percentile(all, 0.95)),
    againstFloor: ratioToFloor(rounds.map(median), floor?.rounds.map(median)),
    clicks: all.length + lost,
    lost,
  };
}
