import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../bootstrap/layout.mjs';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the README is short, and comes to code soon', () => {
  const [before = ''] = readme.split(/^```/m);
  expect(readme.split('\n').length).toBeLessThanOrEqual(250);
  expect(before.split(/\s+/).filter(word => /\w/.test(word)).length).toBeLessThanOrEqual(120);
});

test('its two commands are scripts of the repository', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of ['start', 'test']) {
    expect(readme).toMatch(new RegExp(`^npm ${name}\\b`, 'm'));
    expect(scripts).toHaveProperty(name);
  }
});
