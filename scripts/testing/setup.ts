import fc from 'fast-check';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { endFile, endTest } from './endings.ts';
import { leftoversSince, present } from './leftovers.ts';
import { trials } from './trials.ts';

// Vitest runs this before each test file, and hooks that were registered first come last.
const before = present();

// Property tests try the same each time, so that a run says something of a change: other seeds are a soak's.
fc.configureGlobal({ seed: trials.seed });

afterEach(endTest);
afterAll(async () => {
  await endFile();
  // What ends may take a moment to be gone.
  await vi.waitFor(() => expect(leftoversSince(before), 'left over by this file').toEqual([]), { timeout: 15_000 });
});
