import { beforeAll, expect, test } from 'vitest';
import { faultNames } from '../src/soak/faults.ts';
import { runSoak, type SoakRun } from '../src/soak/run.ts';

/** Milliseconds, for a machine that is many times as slow as a quiet one; a session that hangs is told as lost long before. */
const LIMIT = 900_000;
/** Each meets two faults. */
const SESSIONS = faultNames.length / 2;

let run: SoakRun;
beforeAll(async () => {
  run = await runSoak({
    sessions: SESSIONS,
    minutes: LIMIT / 60_000,
    seed: 'smoke',
    concurrency: 2,
    steps: 2,
    pool: 1,
    faults: faultNames,
    faultShare: 1,
    timeout: 3_000,
    progress: () => undefined,
  });
}, LIMIT);

test('every kind of fault was inflicted once', () => {
  expect(Object.fromEntries(run.faults.counts)).toEqual(Object.fromEntries(faultNames.map(name => [name, 1])));
});

test('every session was usable again after its fault', () => {
  expect(run.ledger.lostSessions).toEqual([]);
  expect(run.ledger.sessions).toBe(SESSIONS);
});

test('no action was lost: each that succeeded was heard of, and each that failed says how', () => {
  expect(run.ledger.lostActions).toEqual([]);
  expect(run.ledger.successes).toBeGreaterThan(faultNames.length);
});

test('nothing is left over: no process, no temporary file', () => {
  expect(run.leakedProcesses).toEqual([]);
  expect(run.leakedFiles).toEqual([]);
});
