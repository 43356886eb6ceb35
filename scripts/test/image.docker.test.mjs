import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../bootstrap/layout.mjs';
import { ensurePnpm } from '../bootstrap/pnpm.mjs';
import { packAll } from '../packaging/pack.mjs';
import { blocks } from './docker-guide.mjs';

/** The image of Node, Debian's packages and Mastra's 130 MB are waited for. */
const BUILD_LIMIT = 1_800_000;
/** A name that no other image and container of the engine has. */
const NAME = `browser-toolset-test-${randomUUID()}`;
const APP = `${NAME}-app`;
const TOKEN = randomUUID();
/** Where the server itself is in its container: the one page that surely can be reached from there. */
const PAGE = 'http://127.0.0.1:3333/health';

let place = '';
let tarballs = '';

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'image-'));
  tarballs = join(place, 'tarballs');
  await mkdir(tarballs);
  await packAll(await ensurePnpm(process.execPath), tarballs);
  const [build = '', run = ''] = blocks('sh').map(asTested);
  await shell(build.replace(/^npm run pack$/m, ''));
  await shell(run.replace(/^export TOKEN=.*$/m, ''));
}, BUILD_LIMIT);

afterAll(async () => {
  // Whatever of them there is: a build that failed left less.
  await Promise.allSettled([docker('rm', '--force', '--volumes', NAME), docker('rm', '--force', '--volumes', APP)]);
  await Promise.allSettled([docker('rmi', APP)]);
  await Promise.allSettled([docker('rmi', NAME)]);
  await rm(place, { recursive: true, force: true });
});

/**
 * The guide's lines with names, a folder and a port of this test's own.
 * @param {string} lines
 */
function asTested(lines) {
  return lines
    .replaceAll('output/packages', tarballs)
    .replaceAll(/(-t|--name) \S+/g, `$1 ${NAME}`)
    .replaceAll(/ browser-toolset$/gm, ` ${NAME}`)
    .replaceAll('127.0.0.1:3333:3333', '127.0.0.1::3333');
}

/** @param {string} lines */
async function shell(lines) {
  const env = { ...process.env, TOKEN };
  const { stdout } = await promisify(execFile)('bash', ['-euc', lines], { cwd: root, env, maxBuffer: 50_000_000 });
  return stdout.trim();
}

/** @param {string[]} args */
async function docker(...args) {
  const { stdout } = await promisify(execFile)('docker', args, { maxBuffer: 50_000_000 });
  return stdout.trim();
}

/** @param {string} name @param {string} path such as `State.ExitCode` */
const inspected = (name, path) => docker('inspect', '--format', `{{.${path}}}`, name);

/** @param {object} message */
const asRequest = message => JSON.stringify({ jsonrpc: '2.0', ...message });

const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'image', version: '0' } },
};

/** A client of the container's server, over HTTP. */
async function connect() {
  const address = (await docker('port', NAME, '3333/tcp')).split('\n')[0];
  /** @type {Record<string, string>} */
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  /** @param {object} message */
  const send = async message => {
    const response = await fetch(`http://${address}/mcp`, { method: 'POST', headers, body: asRequest(message) });
    expect(response.ok, await response.clone().text()).toBe(true);
    headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? '';
    return response.text();
  };
  await send(INITIALIZE);
  await send({ method: 'notifications/initialized' });
  return send;
}

test('the server of the image becomes healthy, and opens a page', async () => {
  await expect.poll(() => inspected(NAME, 'State.Health.Status'), { timeout: 240_000 }).toBe('healthy');
  const send = await connect();
  const params = { name: 'browser_navigate', arguments: { url: PAGE } };
  expect(await send({ id: 2, method: 'tools/call', params })).toContain('"success":true');
});

test('its Chromium runs without a sandbox, without shared memory in /dev/shm, and as a user who cannot write to the code', async () => {
  const lines = await docker('exec', NAME, 'sh', '-c', "cat /proc/[0-9]*/cmdline | tr '\\0' '\\n'");
  expect(lines.split('\n')).toEqual(expect.arrayContaining(['--no-sandbox', '--disable-dev-shm-usage']));
  expect(await docker('exec', NAME, 'sh', '-c', 'id -un; ls -A /dev/shm; touch /app/file 2>&1 || true')).toMatch(
    /^node\ntouch: cannot touch '\/app\/file'/,
  );
});

test('it ends by itself within its time when it is stopped', async () => {
  await docker('stop', NAME);
  // A process that was killed has 137.
  expect(await inspected(NAME, 'State.ExitCode')).toBe('0');
});

test('a client starts a server over standard input and output', async () => {
  const [config = ''] = blocks('json');
  const { command, args } = JSON.parse(config).mcpServers.browser;
  const own = args.map((/** @type {string} */ arg) => (arg === 'browser-toolset' ? NAME : arg));
  const server = spawn(command, own, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  server.stdin.write(`${asRequest(INITIALIZE)}\n`);
  expect(JSON.parse((await answers.next()).value)).toMatchObject({ id: 1, result: {} });
  server.stdin.write(`${asRequest({ method: 'notifications/initialized' })}\n`);
  server.stdin.write(`${asRequest({ id: 2, method: 'tools/list' })}\n`);
  const { result } = JSON.parse((await answers.next()).value);
  expect(result.tools).toContainEqual(expect.objectContaining({ name: 'browser_click' }));
  server.stdin.end();
  expect(await ended).toEqual([0, null]);
});

test('an app of the image has the toolset, and ends by the signal of a stop', async () => {
  const folder = join(place, 'app');
  await mkdir(folder);
  const program = `
    import { createServer } from 'node:http';
    import { BrowserToolset } from '@browser-toolset/agent-browser';
    import { Agent } from '@mastra/core/agent';
    const server = createServer((_, response) => response.end('<title>Mugs</title>')).listen(8080, '127.0.0.1');
    const browser = new BrowserToolset();
    const agent = new Agent({ id: 'web', name: 'Web', instructions: '', model: 'openai/gpt-5-mini', tools: browser.tools });
    const { title } = await browser.session('ann').navigate({ url: 'http://127.0.0.1:8080/' });
    console.log(agent.id, title);`;
  await writeFile(join(folder, 'app.js'), program);
  const file = blocks('dockerfile').at(-1) ?? '';
  await writeFile(join(folder, 'Dockerfile'), file.replace('FROM browser-toolset', `FROM ${NAME}`));
  await docker('build', '-t', APP, folder);
  await docker('run', '--detach', '--name', APP, APP);
  await expect.poll(() => docker('logs', APP)).toBe('web Mugs');
  await docker('stop', APP);
  expect(await inspected(APP, 'State.ExitCode')).toBe('143');
});
