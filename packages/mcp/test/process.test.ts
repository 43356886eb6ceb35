import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { Command } from './command.js';
import { below, isAlive } from './processes.js';
import { site } from './site.js';
import { MAIN } from './started.js';

const folder = await mkdtemp(join(tmpdir(), 'mcp-process-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const url = site({
  '/': '<title>Home</title><a download="a.txt" href="data:text/plain,a">Get</a>',
  '/slow': '<title>Slow</title>',
});

const started = (args: readonly string[] = [], env: Record<string, string> = {}): Promise<Command> =>
  new Command(args, { TMPDIR: folder, ...env }).initialized();

/** A command with a browser and a file of its own, in the midst of a call. */
async function atWork(args: readonly string[] = []): Promise<{ command: Command; browser: number[] }> {
  const command = await started(args);
  await command.call('browser_navigate', { url: url('/') });
  await command.call('browser_screenshot', {});
  void command.call('browser_wait', { for: { seconds: 20 }, timeout: 20_000 });
  const pid = command.process.pid ?? 0;
  const browser = below(pid);
  expect(browser.length).toBeGreaterThan(2);
  return { command, browser };
}

describe('the command ends, with its browser and its files', () => {
  it.each([
    ['when its input closes', (command: Command) => command.process.stdin?.end()],
    ['on SIGTERM', (command: Command) => command.process.kill('SIGTERM')],
    ['on SIGINT', (command: Command) => command.process.kill('SIGINT')],
    ['on SIGHUP', (command: Command) => command.process.kill('SIGHUP')],
  ])('%s', async (_, end) => {
    const { command, browser } = await atWork();
    end(command);
    expect(await command.ended()).toBe(0);
    await expect.poll(() => browser.filter(isAlive)).toEqual([]);
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  });

  it('when its parent is killed', async () => {
    const script = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, [${JSON.stringify(MAIN)}], { stdio: ['pipe', 'ignore', 'ignore'] });
      console.log(child.pid); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['-e', script]);
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe('the command', () => {
  it('writes nothing but the protocol to its output', async () => {
    const { command } = await atWork(['--live']);
    for (const line of command.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    command.process.stdin?.end();
    await command.ended();
  });

  it('without a Chromium answers what to run, and stays', async () => {
    const command = await started(['--executable-path', '/nowhere/chromium']);
    for (let times = 0; times < 2; times++) {
      const { result } = await command.call('browser_navigate', { url: url('/') });
      expect(result?.structuredContent).toMatchObject({ success: false });
      expect(result?.content?.[0]?.text).toContain('/nowhere/chromium');
    }
    command.process.stdin?.end();
    expect(await command.ended()).toBe(0);
  });

  it('goes on after lines that are no messages', async () => {
    const command = await started();
    for (const line of ['', 'hello', '{', '[]', 'null', '{"jsonrpc":"1.0"}', '{"id":{}}', '\u0000', '{"method":7}'])
      command.write(line);
    const { result } = await command.ask('tools/list', {});
    expect(result).toMatchObject({ tools: expect.any(Array) });
    expect((await command.ask('no/such', {})).error).toMatchObject({ code: -32_601 });
    command.process.stdin?.end();
    expect(await command.ended()).toBe(0);
  });
});

describe('options', () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );

  it('are listed by --help, the version by --version', async () => {
    const { stdout } = await run(['--help']);
    expect(stdout).toContain('--url-policy-block <text>');
    expect(stdout).toContain('--no-headless');
    expect(stdout).toContain('--ignore-https-errors');
    expect(stdout).toContain('Needs --profile-dir');
    expect(stdout).not.toContain('a function of');
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [['--nothing'], {}, "Unknown option '--nothing'"],
    [['--port', 'x'], {}, '--port: a number is expected, not "x"'],
    [['--profile', 'big'], {}, '--profile: one of core, full, slim, algonius is expected, not "big"'],
    [['--http', '--port', '70000'], {}, 'port'],
    [['--http', '--host', '0.0.0.0'], {}, '--host 0.0.0.0 needs --token'],
    [['--http', '--host', '0.0.0.0', '--token', 'x'.repeat(20)], {}, '--host 0.0.0.0 needs --allow-host'],
    [['--token', 'short'], {}, 'token'],
    [['--config', '/nowhere.json'], {}, '--config: '],
    [[], { BROWSER_TOOLSET_HTTP: 'perhaps' }, 'BROWSER_TOOLSET_HTTP: true or false is expected'],
    [[], { BROWSER_TOOLSET_VIEWPORT_WIDTH: 'wide' }, 'BROWSER_TOOLSET_VIEWPORT_WIDTH: a number is expected'],
    [['--secrets', '{"a":"b"}'], {}, 'secrets.a'],
    [['--tools', 'browser_cook'], {}, 'There is no tool browser_cook'],
  ])('%j %j are refused with one clear error', async (args, env, message) => {
    const { code, stderr, stdout } = await run(args, env);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(`browser-toolset-mcp: `);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  it('count from flags, then variables, then the file', async () => {
    const config = join(tmpdir(), `mcp-config-${process.pid}.json`);
    await writeFile(
      config,
      JSON.stringify({ profile: 'full', urlPolicyBlock: ['blocked.example'], viewportWidth: 'x' }),
    );
    try {
      const named = async (args: string[], env: Record<string, string> = {}) => {
        const command = await started(
          ['--config', config, '--viewport-width', '800', '--viewport-height', '600', ...args],
          env,
        );
        const { result } = await command.ask('tools/list', {});
        const blocked = await command.call('browser_navigate', { url: 'https://blocked.example' });
        command.process.stdin?.end();
        await command.ended();
        return [(result as { tools: unknown[] }).tools.length, blocked.result?.structuredContent?.code];
      };
      const slim = (await named(['--profile', 'slim'], { BROWSER_TOOLSET_PROFILE: 'core' }))[0];
      const [core, code] = await named([], { BROWSER_TOOLSET_PROFILE: 'core' });
      const full = (await named([]))[0];
      expect([slim, core, full]).toEqual([8, 20, 28]);
      expect(code).toBe('url_blocked');
      await writeFile(config, '{"cook": true}');
      expect((await run(['--config', config])).stderr).toContain('has options that do not exist: cook');
    } finally {
      await rm(config, { force: true });
    }
  });
});
