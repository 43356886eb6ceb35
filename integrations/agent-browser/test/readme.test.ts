import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { integration, linkedProject } from './linked-project.js';

const root = resolve(integration, '../..');
const guides = readdirSync(join(root, 'docs/browser-agent')).map(name => `docs/browser-agent/${name}`);
const FILES = ['README.md', 'integrations/agent-browser/README.md', 'packages/browser-agent/README.md', ...guides];
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  lib: ['es2023', 'esnext.disposable', 'dom'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
};

describe.each(FILES)('%s', file => {
  it('has code that a strict compiler takes, as it stands', async () => {
    const snippets = [...read(file).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
    expect(snippets.length).toBeGreaterThan(0);
    const folder = await linkedProject(['@mastra/core', '@mastra/libsql', 'zod'], {
      '@browser-toolset/browser-agent': join(root, 'packages/browser-agent'),
      '@browser-toolset/server': join(root, 'packages/server'),
    });
    try {
      await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'), 'junction');
      for (const [index, code] of snippets.entries()) await writeFile(join(folder, `snippet-${index + 1}.ts`), code);
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
      expect(await compilerErrors(folder)).toBe('');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('links only to what exists', () => {
    const targets = [...read(file).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target = '']) => target);
    const missing = targets.filter(target => {
      const [path = '', heading] = target.split('#');
      const linked = path === '' ? file : join(dirname(file), path);
      return !existsSync(join(root, linked)) || (heading !== undefined && !headings(linked).includes(heading));
    });
    expect(missing).toEqual([]);
  });
});

async function compilerErrors(folder: string): Promise<string> {
  const compiler = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
  const tsc = join(dirname(compiler), 'bin/tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '-p', folder]);
  return run.then(
    () => '',
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  );
}

/** The anchors of a file's headings. */
function headings(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
