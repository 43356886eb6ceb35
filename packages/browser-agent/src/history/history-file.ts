import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod/v4';
import { type AgentHistory, historySchema } from './history.js';

/** Writes a history beside its file and puts it in its place at once: whoever reads it after a crash finds a whole one. */
export async function saveHistory(history: AgentHistory, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.${process.pid}.tmp`;
  await writeFile(beside, JSON.stringify(history, null, 1), { mode: 0o600 });
  await rename(beside, path);
}

/** @throws When there is no file, or it holds no history of a version that is known. */
export async function loadHistory(path: string): Promise<AgentHistory> {
  const text = await readFile(path, 'utf8');
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON`, { cause: error });
  }
  const parsed = historySchema.safeParse(data);
  if (!parsed.success) throw new Error(`${path} is no history: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
