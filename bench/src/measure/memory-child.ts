import { setTimeout as pause } from 'node:timers/promises';
import { availableStacks } from '../stacks/all.ts';
import { descendantsPss, type Memory } from './process-tree.ts';

// A process of its own for each stack: what descends from it is that stack's and nobody else's.
const [stackName = '', countsText = '', url = ''] = process.argv.slice(2);
const [stack] = await availableStacks([stackName]);
if (!stack) throw new Error(`no stack is named ${stackName}`);
const browser = await stack.open();
const memoryByThreads: Record<string, Memory> = {};
let openThreads = 0;
for (const threads of countsText.split(',').map(Number)) {
  for (; openThreads < threads; openThreads++) await (await browser.thread(`thread-${openThreads}`)).navigate(url);
  memoryByThreads[threads] = await settled();
}
console.log(JSON.stringify(memoryByThreads));
await browser.close();

/** Memory has no event to wait for: it is read until two readings half a second apart agree to one percent. */
async function settled(): Promise<Memory> {
  let before = await descendantsPss();
  for (let reading = 0; reading < 20; reading++) {
    await pause(500);
    const now = await descendantsPss();
    if (Math.abs(now.mebibytes - before.mebibytes) < now.mebibytes / 100) return now;
    before = now;
  }
  return before;
}
