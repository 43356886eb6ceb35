import { expect, test } from 'vitest';
import { allFaults, runSoak } from '../src/soak/run.ts';

test('20 sessions under every fault stay usable, lose no action and leave nothing over', async () => {
  const options = { sessions: 20, seed: 'smoke', concurrency: 3, steps: 2, pool: 2, faults: allFaults };
  const { ledger, faults, leakedProcesses, leakedFiles } = await runSoak({ ...options, progress: () => undefined });
  expect(ledger.lostSessions).toEqual([]);
  expect(ledger.lostActions).toEqual([]);
  expect(leakedProcesses).toEqual([]);
  expect(leakedFiles).toEqual([]);
  expect(ledger.sessions).toBe(20);
  expect(faults.counts.size).toBeGreaterThan(4);
}, 600_000);
