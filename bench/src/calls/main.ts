import { parseArgs } from 'node:util';
import { chromiumPath, viewport } from '../chromium.ts';
import { packageName } from '../stacks/ours.ts';
import { CarefulAgent, type Tool } from './careful-agent.ts';
import { shopTasks } from './shop-tasks.ts';

// Mastra's core posts telemetry unless told not to; a benchmark talks to nobody.
process.env.MASTRA_TELEMETRY_DISABLED = '1';

const { values } = parseArgs({ options: { toolset: { type: 'string', default: packageName } } });
const demoSite = new URL('../../../packages/playground/dist/demo-site/index.js', import.meta.url).href;
const { startDemoSite } = (await import(demoSite)) as {
  startDemoSite(): Promise<{ url: string; close(): Promise<void> }>;
};
const { BrowserToolset } = (await import(values.toolset)) as {
  BrowserToolset: new (options: object) => { tools: Record<string, Tool>; close(): Promise<void> };
};

/** Plays the ten tasks, each on a thread of its own, and prints how many calls each took. */
const shop = await startDemoSite();
const toolset = new BrowserToolset({ headless: true, executablePath: chromiumPath(), viewport });
const sum = { calls: 0, snapshots: 0, done: 0 };
try {
  for (const [name, task] of Object.entries(shopTasks)) {
    const agent = new CarefulAgent(toolset.tools, name.replaceAll(' ', '-'));
    const isDone = await task(agent, shop.url);
    sum.calls += agent.calls;
    sum.snapshots += agent.snapshots;
    sum.done += Number(isDone);
    console.log(`${name}: ${agent.calls} calls, ${agent.snapshots} of them snapshots${isDone ? '' : ', NOT DONE'}`);
  }
} finally {
  await toolset.close();
  await shop.close();
}
console.log(`${sum.calls} calls, ${sum.snapshots} of them snapshots, ${sum.done} of 10 tasks done`);
