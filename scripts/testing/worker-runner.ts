import { TestRunner, type TestRunnerConfig } from 'vitest';
import { endWorker } from './endings.ts';

/** Vitest's runner; workers also end what they kept for all of their test files. */
export default class WorkerRunner extends TestRunner {
  constructor(config: TestRunnerConfig) {
    super(config);
    // Each file of a worker has a runner, and Vitest keeps this function once.
    this.onCleanupWorkerContext?.(endWorker);
  }
}
