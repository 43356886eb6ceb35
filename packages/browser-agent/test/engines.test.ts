import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows/evented';
import { init } from '@mastra/inngest';
import { LibSQLStore } from '@mastra/libsql';
import { Inngest } from 'inngest';
import { afterAll, describe, expect, test } from 'vitest';
import { buyerOf, stage } from './fixtures.js';
import { type Mind, says } from './model-server.js';

const { shop, agent } = stage();

test("the loop is built by the functions of Inngest's engine", () => {
  const workflow = agent(buyerOf('Red mug')).workflowOn(init(new Inngest({ id: 'shop' })) as never);
  expect(workflow.id).toBe('browser-agent');
  expect(Object.keys(workflow.steps)).toEqual(expect.arrayContaining(['start', 'browser-agent-step', 'finish']));
});

const folder = await mkdtemp(join(tmpdir(), 'browser-agent-engines-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The loop on the evented engine, as a process has it: what it knows of others stands in the database alone. */
async function onEvents(database: string, mind: Mind) {
  const storage = new LibSQLStore({ id: 'evented', url: `file:${join(folder, database)}` });
  const toolset = new BrowserToolset({ records: storage });
  const workflow = agent(mind, { browser: toolset }).workflowOn({ createWorkflow, createStep } as never);
  const mastra = new Mastra({ workflows: { [workflow.id]: workflow }, storage, logger: false });
  await mastra.startEventEngine();
  const end = async (): Promise<void> => {
    await mastra.stopEventEngine();
    await toolset.close();
  };
  return { workflow: mastra.getWorkflow(workflow.id), end };
}

describe("the loop on Mastra's evented engine", () => {
  test('does a task to its end', async () => {
    shop.reset();
    const { workflow, end } = await onEvents('whole.db', buyerOf('Red mug'));
    const run = await workflow.createRun();
    const result = await run.start({ inputData: { task: 'Buy the red mug', url: shop.url } });
    expect(result).toMatchObject({ status: 'success', result: { success: true, stopReason: 'done' } });
    expect(shop.orders).toHaveLength(1);
    await end();
  });

  test('waits for a person, and goes on elsewhere when they have answered', async () => {
    shop.reset();
    const mind: Mind = asked => {
      const mug = /Did: ask_user .*: .*?((?:Red|Blue) mug)/.exec(asked.text)?.[1];
      return mug === undefined ? says([{ ask_user: { question: 'Which mug?' } }]) : buyerOf(mug)(asked);
    };
    const before = await onEvents('asked.db', mind);
    const run = await before.workflow.createRun({ runId: 'asked' });
    const asked = await run.start({ inputData: { task: 'Buy a mug', url: shop.url, threadId: 'ann' } });
    expect(asked.status).toBe('suspended');
    await before.end();
    const after = await onEvents('asked.db', mind);
    const again = await after.workflow.createRun({ runId: 'asked' });
    const result = await again.resume({ resumeData: 'Blue mug' });
    expect(result).toMatchObject({ status: 'success', result: { success: true } });
    expect(shop.orders.map(({ items }) => items)).toEqual([['Blue mug']]);
    await after.end();
  });
});
