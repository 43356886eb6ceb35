import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { bundles as encoders } from './packages/live/scripts/bundle-page.mjs';
import { bundles as engine } from './packages/page-engine/scripts/bundle-page.mjs';
import { workspaceFolders } from './scripts/bootstrap/workspace-folders.mjs';

const root = import.meta.dirname;
const folders = [...workspaceFolders(root), 'scripts'];

/** Files that need a process of their own: they change its environment, its signals or what modules are. */
const ALONE = 'test/**/*.alone.test.{ts,tsx,mjs}';
/** Files that need more than Node, npm and a Chromium. */
const OUTSIDE = 'test/**/*.outside.test.{ts,tsx,mjs}';
/** Files that need a Docker engine, too. */
const DOCKER = 'test/**/*.docker.test.{ts,tsx,mjs}';

// Sources under test import what runs in pages as generated constants: they have to be those of the present sources.
await Promise.all([engine.write(), encoders.write()]);

/** The tests of a folder: its files share worker processes, so that each pays for modules and a Chromium once. */
function projectsOf(folder: string) {
  const test = {
    setupFiles: [resolve(root, 'scripts/testing/setup.ts')],
    runner: resolve(root, 'scripts/testing/worker-runner.ts'),
  };
  const shared = {
    ...{ name: folder, isolate: false, include: ['test/**/*.test.{ts,tsx,mjs}'] },
    exclude: [...configDefaults.exclude, ALONE, OUTSIDE, DOCKER],
  };
  const alone = { name: `${folder} (alone)`, include: [ALONE] };
  const outside = { name: `${folder} (outside)`, include: [OUTSIDE] };
  const docker = { name: `${folder} (docker)`, include: [DOCKER] };
  const { TEST_OUTSIDE, TEST_DOCKER } = process.env;
  const kinds = [shared, alone, ...(TEST_OUTSIDE ? [outside] : []), ...(TEST_DOCKER ? [docker] : [])];
  return kinds.map(kind => ({ root: folder, test: { ...test, ...kind } }));
}

export default defineConfig({
  test: {
    projects: folders.flatMap(projectsOf),
    env: { MASTRA_TELEMETRY_DISABLED: '1' },
    // Each drives a Chromium. Three share two cores well, for tests wait a third of their time.
    maxWorkers: 3,
    // A limit is for what hangs: a machine that is busy with other work can be many times as slow as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
