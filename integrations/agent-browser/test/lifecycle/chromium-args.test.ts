import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumArgs } from '../../src/browser/chromium/launch.js';

function featuresOf(args: readonly string[], list: 'disable' | 'enable' = 'disable'): string[] {
  const flag = `--${list}-features=`;
  const lists = args.filter(arg => arg.startsWith(flag));
  expect(lists).toHaveLength(1);
  return (lists[0] ?? '').slice(flag.length).split(',');
}

/** Features in a list of the installed Playwright. */
function theirs(list: RegExp): string[] {
  const playwright = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const source = readFileSync(join(playwright, 'lib/coreBundle.js'), 'utf8');
  const names = (list.exec(source)?.[1] ?? '').replaceAll(/\/\/.*/g, '');
  return [...names.matchAll(/"(\w+)"/g)].map(match => match[1] as string);
}

test('switches off all that the installed Playwright switches off', () => {
  const off = theirs(/disabledFeatures = \[([\s\S]*?)\]\.filter/);
  expect(off.length).toBeGreaterThan(10);
  expect(featuresOf(chromiumArgs([], { headless: true }))).toEqual(expect.arrayContaining(off));
});

test('switches on all that the installed Playwright switches on, and what the user does', () => {
  const on = theirs(/enabledFeatures = \(\) => \[([\s\S]*?)\]\.filter/);
  expect(on.length).toBeGreaterThan(1);
  expect(featuresOf(chromiumArgs(['--enable-features=WebMCP'], { headless: true }), 'enable')).toEqual(
    expect.arrayContaining([...on, 'WebMCP']),
  );
});

test('adds the features that the user switches off to the one list that counts', () => {
  const args = chromiumArgs(['--mute-audio', '--disable-features=Translate,MediaRouter'], { headless: true });
  const features = featuresOf(args);
  expect(args).toContain('--mute-audio');
  expect(features).toContain('Translate');
  expect(features.filter(name => name === 'MediaRouter')).toHaveLength(1);
});
