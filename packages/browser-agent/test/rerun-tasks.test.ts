import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentHistory } from '../src/index.js';
import { exportRunner, impatiently } from './exported.js';
import { stage } from './fixtures.js';
import { TASKS, type Task, TaskSite, type Variant } from './task-site.js';

const { server, browser, agent, impatient } = stage();
const exports = exportRunner();
const site = new TaskSite();
beforeAll(() => site.start());
afterAll(() => site.stop());

const histories = new Map<string, AgentHistory>();

/** The history of a task, which is done once for this file. The model answers no more. */
async function recorded(task: Task): Promise<AgentHistory> {
  const history = histories.get(task.name) ?? (await record(task));
  histories.set(task.name, history);
  server.thinks(() => ({ status: 500 }));
  return JSON.parse(JSON.stringify(history));
}

async function record({ mind, path, name, posted }: Task): Promise<AgentHistory> {
  site.reset();
  const { history, success } = await agent(mind).run({ task: name, url: site.url(path) }).result;
  expect(success).toBe(true);
  expect(sorted(site.posted)).toEqual(posted);
  return history;
}

/** Forms send their fields in the order in which they stand. */
const sorted = (posted: readonly string[]): string[] =>
  posted.map(each => {
    const [path, body = ''] = [each.slice(0, each.indexOf(' ')), each.slice(each.indexOf(' ') + 1)];
    return `${path} ${body.split('&').sort().join('&')}`;
  });

const VARIANTS: [string, Variant][] = [
  ['the same site', {}],
  ['other data', { otherData: true }],
  ['other markup', { otherMarkup: true }],
  ['slow pages', { slow: 1_200 }],
];

describe.each(TASKS.map(task => [task.name, task] as const))('a recorded task that %s', (_, task) => {
  test('is done again without a model on the same site, with other data, other markup and slow pages', async () => {
    const history = await recorded(task);
    for (const [variant, options] of VARIANTS) {
      site.reset(options);
      const result = await agent(() => ({ status: 500 })).rerun(history);
      expect([variant, result.problem, sorted(site.posted)]).toEqual([variant, undefined, task.posted]);
      expect(result).toMatchObject({ success: true, stopReason: 'done' });
    }
    expect(server.asked).toEqual([]);
  });

  test('stops where its control is gone, says what it looked for, and does nothing else', async () => {
    const history = await recorded(task);
    site.reset({ gone: true });
    const result = await impatient().rerun(history);
    expect(result).toMatchObject({ success: false, stopReason: 'drift' });
    expect(result.problem).toMatch(task.sought);
    expect(site.posted).toEqual([]);
  });

  test('is done again by its exports, where a rerun does it', async () => {
    const history = await recorded(task);
    for (const [variant, options] of VARIANTS) {
      site.reset(options);
      await exports.playwright(history);
      expect([variant, sorted(site.posted)]).toEqual([variant, task.posted]);
      site.reset(options);
      expect(await exports.mastra(history, browser)).toBe('success');
      expect([variant, sorted(site.posted)]).toEqual([variant, task.posted]);
    }
  });

  test('is not done by its export for Playwright where its control is gone', async () => {
    const history = await recorded(task);
    site.reset({ gone: true });
    await expect(exports.playwright(history, {}, impatiently)).rejects.toThrow(/^There is no one /);
    expect(site.posted).toEqual([]);
  });
});
