import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { expectFailure, expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

/** A PDF with a line of text on each page (ISO 32000-1, 7.5); `''` leaves a page without text. */
function pdfOf(...texts: string[]): Buffer {
  const kids = texts.map((_, index) => `${index * 2 + 4} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...texts.flatMap((text, index) => {
      const drawing = text === '' ? '0 0 m 99 99 l S' : `BT /F1 18 Tf 40 90 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents ${index * 2 + 5} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map(at => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`,
    'latin1',
  );
}

const sent =
  (bytes: Buffer): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'application/pdf');
    response.end(bytes);
  };
const REPORT = pdfOf('Total 4,212.50 euros', 'Signed in Bergen');

test('a PDF in a tab says that it is one; its text is read page by page, and its file is saved', async () => {
  const { session, site } = await openPage({
    '/': '<a href="/files/report%202026.pdf">Report</a>',
    '/files/report%202026.pdf': sent(REPORT),
  });
  const opened = expectSuccess(await session.navigate({ url: site.url('/files/report%202026.pdf') }));
  expect(opened.changes).toMatch(/^pdf "report 2026\.pdf" @e\d+ \[browser_read gives its text and its file\]$/m);
  const read = expectSuccess(await session.read());
  expect(read.content).toBe(
    '[page 1 of 2 of the PDF]\nTotal 4,212.50 euros\n\n[page 2 of 2 of the PDF]\nSigned in Bergen',
  );
  expect(basename(read.path ?? '')).toMatch(/report%202026\.pdf$/);
  expect((await readFile(read.path ?? '')).equals(REPORT)).toBe(true);
});

test('a long PDF comes in pages of a reading, all of one file', async () => {
  const texts = Array.from({ length: 30 }, (_, index) => `Clause ${index + 1} of the contract about moorings`);
  const { session } = await openPage({ '/': sent(pdfOf(...texts)) });
  const first = expectSuccess(await session.read({ maxTokens: 200 }));
  expect(first.pages).toBeGreaterThan(2);
  const last = expectSuccess(await session.read({ maxTokens: 200, page: first.pages ?? 0 }));
  expect(last.content).toContain('Clause 30 of the contract');
  expect(last.path).toBe(first.path);
});

test('a PDF in a frame, an embed or an object has a ref of its own to read', async () => {
  const { session, ref, read } = await openPage({
    '/': `<iframe title="Terms" src="/terms" width="400" height="200"></iframe>
     <embed src="/plan.pdf" width="400" height="200"><object data="/seats" type="application/pdf" width="400" height="200"></object>
     <embed src="/movie.swf" width="40" height="40">`,
    '/terms': sent(pdfOf('Two days')),
    '/plan.pdf': sent(pdfOf('Berth 7')),
    '/seats': sent(pdfOf('Row 12')),
  });
  await expect.poll(read).toContain('pdf "terms"');
  const texts = [];
  for (const name of ['terms', 'plan.pdf', 'seats'])
    texts.push(expectSuccess(await session.read({ ref: ref('pdf', name) })).content);
  expect(texts).toEqual(['Two days', 'Berth 7', 'Row 12']);
  expect(expectSuccess(await session.read({ full: true })).content).toContain('[PDF: plan.pdf](');
});

test('a PDF that a script made and opened in a tab is read from its blob, while the page that made it is there', async () => {
  const bytes = JSON.stringify([...pdfOf('Invoice 33')]);
  const { session, ref, read } = await openPage(
    `<button onclick="window.open(url)">Invoice</button><button onclick="location.href = url">Here</button>
     <script>const url = URL.createObjectURL(new Blob([new Uint8Array(${bytes})], { type: 'application/pdf' }))</script>`,
  );
  const here = ref('button', 'Here');
  expectSuccess(await session.click({ ref: ref('button', 'Invoice') }));
  expectSuccess(await session.tabs({ action: 'switch', tab: 't2' }));
  await expect.poll(read).toContain('pdf @e');
  expect(expectSuccess(await session.read()).content).toBe('Invoice 33');
  expectSuccess(await session.tabs({ action: 'close', tab: 't2' }));
  expectSuccess(await session.click({ ref: here }));
  await expect.poll(read).toContain('pdf @e');
  const { message } = expectFailure(await session.read(), 'download_failed');
  expect(message).toMatch(/^The PDF could not be requested again: /);
});

test('pages without text, a file that is broken and one that is sent only once say so', async () => {
  let requests = 0;
  const { session, site } = await openPage({
    '/': '<p>Files</p>',
    '/scan.pdf': sent(pdfOf('')),
    '/broken.pdf': sent(Buffer.from('%PDF-1.4\nnothing that follows is one')),
    '/once.pdf': (request, response) => {
      requests++;
      response.setHeader('cache-control', 'no-store');
      if (requests === 1) return sent(REPORT)(request, response);
      response.setHeader('content-type', 'text/html');
      response.end('<p>The link has expired');
    },
  });
  expectSuccess(await session.navigate({ url: site.url('/scan.pdf') }));
  const scan = expectSuccess(await session.read());
  expect([scan.content, basename(scan.path ?? '')]).toEqual(['', expect.stringContaining('scan.pdf')]);
  expectSuccess(await session.navigate({ url: site.url('/broken.pdf') }));
  expect(expectFailure(await session.read(), 'browser_error').message).toMatch(/^The PDF cannot be read: /);
  expectSuccess(await session.navigate({ url: site.url('/once.pdf') }));
  expect(expectFailure(await session.read(), 'download_failed').message).toContain('it sent something else');
});

test('a secret in a PDF is not read out, and an embedded one whose address is refused is not asked for', async () => {
  let asked = 0;
  const site = await servePages({
    '/a.pdf': sent(pdfOf('Code hunter-2-hunter')),
    '/': '<title>Plans</title><embed src="/refused/b.pdf" width="400" height="200">',
    '/refused/b.pdf': (request, response) => {
      asked++;
      return sent(REPORT)(request, response);
    },
  });
  const { host } = new URL(site.url());
  const toolset = testToolset({
    secrets: { CODE: { value: 'hunter-2-hunter', domains: ['127.0.0.1'] } },
    urlPolicy: { block: [`${host}/refused/*`] },
  });
  const session = toolset.session('pdf-secrets');
  expectSuccess(await session.navigate({ url: site.url('/a.pdf') }));
  expect(expectSuccess(await session.read()).content).toBe('Code <secret>CODE</secret>');
  expectSuccess(await session.navigate({ url: site.url('/') }));
  const read = expectSuccess(await session.snapshot());
  expectFailure(await session.read({ ref: refOf(read, 'pdf', 'b.pdf') }), 'url_blocked');
  expect(asked).toBe(0);
});
