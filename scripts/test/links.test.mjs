import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anchors, deadLinks } from '../docs/links.mjs';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'links-'));
  writeFileSync(join(root, 'there.md'), '# A page\n\n## What `it` is: a test\n\n## Twice\n\n## Twice\n');
});
afterAll(() => rmSync(root, { recursive: true }));

test('a link to a file or heading that is not there is named', () => {
  const text = '[a](gone.md), [b](there.md#nowhere), ![c](docs/gone.jpg), [d](#here)';
  expect(deadLinks(root, 'README.md', text)).toEqual([
    'README.md: gone.md does not exist',
    'README.md: there.md#nowhere has no such heading',
    'README.md: docs/gone.jpg does not exist',
    'README.md: #here has no such heading',
  ]);
});

test('what leads somewhere, leads out or is code is left alone', () => {
  const text = [
    '# Here',
    '[a](there.md) [b](there.md#what-it-is-a-test) [c](#here) [d](https://x.example/gone) [e](mailto:a@x.example)',
    '`[f](gone.md)`',
    '```\n[g](gone.md)\n```',
  ].join('\n');
  expect(deadLinks(root, 'README.md', text)).toEqual([]);
});

test('a heading that comes again has a number', () => {
  expect(anchors('# Twice\n## Twice\n```sh\n# no heading\n```\n')).toEqual(['twice', 'twice-1']);
});
