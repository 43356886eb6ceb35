import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startHttp } from './started.js';

const BASELINE = new URL('./conformance-baseline.yml', import.meta.url).pathname;
const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

it('passes every conformance scenario that applies', async () => {
  const command = await startHttp({ flags: ['--profile', 'full'] });
  // The suite writes what it saw into the folder that it runs in.
  const cwd = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  try {
    const args = [suite, 'server', '--url', command.url, '--suite', 'all', '--expected-failures', BASELINE];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 50_000_000 });
    for (const scenario of [
      'server-initialize',
      'ping',
      'tools-list',
      'resources-subscribe',
      'dns-rebinding-protection',
    ])
      expect(stdout).toMatch(new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
  } finally {
    await command.stop();
    await rm(cwd, { recursive: true, force: true });
  }
});
