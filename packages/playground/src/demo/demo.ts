import { fileURLToPath } from 'node:url';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { startDemoSite } from '../demo-site/index.js';
import { runAgent } from './agent-run.js';
import { runBrowserAgent } from './browser-agent-run.js';
import { INSTRUCTIONS } from './instructions.js';
import { chooseJob, type Job } from './job.js';
import type { ChosenModel } from './model-choice.js';
import type { Options } from './options.js';
import type { Printer } from './printer.js';

export interface Demo {
  readonly options: Options;
  /** The script drives the agent without one. */
  readonly model: ChosenModel | undefined;
  readonly printer: Printer;
  readonly signal: AbortSignal;
}

const THREAD = 'demo';
const DEMO_OUTPUT = fileURLToPath(new URL('../../../../output', import.meta.url));

/** Runs one job from start to end and leaves nothing running. True if it was done. */
export async function runDemo({ options, model, printer, signal }: Demo): Promise<boolean> {
  await using site = await startDemoSite();
  const job = chooseJob(options, model, site);
  await using browser = new BrowserToolset({ headless: !options.headed, downloadsPath: DEMO_OUTPUT });
  printer.title('BrowserToolset');
  printer.line(job.driver);
  if (!options.url) printer.line(`The shop is open at ${site.url} until this run ends.`);
  printer.title('Task');
  printer.quote(job.task);

  const shopper = new Agent({
    id: 'shopper',
    name: 'Shopper',
    instructions: INSTRUCTIONS,
    model: job.model,
    tools: browser.tools,
  });
  // Mastra would print what goes wrong with its stack; the last line of the run says it in a sentence.
  const mastra = new Mastra({ agents: { shopper }, logger: false });
  const { task, model: llm } = job;
  const { maxSteps } = options;
  const reason =
    options.agent === 'browser'
      ? await runBrowserAgent({ browser, model: llm, task, threadId: THREAD, maxSteps, printer, signal })
      : await watch(mastra.getAgent('shopper'), job, { options, model, printer, signal });
  if (options.agent === undefined) printer.summary();
  printer.title('Files');
  printer.line(await finalScreenshot(browser));
  const { succeeded, sentence } = job.outcome(reason);
  printer.verdict(succeeded, sentence);
  return succeeded;
}

/** Shows each step as it happens; returns why the agent stopped. */
async function watch(agent: Agent, { task }: Job, { options, printer, signal }: Demo): Promise<string> {
  let reason = 'it ended without a word';
  for await (const event of runAgent(agent, { task, threadId: THREAD, maxSteps: options.maxSteps, signal })) {
    if (event.type === 'said') printer.said(event.text);
    if (event.type === 'called') printer.called(event.step);
    if (event.type === 'answered') printer.answered(event.step);
    if (event.type === 'finished') reason = event.reason;
  }
  return reason;
}

async function finalScreenshot(browser: BrowserToolset): Promise<string> {
  const shot = await browser.session(THREAD).screenshot({ fullPage: true, format: 'png' });
  return shot.success ? `The last page as a picture: ${shot.path}` : `No picture of the last page: ${shot.message}`;
}
