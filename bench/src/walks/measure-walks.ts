import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Walks } from './walks.ts';

const child = fileURLToPath(new URL('./walks-child.ts', import.meta.url));
/** Milliseconds; a run takes a few seconds. */
const LIMIT = 240_000;

/** Walks each way on a real page, and tells which files ran. */
export async function measureWalks(): Promise<Walks> {
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, child], { timeout: LIMIT });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Walks;
}
