import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '../chromium.ts';
import type { Stack } from '../stacks/stack.ts';
import { round } from '../statistics.ts';
import type { BenchResults } from './results.ts';

const require = createRequire(import.meta.url);

/** What a reader needs to judge the numbers: no name or path of the machine. */
export function environment(stacks: readonly Stack[]): Pick<BenchResults, 'date' | 'machine' | 'versions'> {
  const live = ['@browser-toolset/server', '@mastra/deployer', 'ws'];
  const packages = [...stacks.map(stack => stack.packageName), '@mastra/core', 'gpt-tokenizer', ...live];
  return {
    date: new Date().toISOString(),
    machine: {
      cores: cpus().length,
      memoryGiB: round(totalmem() / 2 ** 30, 0),
      platform: `${process.platform}-${process.arch}`,
    },
    versions: {
      node: process.version,
      chromium: chromiumVersion(),
      ...Object.fromEntries(packages.map(name => [name, packageVersion(name)])),
      ...mcpCore(),
    },
  };
}

function chromiumVersion(): string {
  const output = execFileSync(chromiumPath(), ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return /\d+(\.\d+)+/.exec(output)?.[0] ?? output.trim();
}

function packageVersion(name: string, from: NodeJS.Require = require): string {
  return manifestOf(name, from).version;
}

/** The workspace pins one playwright-core, so the MCP server may run on another one than it was published with: say so. */
function mcpCore(): Record<string, string> {
  const server = manifestOf('@playwright/mcp', require);
  const used = packageVersion('playwright-core', createRequire(join(server.folder, 'package.json')));
  return { 'playwright-core under @playwright/mcp': used };
}

/** Some packages do not export their manifest: it is found above the entry instead. */
function manifestOf(name: string, from: NodeJS.Require): { version: string; folder: string } {
  for (const base of from.resolve.paths(name) ?? []) {
    try {
      const folder = join(base, name);
      return {
        version: (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version,
        folder,
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${name} is not installed`);
}
