import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ModelServer } from '../../packages/browser-agent/test/model-server.ts';
import type { PlannedRun, Progress } from '../src/evaluation.ts';

export { says } from '../../packages/browser-agent/test/model-server.ts';

/** A folder for the evals of a test file, and a server that speaks the OpenAI protocol. */
export function stage() {
  const server = new ModelServer();
  const at = { folder: '' };
  beforeAll(async () => {
    at.folder = await mkdtemp(join(tmpdir(), 'eval-'));
    await server.start();
  });
  afterAll(async () => {
    await server.stop();
    await rm(at.folder, { recursive: true });
  });
  const env = (): NodeJS.ProcessEnv => ({ MODEL_URL: server.model.url });
  return { server, env, out: (name: string) => join(at.folder, name) };
}

/** Keeps which runs were begun. */
export class Begun implements Progress {
  readonly runs: string[] = [];
  onEnd: () => void = () => undefined;

  begun({ task, agent, repeat }: PlannedRun): void {
    this.runs.push(`${task.id} ${agent} ${repeat}`);
  }

  stepped(): void {}

  ended(): void {
    this.onEnd();
  }
}
