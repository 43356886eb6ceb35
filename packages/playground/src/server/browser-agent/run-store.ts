import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentHistory, loadHistory, saveHistory } from '@browser-toolset/browser-agent';
import { z } from 'zod';
import { asError } from '../../demo/unknown-values.js';
import type { Jpeg } from '../camera.js';
import type { RunSummary } from './api.js';

const STOP_REASONS = ['done', 'max_steps', 'failures', 'stuck', 'budget', 'stopped', 'suspended'] as const;

const runRecord = z.object({
  version: z.literal(1),
  id: z.uuid(),
  threadId: z.string(),
  task: z.string(),
  model: z.string().exactOptional(),
  /** Where the demo shop was. */
  demoUrl: z.string(),
  startedAt: z.number(),
  endedAt: z.number().exactOptional(),
  steps: z.number(),
  success: z.boolean().exactOptional(),
  stopReason: z.enum(STOP_REASONS).exactOptional(),
  result: z.string().exactOptional(),
});

/** The record of a run besides its history and its pictures. */
export type RunRecord = z.output<typeof runRecord>;

const PICTURE = /^step-(\d+)\.jpg$/;

/** Runs on disk, each in a folder of its own: `run.json`, `history.json` and a picture a step. */
export class RunStore {
  readonly #folder: string;
  readonly #records = new Map<string, RunRecord>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads what is there. What cannot be read is left where it is, and told. */
  static async open(folder: string): Promise<RunStore> {
    const store = new RunStore(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const entries = await readdir(folder, { withFileTypes: true });
    const ids = entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
    for (const id of ids) await store.#read(id);
    return store;
  }

  /** The latest first. */
  all(): RunRecord[] {
    return [...this.#records.values()].sort((a, b) => b.startedAt - a.startedAt);
  }

  find(id: string): RunRecord | undefined {
    return this.#records.get(id);
  }

  async writeHistory(history: AgentHistory): Promise<void> {
    await saveHistory(history, this.#historyFile(history.runId));
  }

  /** Undefined where none was written: the run ended before its first page was open. */
  async history(id: string): Promise<AgentHistory | undefined> {
    try {
      return await loadHistory(this.#historyFile(id));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async write(record: RunRecord): Promise<void> {
    this.#records.set(record.id, record);
    const path = join(this.#folder, record.id, 'run.json');
    await mkdir(join(this.#folder, record.id), { recursive: true, mode: 0o700 });
    // In its place at once: whoever reads it after a crash finds a whole one.
    await writeFile(`${path}.tmp`, JSON.stringify(record, null, 1), { mode: 0o600 });
    await rename(`${path}.tmp`, path);
  }

  async writePicture(id: string, step: number, picture: Jpeg): Promise<void> {
    await writeFile(this.#picture(id, step), picture, { mode: 0o600 });
  }

  async picture(id: string, step: number): Promise<Jpeg | undefined> {
    try {
      return await readFile(this.#picture(id, step));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** The steps that have a picture. */
  async pictures(id: string): Promise<Set<number>> {
    const names = await readdir(join(this.#folder, id));
    return new Set(
      names
        .map(name => PICTURE.exec(name)?.[1])
        .filter(step => step !== undefined)
        .map(Number),
    );
  }

  async delete(id: string): Promise<void> {
    this.#records.delete(id);
    await rm(join(this.#folder, id), { recursive: true, force: true });
  }

  #historyFile(id: string): string {
    return join(this.#folder, id, 'history.json');
  }

  #picture(id: string, step: number): string {
    return join(this.#folder, id, `step-${step}.jpg`);
  }

  async #read(id: string): Promise<void> {
    try {
      const record = runRecord.parse(JSON.parse(await readFile(join(this.#folder, id, 'run.json'), 'utf8')));
      if (record.id !== id) throw new Error(`it says that it is ${record.id}`);
      this.#records.set(id, record);
    } catch (error) {
      console.error(`The recorded run in ${join(this.#folder, id)} cannot be read: ${asError(error).message}`);
    }
  }
}

/** A run that is at rest. One that has no end was cut off by the end of its server. */
export function runSummaryOf({ version: _, demoUrl: __, ...record }: RunRecord): RunSummary {
  return { ...record, status: record.endedAt === undefined ? 'interrupted' : 'ended' };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
