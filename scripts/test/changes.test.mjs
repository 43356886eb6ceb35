import { expect, test } from 'vitest';
import { pendingChanges, releasedChanges } from '../docs/changes.mjs';

/** @param {string} id @param {string} summary @param {Record<string, 'major' | 'minor' | 'patch'>} releases */
const changeset = (id, summary, releases) => ({
  id,
  summary,
  releases: Object.entries(releases).map(([name, type]) => ({ name: `@browser-toolset/${name}`, type })),
});

test('what waits is listed by its largest size, each change once', () => {
  const changes = [
    changeset('a', 'Clicks are exact.', { core: 'patch' }),
    changeset('b', 'Video.\n\nIt has no sound.', { core: 'patch', server: 'minor' }),
  ];
  expect(pendingChanges(changes)).toBe(`## Not released yet

### New

- **core, server**: Video.

  It has no sound.

### Better

- **core**: Clicks are exact.
`);
});

test('nothing is said where nothing waits', () => {
  expect(pendingChanges([])).toBe('');
});

test('the changelog of a package is a section', () => {
  expect(releasedChanges('# @browser-toolset/core\n\n## 0.2.0\n\n### Patch Changes\n\n- Number # 1')).toBe(
    '## @browser-toolset/core\n\n### 0.2.0\n\n#### Patch Changes\n\n- Number # 1\n',
  );
});
