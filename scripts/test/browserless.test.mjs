import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../bootstrap/layout.mjs';
import { browserless, DRIVER } from '../testing/browserless.mjs';
import { testFiles } from '../testing/test-files.mjs';

test('a file that imports what starts processes is not among those without a browser, one of pure functions is', () => {
  const files = ['scripts/test/processes.test.mjs', 'scripts/test/version.test.mjs'];
  expect(testFiles(root)).toEqual(expect.arrayContaining(files));
  expect(browserless(root, files)).toEqual(['scripts/test/version.test.mjs']);
});

test('the module that loads the driver is where it is looked for', () => {
  expect(existsSync(join(root, DRIVER))).toBe(true);
  expect(browserless(root, [DRIVER])).toEqual([]);
});
