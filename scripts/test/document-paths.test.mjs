import { expect, test } from 'vitest';
import { missingPaths } from '../docs/document-paths.mjs';
import { documents, repositoryFiles } from '../docs/documents.mjs';

/** Paths that the repository does not have, and why a document names them. */
const ELSEWHERE = {
  'bench/README.md: results/packed.json': 'a run of bench writes it',
  'bench/README.md: results/partial.json': 'a run of bench writes it',
  'eval/README.md: runs/<task>/<agent>-<n>/transcript.md': 'a part of the folder that an eval writes',
};

test('the paths that documents name are there', () => {
  const files = repositoryFiles();
  const missing = documents().flatMap(({ file, text }) =>
    missingPaths(files, file, text).map(({ line, path }) => ({
      key: `${file}: ${path}`,
      place: `${file}:${line}: ${path}`,
    })),
  );
  expect(missing.filter(({ key }) => !Object.hasOwn(ELSEWHERE, key)).map(({ place }) => place)).toEqual([]);
  expect(missing.map(({ key }) => key)).toEqual(expect.arrayContaining(Object.keys(ELSEWHERE)));
});

const FILES = [
  'README.md',
  'docs/guide.md',
  'integrations/agent-browser/src/tools/click.ts',
  'packages/page-engine/src/press/press-guard.ts',
  'packages/server/src/rest.ts',
  'packages/server/test/rest.test.ts',
];

/** @param {string} text */
const missing = (text, document = 'README.md') =>
  missingPaths(FILES, document, text).map(({ line, path }) => `${line}: ${path}`);

test('a path that is nowhere is named with its line', () => {
  expect(missing('`packages/gone/`\n\n- `src/gone.ts`, `docs/guide.md`, `gone/a.json`, `gone.mjs`')).toEqual([
    ...['1: packages/gone/', '3: src/gone.ts', '3: gone/a.json', '3: gone.mjs'],
  ]);
});

test('paths begin at the root, the document, the toolset, or in a package', () => {
  const text =
    '`docs/guide.md`, `packages/server/src/`, `src/tools`, `tools/click.ts`, `page-engine/press/press-guard.ts`';
  expect(missing(text)).toEqual([]);
  expect(missing('`src/rest.ts`', 'packages/server/README.md')).toEqual([]);
  expect(missing('`src/rest.ts`')).toEqual(['1: src/rest.ts']);
});

test('the heading of a section says which package its paths are of', () => {
  expect(missing('## Packages\n### packages/server\n`src/rest.ts`\n#### Tests\n`test/rest.test.ts`')).toEqual([]);
  expect(missing('### packages/server\n### Others\n`src/rest.ts`')).toEqual(['3: src/rest.ts']);
});

test('placeholders stand for any name, and braces for each of theirs', () => {
  expect(missing('`src/tools/<name>.ts`, `*.test.ts`, `packages/*/src`, `packages/**/press-guard.ts`')).toEqual([]);
  expect(missing('`packages/server/src/<name>.md`')).toEqual(['1: packages/server/src/<name>.md']);
  expect(missing('`docs/{guide,gone}.md`')).toEqual(['1: docs/{guide,gone}.md']);
});

test('what is built, of the machine, a command, a url or in a block is no path of the repository', () => {
  const text =
    '`packages/a/dist/a.mjs`, `~/.cursor/mcp.json`, `node examples/a.ts`, `https://x.example/a.json`, `#live/a.ts`';
  expect(missing(`${text}\n\`\`\`sh\n\`src/gone.ts\`\n\`\`\``)).toEqual([]);
});
