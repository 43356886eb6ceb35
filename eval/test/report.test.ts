import { describe, expect, it } from 'vitest';
import { summaries, wilson } from '../src/report/summary.ts';
import { SUMMARY_HEAD, summaryRows, textTable } from '../src/report/tables.ts';
import { transcript } from '../src/report/transcript.ts';
import type { EvalResults, RunResult } from '../src/results.ts';

const run = (more: Partial<RunResult>): RunResult => ({
  task: 't',
  site: 's',
  agent: 'browser',
  repeat: 1,
  passed: true,
  by: 'server',
  reason: '',
  answer: 'Done.',
  ended: 'done',
  steps: 4,
  calls: 6,
  failedCalls: 0,
  tokens: { input: 10_000, output: 1_000, cached: 4_000 },
  seconds: 10,
  folder: 'runs/t/browser-1',
  ...more,
});
const results: EvalResults = {
  version: 1,
  startedAt: '2031-05-12T00:00:00Z',
  settings: { modelName: 'm', suite: 'own', agents: ['browser'], repeat: 3, maxSteps: 40, seconds: 600 },
  price: { input: 1, output: 10, cached: 0.1 },
  scripted: false,
  planned: 3,
  runs: [
    run({}),
    run({ repeat: 2, passed: false, steps: 8 }),
    run({ repeat: 3, passed: false, error: '401', steps: 0 }),
  ],
};

describe('a summary', () => {
  it('leaves runs with an error out of share and means, and counts what they cost', () => {
    const [browser] = summaries(results);
    expect(browser).toMatchObject({ runs: 2, passed: 1, errors: 1, steps: 6, input: 10_000 });
    expect(browser?.cost).toBeCloseTo(3 * (0.006 + 0.0004 + 0.01));
  });

  it('says in which range the true share lies', () => {
    const { from, to } = wilson(8, 10);
    expect(from).toBeCloseTo(0.49, 2);
    expect(to).toBeCloseTo(0.943, 2);
    expect(wilson(0, 0)).toEqual({ from: 0, to: 1 });
  });

  it('is a table with the columns under each other', () => {
    const [head = '', row = ''] = textTable(SUMMARY_HEAD, summaryRows(results)).split('\n');
    expect(row).toContain('1/2 (1 errors)');
    expect(head.indexOf('tokens in') + 'tokens in'.length).toBe(row.indexOf('10.0k') + '10.0k'.length);
  });
});

it('a transcript keeps what a page says within its fence', () => {
  const steps = [
    {
      number: 1,
      said: 'I look.',
      calls: [{ name: 'read', input: {}, success: true, text: '```\n# Not a heading\n```' }],
      tokens: { input: 5, output: 1, cached: 0 },
      picture: '/out/runs/t/browser-1/files/a b.jpg',
    },
  ];
  const text = transcript({ run: run({}), prompt: 'Do it', steps, folder: '/out/runs/t/browser-1' });
  expect(text).toContain('````\n```\n# Not a heading\n```\n````');
  expect(text).toContain('![The page after this step](files/a%20b.jpg)');
});
