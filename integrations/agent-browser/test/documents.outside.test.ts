import { execFile } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoShop } from '../examples/demo-shop.js';
import { root, SNIPPETS } from './documents.js';
import { linkedProject } from './linked-project.js';
import { standInModel } from './stand-in-model.js';

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

/** Hosts of the examples: all of them are the demo shop here. */
const EXAMPLE = /https:\/\/[\w.]*\bexample(\.com)?\b/g;
/** Arguments of runs that a block needs before the one without any. */
const FIRST = new Map([['docs/guides/browser-agent/rerun-in-ci.md', ['--record']]]);
const RUN = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];

let project = '';
let shop = '';
let model: Awaited<ReturnType<typeof standInModel>>;
let errors: string[] = [];

beforeAll(async () => {
  [model, shop] = await Promise.all([standInModel(), demoShop()]);
  shop = shop.replace(/\/$/, '');
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

afterAll(async () => {
  await model.close();
  await rm(project, { recursive: true });
});

describe.each(SNIPPETS)('$document', ({ document, codes }) => {
  it('has code that a strict compiler takes, as it stands', () => {
    // What belongs to no document, such as a compiler that did not run, fails each of them.
    const folders = SNIPPETS.map(each => `${folderOf(each.document)}/`);
    const isOthers = (line: string) =>
      folders.some(folder => line.startsWith(folder)) && !line.startsWith(`${folderOf(document)}/`);
    expect(errors.filter(line => !isOthers(line))).toEqual([]);
  });

  it('has code that runs to its end and prints what it says', { timeout: 600_000 }, async () => {
    const folder = join(project, folderOf(document));
    for (const [index, { code, output }] of codes.entries()) {
      // A server goes on until somebody ends it: it is compiled only.
      if (/\.listen\(/.test(code)) continue;
      const file = join(folder, `run-${index + 1}.ts`);
      await writeFile(file, code.replace(EXAMPLE, shop));
      const first = FIRST.get(document);
      if (first !== undefined) await run(file, first);
      const printed = await run(file, []);
      if (output !== undefined) expect(printed.replaceAll(shop, 'https://shop.example')).toBe(output);
    }
  });
});

/** What a block prints in the folder of its document; it rejects with all that was printed when the block fails. */
async function run(file: string, args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'none',
    ANTHROPIC_API_KEY: 'none',
    MASTRA_TELEMETRY_DISABLED: '1',
  };
  const { stdout } = await promisify(execFile)(process.execPath, [...RUN, file, ...args], { cwd: dirname(file), env });
  return stdout;
}

async function compilerErrors(folder: string): Promise<string> {
  const compiler = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
  const tsc = join(dirname(compiler), 'bin/tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { cwd: folder });
  return run.then(
    () => '',
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  );
}
