// Tools as steps of a workflow: typed results go from step to step, a failure fails the step, and its retries apply.
//   node examples/workflow-step.ts [url]
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import { demoShop } from './demo-shop.ts';

const url = process.argv[2] ?? (await demoShop());
const browser = new BrowserToolset();

const readPage = createWorkflow({
  id: 'read-page',
  inputSchema: z.object({ url: z.string() }),
  outputSchema: z.object({ tree: z.string() }),
})
  .then(createStep(browser.tools.browser_navigate, { retries: 1 }))
  .map(async () => ({ interactiveOnly: false }))
  .then(createStep(browser.tools.browser_snapshot))
  .map(async ({ inputData }) => ({ tree: inputData.tree ?? '' }))
  .commit();

const run = await readPage.createRun();
const result = await run.start({ inputData: { url } });
console.log(result.status, result.status === 'success' ? result.result.tree : '');

const broken = await readPage.createRun();
const failure = await broken.start({ inputData: { url: 'http://nowhere.invalid/' } });
console.log(failure.status, failure.status === 'failed' ? failure.error.message : '');
await browser.close();
