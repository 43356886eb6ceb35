import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, SNIPPETS } from './documents.js';
import { linkedProject } from './linked-project.js';

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

/** The code of a document is in a folder of its own of one project, which is compiled once. */
const folderOf = (document: string) => document.replaceAll(/[^a-z]+/gi, '-');

let project = '';
let errors: string[] = [];

beforeAll(async () => {
  project = await linkedProject(['@mastra/core', '@mastra/libsql', 'zod'], {
    '@browser-toolset/browser-agent': join(root, 'packages/browser-agent'),
    '@browser-toolset/mcp': join(root, 'packages/mcp'),
    '@browser-toolset/server': join(root, 'packages/server'),
    hono: join(root, 'packages/mcp/node_modules/hono'),
  });
  await symlink(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'), 'junction');
  for (const { document, codes } of SNIPPETS) {
    await mkdir(join(project, folderOf(document)));
    for (const [index, { code }] of codes.entries())
      await writeFile(join(project, folderOf(document), `snippet-${index + 1}.ts`), code);
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  errors = (await compilerErrors(project)).split('\n').filter(line => line !== '');
});

afterAll(() => rm(project, { recursive: true }));

describe.each(SNIPPETS)('$document', ({ document }) => {
  it('has code that a strict compiler takes, as it stands', () => {
    // What belongs to no document, such as a compiler that did not run, fails each of them.
    const folders = SNIPPETS.map(each => `${folderOf(each.document)}/`);
    const isOthers = (line: string) =>
      folders.some(folder => line.startsWith(folder)) && !line.startsWith(`${folderOf(document)}/`);
    expect(errors.filter(line => !isOthers(line))).toEqual([]);
  });
});

async function compilerErrors(folder: string): Promise<string> {
  const compiler = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
  const tsc = join(dirname(compiler), 'bin/tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder });
  return run.then(
    () => '',
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  );
}
