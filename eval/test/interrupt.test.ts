import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { loadResults } from '../src/eval-folder.ts';
import { stage } from './fixtures.ts';

const { out } = stage();
const MAIN = resolve(import.meta.dirname, '../src/main.ts');

it('Ctrl-C closes the browser, keeps what is there and says how to go on', async () => {
  const folder = out('interrupted');
  const mark = randomUUID();
  const shortRuns = ['--tasks', '^mail-flight-code$', '--repeat', '3'];
  const child = spawn(
    process.execPath,
    ['--experimental-strip-types', '--disable-warning=ExperimentalWarning', MAIN, ...shortRuns, '--out', folder],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, EVAL_TEST: mark } },
  );
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stderr });
  const said: string[] = [];
  lines.on('line', line => said.push(line));
  await once(lines, 'line');
  expect(said).toEqual([expect.stringContaining('[1/6] ✓ mail-flight-code')]);
  // The browser of the second run, or of one after it.
  await expect
    .poll(() => processesWith(mark))
    .toHaveProperty(
      'length',
      expect.toSatisfy(n => n > 1),
    );
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(said.join('\n')).toContain(`Go on with: pnpm eval --resume --out ${folder}`);
  expect((await loadResults(folder)).runs[0]).toMatchObject({ task: 'mail-flight-code', passed: true });
  expect(await processesWith(mark)).toEqual([]);
});

/** The eval and its browsers, which inherit its environment. */
async function processesWith(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const marked = await Promise.all(
    pids.map(async pid => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.includes(mark) ? [pid] : [];
    }),
  );
  return marked.flat();
}
