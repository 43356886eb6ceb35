import { fileURLToPath } from 'node:url';
import { interleave, type Rounds } from '../interleave.ts';
import { execFileAsync } from '../processes.ts';
import type { Stack } from '../stacks/stack.ts';
import { median, round } from '../statistics.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));

/** Milliseconds to import each package in a fresh Node, beyond what that Node takes to start with nothing to do. */
export async function measureImports(stacks: readonly Stack[], rounds: Rounds): Promise<Record<string, number>> {
  const start = (code: string) => () => execFileAsync(process.execPath, ['--input-type=module', '-e', code], { cwd });
  const subjects = stacks.map(({ packageName }) => ({
    name: packageName,
    run: start(`await import('${packageName}'); process.exit(0)`),
  }));
  const samples = await interleave([{ name: 'node', run: start('process.exit(0)') }, ...subjects], rounds);
  const bare = median(samples.get('node') ?? []);
  return Object.fromEntries(
    stacks.map(({ name, packageName }) => [name, round(median(samples.get(packageName) ?? []) - bare, 0)]),
  );
}
