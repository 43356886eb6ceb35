import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { descendantsOf, isRunning, ownTemporaryFolder } from './machine.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bundle = `${root}node_modules/.host-process-test/${process.pid}/index.mjs`;
const temporary = ownTemporaryFolder();
const hosts: ChildProcess[] = [];

beforeAll(async () => {
  const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node22' } as const;
  await build({ ...options, absWorkingDir: root, entryPoints: ['src/index.ts'], outfile: bundle });
});

afterAll(() => rmSync(bundle.replace('/index.mjs', ''), { recursive: true, force: true }));

afterEach(async () => {
  for (const host of hosts.splice(0)) {
    if (host.exitCode !== null || host.signalCode !== null) continue;
    const ended = once(host, 'exit');
    host.kill('SIGKILL');
    await ended;
  }
});

interface Host {
  pid: number;
  /** Processes of the browser that it started. */
  helpers: number[];
  process: ChildProcess;
  /** The next line that it writes. */
  line(): Promise<string>;
  /** How it ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>;
}

/** A program that has a page open and a file taken, and then does what the test wants. */
async function host(then: string, options = '{}'): Promise<Host> {
  const program = `
    import { createServer } from 'node:http';
    import { BrowserToolset } from ${JSON.stringify(bundle)};
    const toolset = new BrowserToolset(${options});
    const session = toolset.session('a');
    const open = async () => console.log((await session.navigate({ url: 'about:blank' })).success ? 'open' : 'failed');
    await open();
    await session.screenshot();
    ${then}
    console.log('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  hosts.push(child);
  let errors = '';
  child.stderr.on('data', text => {
    errors += text;
  });
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal, errors }));
  const lines = createInterface({ input: child.stdout });
  const line = lineReader(lines, ended);
  const pid = child.pid ?? 0;
  for (const expected of ['open', 'ready']) expect(await line(), errors).toBe(expected);
  const helpers = descendantsOf(pid);
  expect(helpers.length).toBeGreaterThan(0);
  return { pid, helpers, process: child, line, ended };
}

function lineReader(lines: Interface, ended: Promise<unknown>): () => Promise<string> {
  const kept: string[] = [];
  lines.on('line', line => kept.push(line));
  return async () => {
    while (kept.length === 0) {
      const gone = await Promise.race([once(lines, 'line').then(() => false), ended.then(() => true)]);
      if (gone && kept.length === 0) return 'ended';
    }
    return kept.shift() ?? '';
  };
}

async function expectNothingLeft({ helpers }: Host): Promise<void> {
  await expect.poll(() => helpers.filter(isRunning), { timeout: 5_000 }).toEqual([]);
  expect(temporary.entries()).toEqual([]);
}

const SERVER = `createServer().listen(0, '127.0.0.1');`;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} ends a program as usual, and its browser and temporary files with it`, async () => {
    const program = await host(SERVER);
    program.process.kill(signal);
    expect(await program.ended).toMatchObject({ code: null, signal });
    await expectNothingLeft(program);
  });

  test(`${signal} closes the browser of a program that has a listener for it and leaves the rest to that`, async () => {
    const program = await host(`${SERVER}
      process.once('${signal}', () => console.log('noticed'));
      process.once('SIGUSR2', async () => {
        await open();
        await toolset.close();
        process.exit(7);
      });`);
    program.process.kill(signal);
    expect(await program.line()).toBe('noticed');
    await expect.poll(() => program.helpers.filter(isRunning), { timeout: 10_000 }).toEqual([]);
    expect(isRunning(program.pid)).toBe(true);
    program.process.kill('SIGUSR2');
    expect(await program.line()).toBe('open');
    expect(await program.ended).toMatchObject({ code: 7 });
    await expectNothingLeft(program);
  });
}

test('a program that opens a page loads nothing that drives phones', async () => {
  const program = await host(`
    const { createRequire } = await import('node:module');
    process.once('SIGUSR2', () => {
      const packages = Object.keys(createRequire('/').cache).map(file => file.replace(/.*node_modules./, '').split('/')[0]);
      console.log(JSON.stringify([...new Set(packages)]));
    });
    ${SERVER}`);
  program.process.kill('SIGUSR2');
  const packages: string[] = JSON.parse(await program.line());
  expect(packages).toContain('playwright-core');
  expect(packages).not.toContain('node-simctl');
  expect(packages).not.toContain('source-map-support');
  program.process.kill('SIGTERM');
  await program.ended;
  await expectNothingLeft(program);
});

test('a second signal ends a program at once when its browser does not react', async () => {
  const program = await host(SERVER);
  for (const pid of program.helpers) process.kill(pid, 'SIGSTOP');
  program.process.kill('SIGINT');
  const still = new Promise(resolve => setTimeout(() => resolve('running'), 300));
  expect(await Promise.race([program.ended, still])).toBe('running');
  const began = performance.now();
  program.process.kill('SIGINT');
  expect(await program.ended).toMatchObject({ signal: 'SIGINT' });
  expect(performance.now() - began).toBeLessThan(2_000);
  await expect.poll(() => program.helpers.filter(isRunning), { timeout: 5_000 }).toEqual([]);
});

test('an error that nobody catches ends a program as usual, and nothing is left', async () => {
  const program = await host(`${SERVER} process.once('SIGUSR2', () => { throw new Error('oh no'); });`);
  program.process.kill('SIGUSR2');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('oh no');
  await expectNothingLeft(program);
});

test('a promise that nobody catches ends a program as usual, and nothing is left', async () => {
  const program = await host(`${SERVER} process.once('SIGUSR2', () => Promise.reject(new Error('oh no')));`);
  program.process.kill('SIGUSR2');
  const { code, errors } = await program.ended;
  expect(code).toBe(1);
  expect(errors).toContain('oh no');
  await expectNothingLeft(program);
});

test('process.exit() leaves nothing, also in the middle of a call', async () => {
  const program = await host(`session.wait({ for: { seconds: 20 } }); process.once('SIGUSR2', () => process.exit(3));`);
  program.process.kill('SIGUSR2');
  expect(await program.ended).toMatchObject({ code: 3 });
  await expectNothingLeft(program);
});

test('a program ends by itself once the toolset is closed', async () => {
  const program = await host(`const server = createServer().listen(0, '127.0.0.1');
    process.once('SIGUSR2', async () => { await toolset.close(); server.close(); });`);
  program.process.kill('SIGUSR2');
  const began = performance.now();
  const { code, errors } = await program.ended;
  expect(performance.now() - began).toBeLessThan(3_000);
  expect([code, errors]).toEqual([0, '']);
  await expectNothingLeft(program);
});

test('a program that lost its browser ends by itself once the toolset is closed', async () => {
  const program = await host(`const server = createServer().listen(0, '127.0.0.1');
    process.once('SIGUSR2', async () => { await toolset.close(); server.close(); });`);
  process.kill(program.helpers[0] ?? 0, 'SIGKILL');
  await expect.poll(() => program.helpers.filter(isRunning), { timeout: 5_000 }).toEqual([]);
  program.process.kill('SIGUSR2');
  expect(await program.ended).toMatchObject({ code: 0, errors: '' });
  await expectNothingLeft(program);
});

test('a browser does not outlive a program that is killed', async () => {
  const program = await host(SERVER);
  program.process.kill('SIGKILL');
  await program.ended;
  await expect.poll(() => program.helpers.filter(isRunning), { timeout: 10_000 }).toEqual([]);
});
