import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caveat } from '../src/eval-folder.ts';
import { evaluate } from '../src/evaluation.ts';
import { parseOptions } from '../src/options.ts';
import { prepare } from '../src/prepare.ts';
import { librarySite } from '../src/sites/library.ts';
import { type ServedSite, serveSite } from '../src/sites/site.ts';
import { Begun, says, stage } from './fixtures.ts';

const { server, env, out } = stage();
let site: ServedSite<unknown>;
beforeAll(async () => {
  site = await serveSite(librarySite);
});
afterAll(() => site[Symbol.asyncDispose]());

const isJudge = (system: string): boolean => system.startsWith('You judge whether');

async function playFile(name: string, file: string, args = '') {
  const path = `${out(name)}.jsonl`;
  await writeFile(path, file);
  const argv = `--model mind --agents browser --suite ${path} --out ${out(name)} ${args}`.trim().split(' ');
  const eval_ = await prepare(parseOptions(argv, '/'), env());
  const { model, ...rest } = eval_;
  const signal = new AbortController().signal;
  await evaluate({ ...rest, model: model?.config, headed: false, signal, progress: new Begun() });
  return eval_.results;
}

const voyager = () =>
  JSON.stringify({ web_name: 'Library', id: 'Library--0', ques: 'How many books are there?', web: site.url });

it('a task of WebVoyager is played on its site and judged by a model, which is told what was seen', async () => {
  let asked = '';
  let pictures = 0;
  server.thinks(({ system, text, pictures: shown }) => {
    if (!isJudge(system)) return says([{ done: { text: 'There are 24 books.', success: true } }]);
    asked = text;
    pictures = shown.length;
    return 'VERDICT: FAILURE\nNo: the page says 24 books.\nVERDICT: SUCCESS';
  });
  const results = await playFile('voyager', voyager());
  expect(results.runs).toMatchObject([
    { task: 'Library--0', passed: true, by: 'model', reason: 'No: the page says 24 books.' },
  ]);
  expect(results.runs[0]?.judgeTokens?.input).toBeGreaterThan(0);
  expect(asked).toContain('How many books are there?');
  expect(asked).toContain('There are 24 books.');
  expect(asked).toContain('24 books, page 1 of 3');
  expect(pictures).toBeGreaterThan(0);
  expect(caveat(results)).toContain('the opinion of a model (mind at ');
});

it('a judge that sees no pictures is asked without them', async () => {
  server.thinks(({ system, pictures }) => {
    if (!isJudge(system)) return says([{ done: { text: 'I cannot tell.', success: false } }]);
    return pictures.length > 0 ? { status: 400 } : '**VERDICT: FAILURE**\nIt gave up.';
  });
  const results = await playFile('blind', voyager());
  expect(results.runs).toMatchObject([{ passed: false, by: 'model', reason: expect.stringContaining('It gave up.') }]);
});

it('a run that nobody could judge is an error, and keeps what it cost', async () => {
  server.thinks(({ system }) => (isJudge(system) ? 'Hard to say.' : says([{ done: { text: '24', success: true } }])));
  const results = await playFile('undecided', voyager());
  expect(results.runs).toMatchObject([{ passed: false, error: expect.stringContaining('gave no verdict'), steps: 1 }]);
});

it('the reference answer of own tasks is told to the judge', async () => {
  let asked = '';
  server.thinks(({ system, text }) => {
    if (!isJudge(system)) return says([{ done: { text: '24', success: true } }]);
    asked = text;
    return 'VERDICT: SUCCESS';
  });
  await playFile('expected', JSON.stringify([{ id: '1', task: 'How many?', url: site.url, expected: 'twenty-four' }]));
  expect(asked).toContain('Reference answer\n------\ntwenty-four');
});

it('needs a model', async () => {
  const path = `${out('none')}.jsonl`;
  await writeFile(path, voyager());
  const options = parseOptions(['--suite', path, '--out', out('none')], '/');
  await expect(prepare(options, {})).rejects.toThrow(/needs --model: the scripted model knows our own tasks alone/);
});
