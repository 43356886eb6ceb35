import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findExecutable, shellBeside } from '../../src/browser/chromium/launch.js';
import { safeFileName } from '../../src/browser/files/files.js';
import { ownFiles } from './machine.js';

const temporary = ownFiles();

test('file names of servers become one plain name', () => {
  const names = {
    'report.csv': 'report.csv',
    '../../etc/passwd': '_._etc_passwd',
    'C:\\Windows\\system32\\evil.dll': 'C_Windows_system32_evil.dll',
    '.htaccess': 'htaccess',
    '': 'file',
    '...': 'file',
    'a\u0000b\nc.txt': 'a_b_c.txt',
    'Ünïcödé ✓.pdf': 'Ünïcödé ✓.pdf',
    [`${'報'.repeat(100)}.csv`]: `${'報'.repeat(83)}.csv`,
    [`${'a'.repeat(300)}.tar.gz`]: `${'a'.repeat(252)}.gz`,
    // An ending that is no kind of file is a part of the name.
    [`thread.${'x'.repeat(300)}`]: `thread.${'x'.repeat(248)}`,
    // A family is one character, of 18 bytes.
    [`${'👨‍👩‍👧'.repeat(20)}.png`]: `${'👨‍👩‍👧'.repeat(13)}.png`,
  };
  for (const [name, safe] of Object.entries(names)) expect([name, safeFileName(name)]).toEqual([name, safe]);
});

test('no file name leaves its folder, is hidden or longer than file systems take', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: 'grapheme', minLength: 80, maxLength: 400 }),
  );
  fc.assert(
    fc.property(name, fc.string({ unit: 'grapheme', maxLength: 20 }), (name, around) => {
      const safe = safeFileName(name, around);
      expect(basename(join('/folder', safe))).toBe(safe);
      expect(safe).not.toMatch(/^\.|\.\.|[/\\]/);
      expect(safe.length).toBeGreaterThan(0);
      expect(Buffer.byteLength(safe) + Buffer.byteLength(around)).toBeLessThanOrEqual(255);
    }),
  );
});

function program(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, '#!/bin/sh\n');
  chmodSync(path, 0o755);
  return path;
}

test('the Chromium to run is the one of CHROMIUM_PATH, then Playwright’s own, then one on the path', () => {
  const folder = temporary.path('programs');
  const playwrightOwn = program(folder, 'own');
  const chosen = program(folder, 'chosen');
  const onPath = program(temporary.path('bin'), 'chromium');
  const env = { PATH: `/no/such/folder:${temporary.path('bin')}` };
  expect(findExecutable({ playwrightOwn, env: { ...env, CHROMIUM_PATH: chosen } })).toBe(chosen);
  expect(findExecutable({ playwrightOwn, env })).toBe(playwrightOwn);
  expect(findExecutable({ playwrightOwn: '/no/such/program', env })).toBe(onPath);
  for (const CHROMIUM_PATH of ['/no/such/program', folder])
    expect(() => findExecutable({ playwrightOwn, env: { CHROMIUM_PATH } })).toThrow('CHROMIUM_PATH');
});

test.each([
  ['chrome-linux64/chrome', 'chrome-headless-shell-linux64/chrome-headless-shell'],
  [
    'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    'chrome-headless-shell-mac-arm64/chrome-headless-shell',
  ],
  ['chrome-win64/chrome.exe', 'chrome-headless-shell-win64/chrome-headless-shell.exe'],
])('Playwright’s headless shell is looked for beside its Chromium: %s', (own, shell) => {
  expect(shellBeside(`/cache/chromium-1255/${own}`)).toBe(`/cache/chromium_headless_shell-1255/${shell}`);
});
