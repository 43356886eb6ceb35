import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { expectFailure, expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';
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

test('a page that shows a secret is not put on paper, whoever asks for it', async () => {
  const toolset = testToolset({
    tools: { also: ['browser_pdf'] },
    secrets: { CODE: { value: 'hunter-2-hunter', domains: ['127.0.0.1'] } },
  });
  const site = await servePages({
    '/': '<title>Echo</title><p id="out">nothing yet</p><input aria-label="Code" oninput="out.textContent = this.value"><button onclick="print()">Print</button>',
  });
  const session = toolset.session('secret');
  expectSuccess(await session.navigate({ url: site.url() }));
  const read = expectSuccess(await session.snapshot());
  expectSuccess(await session.pdf({}));
  expectSuccess(await session.type({ ref: refOf(read, 'textbox', 'Code'), text: '<secret>CODE</secret>' }));
  const { message } = expectFailure(await session.pdf({}), 'browser_error');
  expect(message).toContain('secret');
  const clicked = expectSuccess(await session.click({ ref: refOf(read, 'button', 'Print') }));
  expect(clicked.pdf).toEqual({ error: message });
});
