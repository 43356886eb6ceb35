import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserToolset } from '../../src/index.js';
import { expectSuccess, refOf, servePages, sharingToolset } from '../fixtures.js';

const head = '<!doctype html><link rel="icon" href="data:,">';
const site = await servePages({ '/': `${head}<title>Form</title><label>Name <input></label><button>Send</button>` });
const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trace-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What Playwright's own command line reads of a trace. */
async function actionsIn(path: string): Promise<string> {
  const run = promisify(execFile);
  await run(process.execPath, [cli, 'trace', 'open', path], { cwd: folder });
  const { stdout } = await run(process.execPath, [cli, 'trace', 'actions'], { cwd: folder });
  await run(process.execPath, [cli, 'trace', 'close'], { cwd: folder });
  return stdout;
}

async function use(browser: BrowserToolset, thread: string): Promise<void> {
  const session = browser.session(thread);
  expectSuccess(await session.navigate({ url: site.url() }));
  const snapshot = expectSuccess(await session.snapshot());
  expectSuccess(await session.click({ ref: refOf(snapshot, 'button', 'Send') }));
}

describe('a trace', () => {
  it("of each session is a file that Playwright opens, with the tools' calls by name", async () => {
    const made = join(folder, 'made');
    const browser = sharingToolset({ trace: { folder: made } });
    await Promise.all([use(browser, 'ann'), use(browser, 'bob/../x')]);
    await browser.session('ann').close();
    await browser.close();
    const files = (await readdir(made)).sort();
    expect(files).toEqual([expect.stringMatching(/^ann-2.*\.zip$/), expect.stringMatching(/^bob_._x-2.*\.zip$/)]);
    expect((await stat(made)).mode & 0o777).toBe(0o700);
    for (const file of files) {
      expect((await stat(join(made, file))).mode & 0o777).toBe(0o600);
      const actions = await actionsIn(join(made, file));
      expect(actions).toContain('browser_navigate');
      expect(actions).toMatch(/browser_click @e\d/);
    }
  });

  it('is not made unless asked for', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'trace-test-'));
    await using browser = sharingToolset({ downloadsPath: empty });
    await use(browser, 'ann');
    await browser.session('ann').close();
    expect((await readdir(empty, { recursive: true })).filter(name => name.endsWith('.zip'))).toEqual([]);
    await rm(empty, { recursive: true });
  });

  it('that cannot be written stops nothing', async () => {
    await using browser = sharingToolset({ trace: { folder: join(cli, 'no-folder') } });
    await use(browser, 'ann');
    expectSuccess(await browser.session('ann').close());
  });
});
