import type { LiveResults } from '../live/live.ts';
import { liveStackNames } from '../live/live-server.ts';
import type { Arrivals } from '../live/measure-first-frame.ts';
import { viewerCounts } from '../live/measure-rate.ts';
import { resumption } from './live-bars.ts';
import { missing, type Table } from './table.ts';

const fixed = (value: number | undefined, digits: number) => (value === undefined ? missing : value.toFixed(digits));

/** The live view of ourselves beside Mastra's own and the floor, a line for each thing measured. */
export function liveTables(results: LiveResults | undefined): Table[] {
  if (!results) return [];
  const rows = [...latencyRows(results), ...rateRows(results), ...slowRows(results), ...garbageRows(results)];
  if (rows.length === 0) return [];
  const names: Record<(typeof liveStackNames)[number], string> = {
    ours: 'BrowserToolset',
    floor: 'bare screencast',
    mastra: '@mastra/agent-browser',
  };
  return [{ title: 'Live view', head: ['', ...liveStackNames.map(name => names[name])], rows }];
}

type Row = readonly string[];

/** No line for what was not measured. */
function row<Value>(what: string, values: Record<string, Value> | undefined, cell: (value: Value) => string): Row[] {
  if (!values) return [];
  const cells = liveStackNames.map(name => {
    const value = values[name];
    return value === undefined ? missing : cell(value);
  });
  return [[what, ...cells]];
}

const arrival = ({ ms, came, of }: Arrivals) =>
  ms ? `${ms.median.toFixed(0)}${came < of ? ` (${came} of ${of})` : ''}` : 'never';

function latencyRows({ firstFrame, input }: LiveResults): Row[] {
  return [
    ...row('first frame of a static page, ms', firstFrame, ({ first }) => arrival(first)),
    ...row('the same for a late viewer, ms', firstFrame, ({ late }) => arrival(late)),
    ...row('input to changed frame, p50, ms', input, ({ p50 }) => fixed(p50, 1)),
    ...row('input to changed frame, p95, ms', input, ({ p95 }) => fixed(p95, 1)),
    ...row('its p50 against the floor, median of rounds', input, ({ againstFloor }) => fixed(againstFloor?.median, 2)),
  ];
}

function rateRows({ rate }: LiveResults): Row[] {
  return viewerCounts.flatMap(count => {
    const viewers = `${count} ${count === 1 ? 'viewer' : 'viewers'}`;
    return [
      ...row(`frames/s, ${viewers}`, rate, counts => fixed(counts[count]?.received, 1)),
      ...row(`server CPU a captured frame, ${viewers}, ms`, rate, counts => fixed(counts[count]?.cpuMsPerFrame, 2)),
      ...row(`the same against the floor, ${viewers}`, rate, counts =>
        fixed(counts[count]?.cpuAgainstFloor?.median, 2),
      ),
      ...row(`KB/s to a viewer, ${viewers}`, rate, counts => fixed((counts[count]?.bytesPerSecond ?? 0) / 1000, 0)),
    ];
  });
}

function slowRows({ slow }: LiveResults): Row[] {
  const seconds = Object.values(slow ?? {})[0]?.seconds ?? 0;
  return [
    ...row(
      `frames/s beside a viewer that stopped reading (before)`,
      slow,
      ({ rateBeside, rateBefore }) => `${fixed(rateBeside, 1)} (${fixed(rateBefore, 1)})`,
    ),
    ...row(`growth of the server in those ${seconds} s, MiB`, slow, ({ rssGrowth }) => fixed(rssGrowth, 0)),
    ...row('that viewer sees the newest frame again', slow, ({ resumed }) => resumption(resumed)),
  ];
}

function garbageRows({ garbage }: LiveResults): Row[] {
  const messages = Object.values(garbage ?? {})[0]?.messages ?? 0;
  return [
    ...row(`a click after ${messages} garbage messages, ms`, garbage, ({ clickMs, isHostile }) =>
      clickMs === undefined ? 'never' : `${fixed(clickMs, 0)}${isHostile ? ' (huge coordinates too)' : ''}`,
    ),
    ...row('log lines of those', garbage, ({ logLines }) => String(logLines)),
  ];
}
