import { expect, test } from 'vitest';
import { root } from '../bootstrap/layout.mjs';
import { packagePatterns, workspaceFolders } from '../bootstrap/workspace-folders.mjs';

test('the package list ends where the next setting begins', () => {
  const yaml =
    'packages:\n  - integrations/*\n\n  - "packages/*"\n  # a comment\n  - bench\n\noverrides:\n  - no/package\n';
  expect(packagePatterns(yaml)).toEqual(['integrations/*', 'packages/*', 'bench']);
});

test('a list that ends the file is read to its end', () => {
  expect(packagePatterns("packages:\r\n- 'a'\r\n- b/*\r\n")).toEqual(['a', 'b/*']);
});

test('the packages of this workspace are found', () => {
  expect(workspaceFolders(root)).toEqual(
    expect.arrayContaining(['integrations/agent-browser', 'packages/core', 'bench']),
  );
});
