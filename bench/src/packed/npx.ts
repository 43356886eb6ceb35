import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { interleave } from '../interleave.ts';
import { type Spread, spread } from '../statistics.ts';
import { type Installed, installedIn } from './installed.ts';
import { pinned, tarballsOf } from './tarballs.ts';

export interface NpxResults {
  /** Milliseconds from `npx` with an empty cache to the first list of tools. */
  list: Record<NpxName, Spread>;
  /** What npx installed. */
  installed: Record<NpxName, Installed>;
}

type NpxName = 'ours' | 'playwright';

/** Milliseconds; far more than any client waits. */
const LIMIT = 600_000;

/** Starts each server from nothing, in turn: the registry is as fast as it is just then. */
export async function measureNpx(tarballs: readonly string[], rounds: number): Promise<NpxResults> {
  const place = mkdtempSync(join(tmpdir(), 'bench-npx-'));
  const servers: Record<NpxName, string[]> = {
    ours: [...tarballsOf(tarballs, ['mcp']).flatMap(path => ['-p', path]), 'browser-toolset-mcp'],
    playwright: [pinned('@playwright/mcp'), '--headless', '--isolated'],
  };
  const cacheOf = (name: string): string => join(place, name);
  let open: Client | undefined;
  const subjects = (Object.keys(servers) as NpxName[]).map(name => ({
    name,
    prepare: async () => {
      await open?.close();
      rmSync(cacheOf(name), { recursive: true, force: true });
      mkdirSync(cacheOf(name));
    },
    run: async () => {
      open = new Client({ name: 'bench', version: '0.0.0' });
      // How npm reaches the registry can stand in any variable, but for its cache.
      const env = { ...(process.env as Record<string, string>), npm_config_cache: cacheOf(name) };
      const args = ['-y', ...servers[name]];
      const transport = new StdioClientTransport({ command: 'npx', args, env, cwd: place, stderr: 'ignore' });
      await open.connect(transport, { timeout: LIMIT });
      await open.listTools(undefined, { timeout: LIMIT });
    },
  }));
  try {
    const samples = await interleave(subjects, { warmUps: 0, rounds });
    await open?.close();
    const times = (name: NpxName): Spread => spread(samples.get(name) ?? []);
    const found = (name: NpxName): Installed => {
      const [folder = ''] = readdirSync(join(cacheOf(name), '_npx'));
      return installedIn(join(cacheOf(name), '_npx', folder));
    };
    return {
      list: { ours: times('ours'), playwright: times('playwright') },
      installed: { ours: found('ours'), playwright: found('playwright') },
    };
  } finally {
    await open?.close();
    rmSync(place, { recursive: true, force: true });
  }
}
