import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { type AnyWorkflow, createStep, createWorkflow } from '@mastra/core/workflows';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import { BrowserStepError } from '../../src/index.js';
import { servePages, testToolset } from '../fixtures.js';

const head = '<!doctype html><link rel="icon" href="data:,">';
let answers = 0;
const site = await servePages({
  '/': `${head}<title>Shop</title><h1>Mugs</h1><button>Buy</button>`,
  '/late': (_, response) => {
    answers++;
    if (answers % 3 !== 0) return void response.destroy();
    response.writeHead(200, { 'content-type': 'text/html' }).end(`${head}<title>At last</title>`);
  },
});

const input = z.object({ url: z.string() });

/** A run of a workflow as an application has it: registered with Mastra, with storage. */
async function runOf(workflow: AnyWorkflow) {
  const mastra = new Mastra({ workflows: { workflow }, storage: new InMemoryStore(), logger: false });
  return mastra.getWorkflow('workflow').createRun();
}

describe('a tool as a step of a workflow', () => {
  it('passes on a typed result that the next step can use', async () => {
    const { tools } = testToolset();
    const workflow = createWorkflow({ id: 'read', inputSchema: input, outputSchema: z.object({ tree: z.string() }) })
      .then(createStep(tools.browser_navigate))
      .map(async ({ inputData }) => ({ interactiveOnly: !inputData.success }))
      .then(createStep(tools.browser_snapshot))
      .map(async ({ inputData }) => ({ tree: inputData.tree ?? '' }))
      .commit();
    const run = await runOf(workflow);
    const result = await run.start({ inputData: { url: site.url() } });
    expect(result).toMatchObject({
      status: 'success',
      result: { tree: `page "Shop" ${site.url()}\nheading "Mugs" level=1\nbutton "Buy" @e1` },
    });
  });

  it('gives two runs two sessions, named by their run ids', async () => {
    const toolset = testToolset();
    const workflow = createWorkflow({ id: 'open', inputSchema: input, outputSchema: z.looseObject({}) })
      .then(createStep(toolset.tools.browser_navigate))
      .commit();
    const runs = await Promise.all([runOf(workflow), runOf(workflow)]);
    await Promise.all(runs.map((run, index) => run.start({ inputData: { url: site.url(`/?${index}`) } })));
    const urls = await Promise.all(runs.map(({ runId }) => toolset.getCurrentUrl(runId)));
    expect(urls).toEqual([site.url('/?0'), site.url('/?1')]);
    expect(toolset.isBrowserRunning('default')).toBe(false);
  });

  it('fails the step with the code and the reason when the tool fails', async () => {
    const { tools } = testToolset();
    const workflow = createWorkflow({ id: 'open', inputSchema: input, outputSchema: z.looseObject({}) })
      .then(createStep(tools.browser_navigate))
      .commit();
    const run = await runOf(workflow);
    const result = await run.start({ inputData: { url: 'javascript:alert(1)' } });
    expect(result.status).toBe('failed');
    expect(result.status === 'failed' && result.error.message).toMatch(/^url_blocked: /);
    expect(result.steps.browser_navigate?.status).toBe('failed');
  });

  it("applies the step's retries to a failure", async () => {
    const { tools } = testToolset();
    answers = 0;
    const workflow = createWorkflow({
      id: 'late',
      inputSchema: input,
      outputSchema: z.looseObject({ title: z.string().optional() }),
    })
      .then(createStep(tools.browser_navigate, { retries: 2 }))
      .commit();
    const run = await runOf(workflow);
    const result = await run.start({ inputData: { url: site.url('/late') } });
    expect(result).toMatchObject({ status: 'success', result: { success: true, title: 'At last' } });
    expect(answers).toBe(3);
  });

  it('fails the step when its input does not fit, and names the field', async () => {
    const { tools } = testToolset();
    const workflow = createWorkflow({ id: 'bad', inputSchema: z.looseObject({}), outputSchema: z.looseObject({}) })
      .map(async () => ({ direction: 'sideways' }) as unknown as { direction: 'back' })
      .then(createStep(tools.browser_history))
      .commit();
    const run = await runOf(workflow);
    const result = await run.start({ inputData: {} });
    expect(result.status).toBe('failed');
    expect(result.status === 'failed' && result.error.message).toMatch(/direction/);
  });

  it('stops when the run is cancelled', async () => {
    const { tools } = testToolset();
    const workflow = createWorkflow({ id: 'wait', inputSchema: z.object({}), outputSchema: z.looseObject({}) })
      .map(async () => ({ for: { seconds: 60 } }))
      .then(createStep(tools.browser_wait))
      .commit();
    const run = await runOf(workflow);
    const result = run.start({ inputData: {} });
    setTimeout(() => run.cancel(), 1_000);
    await result;
  });
});

describe('what a failed step throws', () => {
  it('is an error that carries the whole result', async () => {
    const { tools } = testToolset();
    const failing = tools.browser_click.execute({ ref: '@e7' }, {
      workflow: { runId: 'r1', workflowId: 'w' },
    } as never);
    const error = await failing.then(
      () => expect.fail('it did not throw'),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(BrowserStepError);
    expect(error).toMatchObject({ result: { success: false, code: 'invalid_ref', canRetry: true } });
  });
});
