import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type MastraStorageLike, ThreadTexts } from '@browser-toolset/core';
import { z } from 'zod/v4';
import { type AgentHistory, historySchema } from './history.js';
import { withoutMaskedValues } from './masked-values.js';

/** A history in Mastra's storage. */
export interface StoredHistory {
  storage: MastraStorageLike;
  threadId: string;
  /** The thread's latest run when left out. */
  runId?: string;
}

/** Type of the thread state that names the latest run of a thread. */
const LATEST = 'browser-agent';

function typeOf(runId: string): string {
  return `browser-agent/${runId}`;
}

/**
 * Keeps a history without what was put into fields that mask their value, whole at any moment: whoever reads it after a crash finds this one or the one before.
 *
 * @param whole The history as the run has it.
 * @param place Path of a file, or Mastra's storage, which keeps it by thread and run.
 */
export async function saveHistory(whole: AgentHistory, place: string | MastraStorageLike): Promise<void> {
  const history = withoutMaskedValues(whole);
  if (typeof place === 'string') return writeWhole(place, JSON.stringify(history, null, 1));
  const texts = new ThreadTexts(place);
  const { threadId, runId } = history;
  await texts.set({ threadId, type: typeOf(runId) }, JSON.stringify(history));
  // After the history itself: what is named here is there.
  await texts.set({ threadId, type: LATEST }, runId);
}

/** @throws When there is no history at that place, or it is of a version that is not known. */
export async function loadHistory(place: string | StoredHistory): Promise<AgentHistory> {
  if (typeof place === 'string') return parseHistory(await readFile(place, 'utf8'), place);
  const history = await findHistory(place);
  if (history === undefined) throw new Error(`The storage holds no history of ${nameOf(place)}`);
  return history;
}

/** Undefined where the storage holds none. */
export async function findHistory(place: StoredHistory): Promise<AgentHistory | undefined> {
  const { storage, threadId } = place;
  const texts = new ThreadTexts(storage);
  const runId = place.runId ?? (await texts.get({ threadId, type: LATEST }));
  const text = runId === undefined ? undefined : await texts.get({ threadId, type: typeOf(runId) });
  return text === undefined ? undefined : parseHistory(text, `The history of ${nameOf(place)}`);
}

function nameOf({ threadId, runId }: StoredHistory): string {
  return runId === undefined ? `thread ${threadId}` : `run ${runId} of thread ${threadId}`;
}

/** Writes beside the file and renames, which no reader sees half done. */
async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = join(dirname(path), `.${randomUUID()}.tmp`);
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
}

function parseHistory(text: string, name: string): AgentHistory {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is no JSON`, { cause: error });
  }
  const parsed = historySchema.safeParse(data);
  if (!parsed.success) throw new Error(`${name} is no history: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
