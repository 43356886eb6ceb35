import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumArgs } from '../../src/browser/chromium/chromium-args.js';

function featuresOf(args: readonly string[]): string[] {
  const lists = args.filter(arg => arg.startsWith('--disable-features='));
  expect(lists).toHaveLength(1);
  return (lists[0] ?? '').slice('--disable-features='.length).split(',');
}

test('switches off all that the installed Playwright switches off', () => {
  const playwright = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const source = readFileSync(join(playwright, 'lib/coreBundle.js'), 'utf8');
  const list = /disabledFeatures = \[([\s\S]*?)\]\.filter/.exec(source)?.[1] ?? '';
  const theirs = [...list.matchAll(/^\s*"(\w+)"/gm)].map(match => match[1]);
  expect(theirs.length).toBeGreaterThan(10);
  expect(featuresOf(chromiumArgs([]))).toEqual(expect.arrayContaining(theirs));
});

test('adds the features that the user switches off to the one list that counts', () => {
  const args = chromiumArgs(['--mute-audio', '--disable-features=Translate,MediaRouter']);
  const features = featuresOf(args);
  expect(args).toContain('--mute-audio');
  expect(features).toContain('Translate');
  expect(features.filter(name => name === 'MediaRouter')).toHaveLength(1);
});
