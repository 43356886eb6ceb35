import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { loopsIn, whileBusy } from '../testing/busy.mjs';

const MODULE = JSON.stringify(new URL('../testing/busy.mjs', import.meta.url).href);

test('how many loops a core has is taken out of the arguments, which are Vitest’s otherwise', () => {
  expect(loopsIn(['packages/core', '--loops', '4', '-t', 'x'])).toEqual({
    loops: 4,
    rest: ['packages/core', '-t', 'x'],
  });
  expect(loopsIn(['packages/core'])).toEqual({ loops: 2, rest: ['packages/core'] });
  expect(() => loopsIn(['--loops', 'many'])).toThrow('a whole number');
});

test('the answer of the work is passed on, and its failure', async () => {
  expect(await whileBusy(1, async () => 3)).toBe(3);
  await expect(whileBusy(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

test('a process whose work is done ends, busy loops or not', async () => {
  const script = `import { whileBusy } from ${MODULE}; await whileBusy(2, async () => process.stdout.write('done'));`;
  const [code] = await once(spawn(process.execPath, ['--input-type=module', '-e', script]), 'close');
  expect(code).toBe(0);
});

test('a process that is killed amid the work takes its loops with it', async () => {
  const script = `import { whileBusy } from ${MODULE}; await whileBusy(2, () => new Promise(() => process.stdout.write('up')));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
});
