import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LibSQLStore } from '@mastra/libsql';
import { afterAll, expect, test } from 'vitest';
import { BrowserAgent, loadHistory, saveHistory } from '../src/index.js';
import { buyerOf, stage } from './fixtures.js';
import { says } from './model-server.js';

const { server, shop, browser, agent } = stage();
const folder = await mkdtemp(join(tmpdir(), 'browser-agent-storage-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const url = `file:${join(folder, 'mastra.db')}`;
/** Two of them are two processes, as far as what is stored goes. */
const storage = (): LibSQLStore => new LibSQLStore({ id: randomUUID(), url });

test('the history of a run stands in storage at each step, and another process reads it', async () => {
  shop.reset();
  const there = storage();
  const lengths: number[] = [];
  const run = agent(buyerOf('Red mug'), { storage: storage() }).run({
    task: `Buy the red mug at ${shop.url}`,
    onStep: async ({ step }) => {
      if (step < 2) return;
      const { steps } = await loadHistory({ storage: there, threadId: run.threadId });
      lengths.push(steps.length);
    },
  });
  const { history } = await run.result;
  expect(lengths.length).toBeGreaterThanOrEqual(2);
  expect(lengths).toEqual(lengths.map((_, i) => (lengths[0] ?? 0) + i));
  expect(history).toMatchObject({ success: true, stopReason: 'done' });
  expect(await loadHistory({ storage: there, threadId: run.threadId })).toEqual(history);
  expect(await loadHistory({ storage: there, threadId: run.threadId, runId: run.runId })).toEqual(history);
});

test('a follow-up task in another process is told how the last one ended', async () => {
  shop.reset();
  await agent(buyerOf('Red mug'), { storage: storage() }).run({
    task: `Buy the red mug at ${shop.url}`,
    threadId: 'ann',
  }).result;
  const next = agent(() => says([{ done: { text: 'It was the red one.', success: true } }]), { storage: storage() });
  await next.run({ task: 'Say which mug it was', threadId: 'ann' }).result;
  expect(server.asked.at(-1)?.text).toContain('It ended with: Ordered the Red mug.');
  expect((await loadHistory({ storage: storage(), threadId: 'ann' })).task).toBe('Say which mug it was');
});

test('what the storage does not hold, and what is no storage, is said by name', async () => {
  await expect(loadHistory({ storage: storage(), threadId: 'nobody' })).rejects.toThrow(
    'The storage holds no history of thread nobody',
  );
  await expect(loadHistory({ storage: storage(), threadId: 'ann', runId: 'none' })).rejects.toThrow(
    'no history of run none of thread ann',
  );
  const { history } = await agent(() => says([{ done: { text: 'Done.', success: true } }])).run({ task: 'Nothing' })
    .result;
  await expect(saveHistory(history, { getStore: async () => undefined })).rejects.toThrow('has no thread state');
  expect(() => new BrowserAgent({ browser, model: 'openai/gpt-5-mini', storage: {} as never })).toThrow(
    /storage must be one of Mastra's/,
  );
});
