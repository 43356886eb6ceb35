import { readFileSync } from 'node:fs';
import { chromiumPath } from '../chromium.ts';
import { descendants } from '../processes.ts';
import { save } from '../report/save.ts';
import { toText } from '../report/table.ts';
import { median, round } from '../statistics.ts';
import { takeSample } from './sample.ts';
import { serveSite } from './site.ts';
import { makeToolset, type SoakSession, type SoakToolset } from './toolset.ts';

// What sessions cost: measured on sessions that show the soak's page, in one Chromium and in one each.
process.env.MASTRA_TELEMETRY_DISABLED = '1';

const COUNTS = [1, 5, 10, 20, 40];
const ACTIONS = 100;
/** Clock ticks of /proc/<pid>/stat in a second, as on every Linux that Node runs on. */
const TICKS = 100;

interface Size {
  sessions: number;
  /** MiB. */
  node: number;
  chromium: number;
  processes: number;
  files: number;
}

const site = await serveSite();
const began = performance.now();
const shared = makeToolset({ executablePath: chromiumPath(), sessions: { max: 1000, idleMs: 3_600_000 } });
const sizes: Size[] = [];
let openSessions = 0;
for (const count of COUNTS) {
  for (; openSessions < count; openSessions++) await show(shared.session(`s${openSessions}`), `s${openSessions}`);
  sizes.push(await size(count));
}
const clickCost = await actions(shared);
await shared.close();

const asleep = await sleeping();
const chromiumEach = await separately(5);
await site.close();

const scaleReport = { date: new Date().toISOString(), sizes, action: clickCost, asleep, alone: chromiumEach };
save(scaleReport, 'scale');
const rows = (found: Size[]) =>
  found.map(({ sessions, node, chromium, processes, files }) =>
    [sessions, node, chromium, processes, files].map(String),
  );
const sizeColumns = ['sessions', 'Node MiB', 'Chromium MiB', 'processes', 'open files'];
console.log(toText({ title: 'One Chromium', head: sizeColumns, rows: rows(sizes) }));
console.log(toText({ title: 'A Chromium each', head: sizeColumns, rows: rows([chromiumEach]) }));
console.log(
  `\nA click: ${clickCost.milliseconds} ms, CPU ${clickCost.nodeCpu} ms of Node and ${clickCost.chromiumCpu} ms of Chromium` +
    `\nA session asleep: ${asleep} KiB of the heap, give or take what the garbage collector left`,
);
process.exit(0);

async function show(session: SoakSession, name: string): Promise<Record<string, { role: string; name?: string }>> {
  await session.navigate({ url: site.page(name) });
  return (await session.snapshot({})).refs ?? {};
}

async function size(sessions: number): Promise<Size> {
  const { rss, chromium, processes, files } = await takeSample(sessions, began);
  return { sessions, node: rss, chromium, processes, files };
}

/** A click with the snapshot diff that comes with it. */
async function actions(toolset: SoakToolset): Promise<{ milliseconds: number; nodeCpu: number; chromiumCpu: number }> {
  const session = toolset.session('s0');
  const refs = await show(session, 's0');
  const ref = Object.keys(refs).find(key => refs[key]?.name === 'Add');
  const pids = descendants().map(({ pid }) => pid);
  const before = { node: process.cpuUsage(), chromium: cpuOf(pids) };
  const times: number[] = [];
  for (let at = 0; at < ACTIONS; at++) {
    const start = performance.now();
    await session.click({ ref });
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before.node);
  return {
    milliseconds: round(median(times), 0),
    nodeCpu: round((user + system) / 1000 / ACTIONS, 1),
    chromiumCpu: round(((cpuOf(pids) - before.chromium) / ACTIONS) * 1000, 1),
  };
}

/** Seconds of CPU that processes have used. */
function cpuOf(pids: readonly number[]): number {
  return pids.reduce((total, pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return total + (Number(fields[11]) + Number(fields[12])) / TICKS;
    } catch {
      // It has ended, and its time is not told any more.
      return total;
    }
  }, 0);
}

/** KiB of the heap that a session keeps while it is asleep, with one tab. */
async function sleeping(): Promise<number> {
  const toolset = makeToolset({ executablePath: chromiumPath(), sessions: { max: 2 } });
  const use = async (from: number, to: number): Promise<number> => {
    for (let at = from; at < to; at++) await show(toolset.session(`a${at}`), `a${at}`);
    return (await takeSample(to, began)).heap;
  };
  const before = await use(0, 20);
  const after = await use(20, 80);
  await toolset.close();
  return round(((after - before) * 1024) / 60, 0);
}

async function separately(count: number): Promise<Size> {
  const toolsets = Array.from({ length: count }, () => makeToolset({ executablePath: chromiumPath() }));
  for (const toolset of toolsets) await show(toolset.session('s'), 's');
  const found = await size(count);
  await Promise.all(toolsets.map(toolset => toolset.close()));
  return found;
}
