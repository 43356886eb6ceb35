import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npmCommand } from '../bootstrap/executables.mjs';
import { ensurePnpm } from '../bootstrap/pnpm.mjs';
import { packAll } from '../packaging/pack.mjs';
import { manifestIn, publishedPackages } from '../packaging/published.mjs';

/** The registry is waited for, with Mastra's 130 MB. */
const INSTALL_LIMIT = 1_200_000;

/** What was packed, and an empty project that it was installed into, as `npm run pack` says. */
let place = '';
/** @type {string[]} */
let tarballs = [];
/** @type {import('../packaging/published.mjs').Package[]} */
let packages = [];
let project = '';
/** @type {import('../bootstrap/processes.mjs').Command} */
let npm;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'packed-'));
  project = join(place, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  packages = await publishedPackages();
  tarballs = await packAll(await ensurePnpm(process.execPath), join(place, 'tarballs'));
  npm = await npmCommand();
  const { devDependencies } = await manifestIn('integrations/agent-browser');
  const peers = ['@mastra/core', 'zod'].map(name => `${name}@${devDependencies[name]}`);
  await runNpm('install', '--no-audit', '--no-fund', ...tarballs, ...peers);
}, INSTALL_LIMIT);

afterAll(() => rm(place, { recursive: true, force: true }));

/** @param {string[]} args */
function runNpm(...args) {
  return promisify(execFile)(npm.file, [...npm.args, ...args], { cwd: project, maxBuffer: 50_000_000 });
}

/** @param {string} name */
const installed = name => join(project, 'node_modules', name);

test('packages find each other among the tarballs', async () => {
  const { packages: places } = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
  const ours = Object.entries(places).filter(([path]) => path.includes('node_modules/@browser-toolset/'));
  expect(ours.map(([path]) => path).sort()).toEqual(
    packages.map(({ manifest }) => `node_modules/${manifest.name}`).sort(),
  );
  for (const [, { resolved }] of ours) expect(resolved).toMatch(/^file:.*\.tgz$/);
});

test('a program has the toolset', async () => {
  const program = `
    import { BrowserToolset } from '@browser-toolset/agent-browser';
    const browser = new BrowserToolset();
    console.log(Object.keys(browser.tools).includes('browser_click'));
    await browser.close();`;
  await writeFile(join(project, 'program.js'), program);
  const { stdout } = await promisify(execFile)(process.execPath, ['program.js'], { cwd: project });
  expect(stdout).toBe('true\n');
});

test('the command lists its tools', async () => {
  const { bin } = JSON.parse(await readFile(join(installed('@browser-toolset/mcp'), 'package.json'), 'utf8'));
  const main = join(installed('@browser-toolset/mcp'), bin['browser-toolset-mcp']);
  const server = spawn(process.execPath, [main], { cwd: project, stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  /** @param {object} message */
  const say = message => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'packed', version: '0' };
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  expect(JSON.parse((await answers.next()).value)).toMatchObject({ id: 1, result: {} });
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/list' });
  const { result } = JSON.parse((await answers.next()).value);
  expect(result.tools).toContainEqual(expect.objectContaining({ name: 'browser_click' }));
  server.stdin.end();
  await new Promise(ended => server.once('exit', ended));
});

test('no source map points at a file that is not there', async () => {
  const missing = [];
  let maps = 0;
  for (const { manifest } of packages) {
    const folder = installed(manifest.name);
    for (const file of await readdir(folder, { recursive: true })) {
      const path = join(folder, file);
      if (file.endsWith('.map')) {
        maps += 1;
        const { sources, sourcesContent = [] } = JSON.parse(await readFile(path, 'utf8'));
        for (const [index, source] of sources.entries())
          if (typeof sourcesContent[index] !== 'string' && !existsSync(resolve(dirname(path), source)))
            missing.push(`${manifest.name}/${file}: ${source}`);
        if (!existsSync(path.slice(0, -'.map'.length))) missing.push(`${manifest.name}/${file}: what it is of`);
      } else if (/\.(?:js|css|d\.ts)$/.test(file)) {
        const [, map] = /^(?:\/\/|\/\*)# sourceMappingURL=(\S+\.map)/m.exec(await readFile(path, 'utf8')) ?? [];
        if (map !== undefined && !existsSync(resolve(dirname(path), map)))
          missing.push(`${manifest.name}/${file}: ${map}`);
      }
    }
  }
  expect(missing).toEqual([]);
  expect(maps).toBeGreaterThan(0);
});

test('each package says where it is from and what it is for, and brings its license and its README', async () => {
  for (const { folder, manifest } of packages) {
    const packed = JSON.parse(await readFile(join(installed(manifest.name), 'package.json'), 'utf8'));
    expect(packed).toMatchObject({ license: 'Apache-2.0', repository: { type: 'git', directory: folder } });
    expect(packed.keywords.length).toBeGreaterThan(0);
    expect(await readdir(installed(manifest.name))).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
  }
});
