import { expect, test } from 'vitest';
import { replaceBetweenMarkers } from '../src/report/fragment.ts';
import { whyFragment } from '../src/report/readme-fragments.ts';

test('only what stands between the markers is rewritten', () => {
  const document = 'before\n<!-- bench:start -->\nold\n<!-- bench:end -->\nafter\n';
  const once = replaceBetweenMarkers(document, 'new');
  expect(once).toBe('before\n<!-- bench:start -->\nnew\n<!-- bench:end -->\nafter\n');
  expect(replaceBetweenMarkers(once, 'new')).toBe(once);
});

test('a file without markers is left alone, with a reason', () => {
  expect(() => replaceBetweenMarkers('text', 'new')).toThrow('needs the markers');
});

test('a run that lacks what the README shows is refused, by name', () => {
  const empty = { date: '', machine: { cores: 1, memoryGiB: 1, platform: '' }, versions: {}, rounds: 1 };
  expect(() => whyFragment({ latest: empty, prompt: empty, mcp: empty })).toThrow('tokens of a task');
});
