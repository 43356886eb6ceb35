import { parseArgs } from 'node:util';
import { chromiumPath, viewport } from '../chromium.ts';
import { startDemoSite } from '../demo-site.ts';
import { type ModelTool, packageName } from '../toolset.ts';
import { CarefulAgent } from './careful-agent.ts';
import { shopTasks } from './shop-tasks.ts';

// Mastra's core posts telemetry unless told not to; a benchmark talks to nobody.
process.env.MASTRA_TELEMETRY_DISABLED = '1';

const { values } = parseArgs({ options: { toolset: { type: 'string', default: packageName } } });
const { BrowserToolset } = (await import(values.toolset)) as {
  BrowserToolset: new (options: object) => { tools: Record<string, ModelTool>; close(): Promise<void> };
};

/** Plays the ten tasks, each on a thread of its own, and prints how many calls each took. */
const shop = await startDemoSite();
const carefulToolset = new BrowserToolset({ headless: true, executablePath: chromiumPath(), viewport });
const totalCalls = { calls: 0, snapshots: 0, done: 0 };
try {
  for (const [name, task] of Object.entries(shopTasks)) {
    const agent = new CarefulAgent(carefulToolset.tools, name.replaceAll(' ', '-'));
    const isDone = await task(agent, shop.url);
    totalCalls.calls += agent.calls;
    totalCalls.snapshots += agent.snapshots;
    totalCalls.done += Number(isDone);
    console.log(`${name}: ${agent.calls} calls, ${agent.snapshots} of them snapshots${isDone ? '' : ', NOT DONE'}`);
  }
} finally {
  await carefulToolset.close();
  await shop.close();
}
console.log(
  `${totalCalls.calls} calls, ${totalCalls.snapshots} of them snapshots, ${totalCalls.done} of 10 tasks done`,
);
