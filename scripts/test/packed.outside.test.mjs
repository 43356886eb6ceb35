import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
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
  const tools = await served(project, async call => (await call('tools/list')).tools);
  const names = tools.map((/** @type {{ name: string }} */ { name }) => name);
  expect(names).toEqual(expect.arrayContaining(['browser_click', 'run_browser_agent']));
});

test('the command alone brings Playwright alone, and opens pages', async () => {
  const alone = join(place, 'alone');
  await mkdir(alone);
  await writeFile(join(alone, 'package.json'), '{}');
  const needed = tarballs.filter(path => /browser-toolset-mcp-\d[^/]*$/.test(path));
  await runNpm('install', '--prefix', alone, '--no-audit', '--no-fund', ...needed);
  const { packages: places } = JSON.parse(await readFile(join(alone, 'package-lock.json'), 'utf8'));
  const brought = ['node_modules/@browser-toolset/mcp', 'node_modules/playwright-core'];
  expect(Object.keys(places).filter(Boolean)).toEqual(brought);
  const site = createServer((_request, response) => response.end('<button>Pay</button>'));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const [names, text] = await served(alone, async call => {
    const { tools } = await call('tools/list');
    const url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (site.address()).port}/`;
    const { content } = await call('tools/call', { name: 'browser_navigate', arguments: { url } });
    return [tools.map((/** @type {{ name: string }} */ { name }) => name), content[0].text];
  }).finally(() => site.close());
  expect(names).toContain('browser_click');
  expect(names).not.toContain('run_browser_agent');
  expect(text).toContain('button "Pay"');
});

/**
 * Starts the command that is installed in a folder, and ends it after some requests.
 * @template Value
 * @param {string} folder
 * @param {(call: (method: string, params?: object) => Promise<any>) => Promise<Value>} work
 */
async function served(folder, work) {
  const own = join(folder, 'node_modules/@browser-toolset/mcp');
  const { bin } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8'));
  const server = spawn(process.execPath, [join(own, bin['browser-toolset-mcp'])], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  /** @param {object} message */
  const say = message => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let id = 0;
  const call = async (/** @type {string} */ method, params = {}) => {
    id += 1;
    say({ id, method, params });
    for (;;) {
      const { done, value } = await answers.next();
      if (done) throw new Error(`The server ended before it answered ${method}.`);
      const message = JSON.parse(value);
      if (message.id === id) return message.result;
    }
  };
  const clientInfo = { name: 'packed', version: '0' };
  await call('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  say({ method: 'notifications/initialized' });
  try {
    return await work(call);
  } finally {
    server.stdin.end();
    await new Promise(ended => server.once('exit', ended));
  }
}

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
