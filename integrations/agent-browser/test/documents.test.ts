import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DOCUMENTS, root } from './documents.js';

/** Languages whose blocks are run in `documents.outside.test.ts` or looked at here. */
const LANGUAGES = ['', 'ts', 'tsx', 'json', 'sh'];

/** All other blocks, and what becomes of them. */
const OTHERS: Readonly<Record<string, string>> = {
  'docs/guides/docker.md dockerfile': 'is checked by scripts/test/docker.test.mjs, and built by image.docker.test.mjs',
  'docs/migration/browser-use.md python': 'is of browser-use, beside what takes its place',
  'packages/server/README.md js': 'is run by packages/server/test/page-video.test.ts',
};

const blocks = DOCUMENTS.flatMap(({ document, blocks }) => blocks.map(block => ({ document, ...block })));
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ document, code }) => code.split('\n').map(line => ({ document, line })));

const scriptsIn = (folder: string): Record<string, string> =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).scripts;

test('documents have no blocks in a language that nothing looks at', () => {
  const others = blocks.filter(({ language }) => !LANGUAGES.includes(language));
  const kinds = new Set(others.map(({ document, language }) => `${document} ${language}`));
  expect([...kinds].sort()).toEqual(Object.keys(OTHERS).sort());
});

test('their JSON is JSON', () => {
  const texts = blocks.filter(({ language }) => language === 'json');
  expect(texts.length).toBeGreaterThan(0);
  for (const { document, code } of texts) expect(() => JSON.parse(code), `${document}: ${code}`).not.toThrow();
});

test('their commands are scripts of the repository', () => {
  const named = commands.flatMap(({ document, line }) => {
    const [, folder = '.', name = ''] =
      /(?:^|\s)(?:cd (\S+) && pnpm|npm(?: run)?) ([\w:]+)/.exec(line.replace(/#.*/, '')) ?? [];
    return name === '' || name === 'i' ? [] : [{ document, line, folder, name }];
  });
  expect(named.length).toBeGreaterThan(5);
  for (const { document, line, folder, name } of named)
    expect(scriptsIn(folder), `${document}: ${line}`).toHaveProperty([name]);
});

test('files that their commands name are there, and options of the MCP server too', () => {
  const options = readFileSync(join(root, 'docs/reference/mcp-options.md'), 'utf8');
  const files = commands.flatMap(({ document, line }) => {
    const [, file, rest = ''] = /node (?:\/path\/to\/clone\/)?([\w/.-]+\.m?js)(.*)/.exec(line) ?? [];
    return file === undefined ? [] : [{ document, file, flags: rest.match(/--[\w-]+/g) ?? [] }];
  });
  expect(files.length).toBeGreaterThan(3);
  for (const { document, file, flags } of files) {
    expect(existsSync(join(root, file)), `${document}: ${file}`).toBe(true);
    for (const flag of flags) expect(options, document).toContain(`\`${flag}\``);
  }
});
