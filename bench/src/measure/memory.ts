import { fileURLToPath } from 'node:url';
import type { PageServer } from '../../pages/server.ts';
import { execFileAsync } from '../processes.ts';
import type { Stack } from '../stacks/stack.ts';
import type { Memory } from './process-tree.ts';

const memoryChildPath = fileURLToPath(new URL('./memory-child.ts', import.meta.url));

/** By stack, then by number of threads. */
export type MemoryResults = Record<string, Record<string, Memory>>;

/** Each stack in a process of its own, one after the other; every thread shows the page of a small application. */
export async function measureMemory(
  stacks: readonly Stack[],
  server: PageServer,
  counts: readonly number[],
): Promise<MemoryResults> {
  const results: MemoryResults = {};
  for (const stack of stacks) {
    const { stdout } = await execFileAsync(process.execPath, [
      ...process.execArgv,
      memoryChildPath,
      stack.name,
      counts.join(','),
      server.url('docs'),
    ]);
    const sizes = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Record<string, Memory>;
    if (Object.values(sizes).some(({ strangers }) => strangers > 0))
      console.warn(`memory of ${stack.name}: other browsers are running, the sums are too low`);
    results[stack.name] = sizes;
  }
  return results;
}
