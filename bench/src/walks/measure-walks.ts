import { fileURLToPath } from 'node:url';
import { execFileAsync } from '../processes.ts';
import type { Walks } from './walks.ts';

const walksChildPath = fileURLToPath(new URL('./walks-child.ts', import.meta.url));
/** Milliseconds; a run takes a few seconds. */
const WALKS_TIMEOUT_MS = 240_000;

/** Walks each way on a real page, and tells which files ran. */
export async function measureWalks(): Promise<Walks> {
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const { stdout } = await execFileAsync(process.execPath, [...flags, walksChildPath], { timeout: WALKS_TIMEOUT_MS });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Walks;
}
