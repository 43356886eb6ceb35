import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

test('the page is saved as a PDF whose name is safe, upright or across', async () => {
  const { session } = await openPage('<title>../../etc/passwd: a "report"</title><h1>Report</h1>');
  const upright = expectSuccess(await session.pdf({ format: 'A4' }));
  expect(basename(upright.path ?? '')).toMatch(/^[\w.-]+_etc_passwd_ a _report_\.pdf$/);
  const across = expectSuccess(await session.pdf({ format: 'A4', landscape: true, background: false }));
  const [width, height] = await pageSize(upright.path);
  expect(await pageSize(across.path)).toEqual([height, width]);
  expect(width).toBeLessThan(height);
});

async function pageSize(path = ''): Promise<[number, number]> {
  const text = await readFile(path, 'latin1');
  expect(text.startsWith('%PDF-')).toBe(true);
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(text) ?? [];
  return [Math.round(Number(width)), Math.round(Number(height))];
}
