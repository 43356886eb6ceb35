import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, stop } from 'esbuild';
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
  jsx: 'react-jsx',
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
const PANEL = join(root, 'packages/playground-ui');
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
    '@browser-toolset/playground-ui': PANEL,
    react: join(PANEL, 'node_modules/react'),
    'react-dom': join(PANEL, 'node_modules/react-dom'),
  });
  await mkdir(join(project, 'node_modules/@types'));
  for (const types of [join(root, 'node_modules/@types/node'), join(PANEL, 'node_modules/@types/react')])
    await symlink(types, join(project, 'node_modules/@types', basename(types)), 'junction');
  for (const { document, codes } of SNIPPETS) {
    await mkdir(join(project, folderOf(document)));
    for (const [index, { code, language }] of codes.entries())
      await writeFile(join(project, folderOf(document), `snippet-${index + 1}.${language}`), code);
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  errors = (await compilerErrors(project)).split('\n').filter(line => line !== '');
});

afterAll(async () => {
  // esbuild keeps a process for the next bundle.
  await Promise.all([model.close(), stop()]);
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
    for (const [index, { code, language, output }] of codes.entries()) {
      const file = join(folder, `run-${index + 1}.${language}`);
      const local = code.replace(EXAMPLE, shop);
      if (language === 'tsx') await renders(file, local);
      else if (/\.listen\(/.test(code)) await serves(file, local);
      else {
        await writeFile(file, local);
        const first = FIRST.get(document);
        if (first !== undefined) await run(file, first);
        const printed = await run(file, []);
        if (output !== undefined) expect(printed.replaceAll(shop, 'https://shop.example')).toBe(output);
      }
    }
  });
});

/** A server goes on until somebody ends it: it is asked for something, on a port that is free, and ended. */
async function serves(file: string, code: string): Promise<void> {
  const onFreePort = code.replace(/\.listen\(\d+/, '.listen(0');
  await writeFile(file, `${onFreePort}server.once('listening', () => process.send?.(server.address()));\n`);
  const server = fork(file, { cwd: dirname(file), execArgv: RUN, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let problems = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    problems += chunk;
  });
  const ended = once(server, 'exit');
  const [{ port }] = (await Promise.race([
    once(server, 'message'),
    ended.then(() => Promise.reject(new Error(`It ended before it listened: ${problems}`))),
  ])) as [{ port: number }];
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('');
  server.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(problems).toBe('');
}

/** A component is rendered as a server would, without its styles. */
async function renders(file: string, code: string): Promise<void> {
  const shown = `import { renderToString } from 'react-dom/server';
    console.log(renderToString(<LiveView threadId="thread-1" />));`;
  const bundle = file.replace('.tsx', '.cjs');
  await build({
    stdin: { contents: `${code}${shown}`, loader: 'tsx', resolveDir: dirname(file) },
    bundle: true,
    platform: 'node',
    jsx: 'automatic',
    loader: { '.css': 'empty' },
    outfile: bundle,
  });
  expect(await run(bundle, [])).toContain('class="bt-root');
}

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
