import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadHistory } from '@browser-toolset/browser-agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/demo-site/http/listener.js';
import type { RunDetail, RunSummary, RunVariable } from '../../src/server/browser-agent/api.js';
import { type Playground, startPlayground } from '../../src/server/playground.js';
import { ask } from './requests.js';
import { isWaiting, RunsClient } from './runs-client.js';

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

describe('the scripted browser agent', () => {
  const done = new Map<string, Promise<RunDetail>>();
  /** A task that was done, once for these tests. */
  const ended = (task: string): Promise<RunDetail> => {
    const run = done.get(task) ?? runs.startTask(task).then(({ id }) => runs.ended(id));
    done.set(task, run);
    return run;
  };

  test.each([
    ['correct-an-address', /The postal code is accepted now\..*“Accept the terms/],
    ['read-the-terms', /^The tab is closed, and the shop is open again\.$/],
  ])('does the task %s', async (task, words) => {
    const { run, steps } = await ended(task);
    expect(run).toMatchObject({ success: true, stopReason: 'done', result: expect.stringMatching(words) });
    expect(steps.flatMap(({ actions }) => actions).filter(({ status }) => status !== 'done')).toEqual([]);
  });

  test('reads the terms before it tells what they say', async () => {
    const { steps } = await ended('read-the-terms');
    expect(steps.map(({ nextGoal }) => nextGoal).join()).toMatch(/The terms say: “[^”]*Sixty days, for any reason/);
  });

  test('says that it has no script for a task', async () => {
    const { id } = await runs.start('Book a flight to Oslo');
    const { run } = await runs.ended(id);
    expect(run).toMatchObject({ success: false, stopReason: 'done', result: expect.stringContaining('No model') });
  });
});

describe('a thread', () => {
  test('has one run at a time, and another one after it', async () => {
    const threadId = crypto.randomUUID();
    const { id } = await runs.startTask('ask-for-a-mug', { threadId });
    const second = await runs.post('', { threadId, task: 'Another' });
    expect(second).toMatchObject({
      status: 409,
      answer: { error: expect.stringContaining('A run of this thread is in progress') },
    });
    await runs.post(`/${id}/stop`);
    expect((await runs.ended(id)).run).toMatchObject({ success: false, stopReason: 'stopped' });
    const next = await runs.start('Book a flight', { threadId });
    await runs.ended(next.id);
    const ids = (await runs.get<RunSummary[]>('')).filter(run => run.threadId === threadId).map(run => run.id);
    expect(ids).toEqual([next.id, id]);
  });
});

describe('a request', () => {
  test('that does not fit is refused with the reason', async () => {
    const { id } = await runs.start('Book a flight');
    await runs.ended(id);
    const nobody = crypto.randomUUID();
    const refused: [path: string, body: unknown, status: number][] = [
      ['', { threadId: 't', task: '  ' }, 400],
      ['', { threadId: 't', task: 'x', surprise: true }, 400],
      [`/${id}/say`, { words: 'Hello' }, 409],
      [`/${id}/pause`, {}, 409],
      [`/${id}/answer`, { questionId: 'q', answer: 'x' }, 409],
      [`/${nobody}/stop`, {}, 404],
      [`/${id}/rerun`, { variables: { nick: 'x' } }, 400],
      [`/${id}/dance`, {}, 404],
    ];
    for (const [path, body, status] of refused)
      expect({
        path,
        status: (await ask(`${playground.url}/playground/runs${path}`, { method: 'POST', body })).status,
      }).toEqual({ path, status });
    expect((await ask(`${playground.url}/playground/runs/${nobody}/stream`)).status).toBe(404);
    expect((await ask(`${playground.url}/playground/runs/..%2f..%2fpackage.json`)).status).toBe(404);
  });

  test('to answer a question that is answered is refused', async () => {
    const { id } = await runs.startTask('ask-for-a-mug');
    const { run } = await runs.until(id, isWaiting);
    const answer = { questionId: run.question?.id, answer: 'Ember mug' };
    expect((await runs.post(`/${id}/answer`, answer)).status).toBe(200);
    expect((await runs.post(`/${id}/answer`, answer)).status).toBe(409);
    expect((await runs.ended(id)).run.result).toBe('Done: 1 × Ember mug added to your cart.');
  });
});

describe('the history', () => {
  test('is on disk, with a picture of each page, and is there after a restart', async () => {
    const { id } = await runs.withMugInCart();
    const seen = await runs.until(
      id,
      ({ run, steps }) => run.status === 'ended' && steps.every(step => step.hasPicture),
    );
    const history = await loadHistory(join(dataFolder, 'runs', id, 'history.json'));
    expect(history).toMatchObject({ runId: id, success: true, stopReason: 'done' });

    await playground.close();
    // Somebody else has the port of the demo shop by now.
    const other = await listen(() => new Response(), Number(new URL(playground.demoUrl).port));
    onTestFinished(() => other.close());
    playground = await startPlayground({ port: 0, dataFolder });
    expect(playground.notices.join()).toContain(`the demo shop is at ${playground.demoUrl} now.`);
    runs = new RunsClient(playground);
    const listed = (await runs.get<RunSummary[]>('')).find(run => run.id === id);
    expect(listed).toMatchObject({ status: 'ended', success: true, steps: 6 });
    const { run, steps } = await runs.detail(id);
    expect(run.result).toBe(seen.run.result);
    expect(steps).toEqual(seen.steps);
    const picture = await fetch(`${playground.url}/playground/runs/${id}/steps/3/picture`);
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect(Buffer.from(await picture.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
    // The demo shop is elsewhere, and offered as the place to do it again.
    const [origin] = await runs.get<RunVariable[]>(`/${id}/variables`);
    expect(origin).toMatchObject({ kind: 'origin', suggested: playground.demoUrl });
  });

  test('tells of a run that was cut off, and leaves alone what it cannot read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'playground-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const id = crypto.randomUUID();
    const record = { version: 1, id, threadId: 't', task: 'Cut off', demoUrl: 'http://x', startedAt: 1, steps: 2 };
    await mkdir(join(folder, 'runs', id), { recursive: true });
    await writeFile(join(folder, 'runs', id, 'run.json'), JSON.stringify(record));
    await mkdir(join(folder, 'runs', 'odd'));
    await writeFile(join(folder, 'runs', 'odd', 'run.json'), '{');
    await using other = await startPlayground({ port: 0, dataFolder: folder });
    const client = new RunsClient(other);
    expect(await client.get<RunSummary[]>('')).toMatchObject([{ id, status: 'interrupted' }]);
    expect((await client.detail(id)).steps).toEqual([]);
    expect(await readFile(join(folder, 'runs', 'odd', 'run.json'), 'utf8')).toBe('{');
  });

  test('forgets a run that is deleted, also one that goes on', async () => {
    const { id, threadId } = await runs.startTask('ask-for-a-mug');
    await runs.until(id, isWaiting);
    expect((await ask(`${playground.url}/playground/runs/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await ask(`${playground.url}/playground/runs/${id}`)).status).toBe(404);
    await expect(loadHistory(join(dataFolder, 'runs', id, 'history.json'))).rejects.toThrow(/ENOENT/);
    const { body } = await ask(`${playground.url}/browser/browser-agent/sessions`);
    const { sessions } = JSON.parse(body) as { sessions: { threadId: string; isOpen: boolean }[] };
    expect(sessions.filter(session => session.threadId === threadId && session.isOpen)).toEqual([]);
  });
});
