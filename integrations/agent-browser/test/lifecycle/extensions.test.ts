import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { expectFailure, expectSuccess, servePages, testToolset } from '../fixtures.js';

const folder = await mkdtemp(join(tmpdir(), 'extensions-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const unpacked = join(folder, 'unpacked');
await mkdir(unpacked);
const manifest = {
  manifest_version: 3,
  name: 'Marks pages',
  version: '1',
  content_scripts: [{ matches: ['<all_urls>'], js: ['mark.js'] }],
};
await writeFile(join(unpacked, 'manifest.json'), JSON.stringify(manifest));
await writeFile(
  join(unpacked, 'mark.js'),
  `document.body.append(Object.assign(document.createElement('button'), { textContent: 'Marked' }));`,
);

it('unpacked extensions run in the pages of a profile', async () => {
  const site = await servePages({ '/': '<!doctype html><h1>Page</h1>' });
  const session = testToolset({ profile: join(folder, 'profile'), extensions: [unpacked] }).session();
  expectSuccess(await session.navigate({ url: site.url() }));
  await expect.poll(async () => expectSuccess(await session.snapshot()).tree).toContain('button "Marked"');
});

it('a folder without a manifest, and a browser that loads none, are told', async () => {
  const nowhere = testToolset({ profile: join(folder, 'other'), extensions: [folder] }).session();
  const missing = expectFailure(await nowhere.navigate({ url: 'about:blank' }), 'browser_error');
  expect(missing.message).toContain(`The option extensions names ${folder}, which has no manifest.json.`);
  const shell = join(folder, 'chrome-headless-shell');
  await writeFile(shell, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const headless = testToolset({ profile: join(folder, 'third'), extensions: [unpacked], executablePath: shell });
  const refused = expectFailure(await headless.session().navigate({ url: 'about:blank' }), 'browser_error');
  expect(refused.message).toContain('does not load unpacked extensions: use Chromium or Chrome for Testing.');
});
