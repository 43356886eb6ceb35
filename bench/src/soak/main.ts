import { parseArgs } from 'node:util';
import { environment } from '../report/environment.ts';
import { save } from '../report/save.ts';
import { toText } from '../report/table.ts';
import { type FaultName, faultNames } from './faults.ts';
import { report, soakTables } from './report.ts';
import { type Progress, runSoak } from './run.ts';

// Mastra's core posts telemetry unless told not to; a soak talks to nobody.
process.env.MASTRA_TELEMETRY_DISABLED = '1';

const soakUsage = `pnpm soak [--sessions 500] [--minutes 60] [--seed <text>] [--concurrency 3] [--steps 4] [--pool 2] [--only "kill browser,hang a page"] [--calm]`;

const { values } = parseArgs({
  args: process.argv.slice(2).filter(argument => argument !== '--'),
  options: {
    sessions: { type: 'string', default: '500' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    concurrency: { type: 'string', default: '3' },
    steps: { type: 'string', default: '4' },
    pool: { type: 'string', default: '2' },
    only: { type: 'string', default: faultNames.join(',') },
    calm: { type: 'boolean', default: false },
  },
});

const soakRun = await runSoak({
  sessions: number('sessions', 1),
  concurrency: number('concurrency', 1),
  steps: number('steps', 1),
  pool: number('pool', 0),
  minutes: number('minutes', 1),
  seed: values.seed,
  timeout: 5_000,
  faultShare: 0.25,
  faults: values.calm ? [] : values.only.split(',').map(faultOf),
  progress: showProgress,
});
const soakReport = { ...environment([]), ...report(soakRun, values) };
save(soakReport, 'soak');
process.stderr.write('\n');
console.log(soakTables(soakReport).map(toText).join('\n'));
console.log(
  `\n${soakReport.sessions} sessions, ${soakReport.actions} calls (median ${soakReport.action.median} ms, p95 ${soakReport.action.p95} ms), ` +
    `${soakReport.seconds} s, seed ${values.seed}`,
);
for (const left of [...soakRun.leakedProcesses, ...soakRun.leakedFiles]) console.log(`left over: ${left}`);
// What a lost call still waits for must not keep the run from ending.
process.exit(soakReport.bars.every(({ pass }) => pass) ? 0 : 1);

function number(name: 'sessions' | 'minutes' | 'concurrency' | 'steps' | 'pool', least: number): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} takes a whole number from ${least} up.\n${soakUsage}`);
  return value;
}

function faultOf(text: string): FaultName {
  const fault = faultNames.find(name => name === text.trim());
  if (fault === undefined) throw new Error(`--only knows no fault "${text}".\n${soakUsage}`);
  return fault;
}

function showProgress({ ledger, faults, seconds }: Progress): void {
  const struck = [...faults.counts.values()].reduce((sum, count) => sum + count, 0);
  const line = `${ledger.sessions}/${values.sessions} sessions, ${ledger.actions} calls, ${struck} faults, lost ${ledger.lostSessions.length} sessions and ${ledger.lostActions.length} actions, ${seconds.toFixed(0)} s`;
  process.stderr.write(process.stderr.isTTY ? `\r${line}` : `${line}\n`);
}
