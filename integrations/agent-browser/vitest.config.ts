import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'integrations/agent-browser',
    globalSetup: 'test/page-bundle.setup.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a person would still call at once, on a machine that is busy with other tests.
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 2,
  },
});
