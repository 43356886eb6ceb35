import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { difference, type Installed, installedIn } from './installed.ts';
import { pinned, tarballsOf } from './tarballs.ts';

export interface InstallResults {
  /** Mastra's core and zod, with what they bring along. */
  mastra: Installed;
  /** What the toolset adds to a project that has them. */
  toolset: Installed;
}

export function measureInstall(tarballs: readonly string[]): InstallResults {
  const project = mkdtempSync(join(tmpdir(), 'bench-install-'));
  try {
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    const install = (...packages: string[]): Installed => {
      const args = ['install', '--no-audit', '--no-fund', ...packages];
      const { status, error } = spawnSync('npm', args, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
      if (status !== 0) throw error ?? new Error(`npm ${args.join(' ')} ended with ${status}.`);
      return installedIn(project);
    };
    const mastra = install(pinned('@mastra/core'), pinned('zod'));
    const all = install(...tarballsOf(tarballs, ['core', 'agent-browser']));
    return { mastra, toolset: difference(all, mastra) };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}
