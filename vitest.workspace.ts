import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { workspaceFolders } from './scripts/bootstrap/workspace-folders.mjs';

const root = import.meta.dirname;
const folders = [...workspaceFolders(root), 'scripts'];

export default defineConfig({
  test: {
    // A folder with a configuration of its own keeps it; the others take what stands here.
    projects: folders.map(folder =>
      existsSync(resolve(root, folder, 'vitest.config.ts')) ? folder : { root: folder, test: { name: folder } },
    ),
    exclude: [...configDefaults.exclude, '**/dist/**'],
    // Each drives a Chromium. Two share two cores well, for tests wait much of their time.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a person would still call at once, on a machine that is busy with other tests.
    expect: { poll: { timeout: 15_000 } },
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: resolve(root, 'output/vitest.json') }]]
      : ['default'],
  },
});
