import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunDetail } from '../../src/server/browser-agent/api.js';
import { type Playground, startPlayground } from '../../src/server/playground.js';
import { DEMO_TASKS } from '../../src/tasks/index.js';
import { RunsClient } from './runs-client.js';

let dataFolder: string;
let playground: Playground;
let runs: RunsClient;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'playground-'));
  playground = await startPlayground({ port: 0, dataFolder });
  runs = new RunsClient(playground);
});

afterAll(async () => {
  await playground.close();
  await rm(dataFolder, { recursive: true, force: true });
});

function taskOf(id: string): string {
  return DEMO_TASKS.find(task => task.id === id)?.prompt(playground.demoUrl) ?? expect.fail(`no task ${id}`);
}

describe('a run', () => {
  test.each(['buy-a-mug', 'correct-an-address', 'read-the-terms'])('of the scripted agent does %s', async id => {
    const { id: run } = await runs.start(taskOf(id));
    const { run: end, steps } = await runs.ended(run);
    console.log(
      JSON.stringify(end),
      steps.map(s => [s.step, s.evaluation, s.nextGoal, s.actions.map(a => a.text), s.error]),
    );
    expect(end).toMatchObject({ success: true, stopReason: 'done' });
  });
  test('asks', async () => {
    const { id: run } = await runs.start(taskOf('ask-for-a-mug'));
    const waiting: RunDetail = await runs.until(run, ({ run }) => run.status === 'waiting');
    console.log(JSON.stringify(waiting.run));
    console.log(await runs.post(`/${run}/answer`, { questionId: waiting.run.question?.id, answer: 'Ember mug' }));
    const { run: end, steps } = await runs.ended(run);
    console.log(
      JSON.stringify(end),
      steps.map(s => [s.step, s.evaluation, s.nextGoal, s.actions.map(a => a.text), s.error]),
    );
    expect(end).toMatchObject({ success: true, stopReason: 'done' });
  });
});
