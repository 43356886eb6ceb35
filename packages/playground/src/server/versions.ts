import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const manifest = z.object({ version: z.string() });

const PACKAGES = ['@browser-toolset/agent-browser', '@mastra/core'];

/** The versions that a report of a fault needs. */
export async function packageVersions(): Promise<Record<string, string>> {
  const versions = await Promise.all(PACKAGES.map(async name => [name, await versionOf(name)] as const));
  return { ...Object.fromEntries(versions), node: process.versions.node };
}

async function versionOf(name: string): Promise<string> {
  const text = await readFile(new URL(import.meta.resolve(`${name}/package.json`)), 'utf8');
  return manifest.parse(JSON.parse(text)).version;
}
