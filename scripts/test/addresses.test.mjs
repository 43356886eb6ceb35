import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../bootstrap/layout.mjs';
import { addressesOf, notReleasable, siteOf } from '../packaging/addresses.mjs';

const REPOSITORY = 'git+https://github.com/ann/browser-toolset.git';

test('a package says where it is, from the one address', () => {
  expect(addressesOf(REPOSITORY, 'packages/mcp')).toEqual({
    homepage: 'https://github.com/ann/browser-toolset/tree/main/packages/mcp#readme',
    bugs: 'https://github.com/ann/browser-toolset/issues',
    repository: { type: 'git', url: REPOSITORY, directory: 'packages/mcp' },
  });
});

test('the site lies below the name of the repository, or is its host', () => {
  expect(siteOf(REPOSITORY)).toEqual({ origin: 'https://ann.github.io', base: '/browser-toolset/' });
  expect(siteOf('git+https://github.com/Ann/Ann.github.io.git')).toEqual({
    origin: 'https://ann.github.io',
    base: '/',
  });
});

test('what is released has an address, which is that of the repository that builds it', () => {
  expect(notReleasable('git+https://github.com/OWNER/browser-toolset.git', undefined)).toContain('placeholder');
  expect(notReleasable(REPOSITORY, 'bob/fork')).toContain('this is bob/fork');
  expect(notReleasable(REPOSITORY, 'ann/browser-toolset')).toBeUndefined();
  expect(notReleasable(REPOSITORY, undefined)).toBeUndefined();
});

test('the manifests say what the root says', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/gen-manifests.mjs'), '--check']);
  expect(stderr.toString()).toBe('');
  expect(status).toBe(0);
});
