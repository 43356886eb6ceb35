import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'packages/playground',
    env: { MASTRA_TELEMETRY_DISABLED: '1' },
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
  },
});
