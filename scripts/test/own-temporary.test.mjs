import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { withOwnTemporary } from '../testing/own-temporary.mjs';

it('work has a folder for temporary files of its own, which goes with it', async () => {
  const before = tmpdir();
  const { value, left } = await withOwnTemporary(async () => tmpdir());
  expect(value).not.toBe(before);
  expect(tmpdir()).toBe(before);
  expect(existsSync(value)).toBe(false);
  expect(left).toEqual([]);
});

it('processes that it leaves are named', async () => {
  const { value: child, left } = await withOwnTemporary(async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
      env: { ...process.env },
    });
    await once(child.stdout, 'data');
    return child;
  });
  child.kill('SIGKILL');
  expect(left).toEqual([expect.stringContaining(`process ${child.pid}: `)]);
});
