import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { defineAction, loadHistory, saveHistory } from '../src/index.js';
import { stage } from './fixtures.js';
import { says } from './model-server.js';

const { shop, agent } = stage();
const folder = await mkdtemp(join(tmpdir(), 'browser-agent-names-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

test('names of files may have as many bytes as file systems take; the model is told of more', async () => {
  const fits = '報'.repeat(85);
  const run = agent(
    ({ n }) =>
      n === 0
        ? says([
            { write_file: { name: fits, content: 'kept' } },
            { read_file: { name: fits } },
            { write_file: { name: '報'.repeat(86), content: 'lost' } },
          ])
        : says([{ done: { text: '', success: true } }]),
    { folder: join(folder, 'runs') },
  ).run({ task: 'x', url: shop.url });
  const [, first] = (await run.result).history.steps;
  expect(first?.results.map(({ success, extractedContent, error }) => extractedContent ?? error ?? success)).toEqual([
    true,
    'kept',
    expect.stringContaining('too long: it has 258 bytes'),
  ]);
  expect(await readdir(join(folder, 'runs', run.runId))).toEqual([fits]);
});

test('a model is told in words why a file cannot be written, and nothing of this machine', async () => {
  const inTheWay = defineAction({
    name: 'in_the_way',
    description: 'Puts a folder where a file will be',
    input: z.object({}),
    run: async (_, { files }) => {
      await mkdir(join(files.folder, 'todo.md'), { recursive: true });
      return 'Done';
    },
  });
  const run = agent(
    ({ text }) =>
      text.includes('a folder is where the file should be (EISDIR)') && !text.includes(folder)
        ? says([{ done: { text: 'Told', success: true } }])
        : says([{ in_the_way: {} }, { write_file: { name: 'todo.md', content: 'x' } }]),
    { actions: [inTheWay], folder, maxSteps: 3 },
  ).run({ task: 'x', url: shop.url });
  expect((await run.result).result).toBe('Told');
});

test('a history is kept in a file of the longest name', async () => {
  const { history } = await agent(() => says([{ done: { text: '', success: true } }])).run({ task: 'x' }).result;
  const path = join(folder, '履歴', `${'報'.repeat(83)}.json`);
  for (let times = 0; times < 2; times++) await saveHistory(history, path);
  expect((await loadHistory(path)).runId).toBe(history.runId);
  expect(await readdir(join(folder, '履歴'))).toHaveLength(1);
});
