import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { workspaceFolders } from './scripts/bootstrap/workspace-folders.mjs';

const root = import.meta.dirname;
const folders = [...workspaceFolders(root), 'scripts'];
/** Run once before the tests of a folder. */
const setups: Record<string, string> = {
  'integrations/agent-browser': resolve(root, 'integrations/agent-browser/test/page-bundle.setup.ts'),
};

export default defineConfig({
  test: {
    projects: folders.map(folder => ({
      root: folder,
      test: { name: folder, ...(folder in setups && { globalSetup: setups[folder] }) },
    })),
    exclude: [...configDefaults.exclude, '**/dist/**'],
    env: { MASTRA_TELEMETRY_DISABLED: '1' },
    // Each drives a Chromium. Three share two cores well, for tests wait a third of their time.
    maxWorkers: 3,
    // A limit is for what hangs: a machine that is busy with other work can be many times as slow as a quiet one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: resolve(root, 'output/vitest.json') }]]
      : ['default'],
  },
});
