import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Folders that this package and Playwright make for the time of a process. */
const TEMPORARY_FOLDER = /^(?:browser-toolset-|playwright-artifacts-|playwright_chromiumdev_profile-)\w{6}$/;
/**
 * A socket on which the owner of a folder listens. It is closed with the process, however that ends, and its number
 * cannot be that of another process by then. Where folders are shared between machines, each sees only its own.
 */
const OWNER = `.owner-${hostname()}`;
/** Chromium's names for the folder of its singleton socket (chrome/browser/process_singleton_posix.cc). */
const SINGLETON_FOLDER = /^\.?(org|com)\.[\w.-]+$/;
/** Ending processes may still write to these folders. */
export const REMOVE = { recursive: true, force: true, maxRetries: 5 } as const;

export function isTemporaryFolder(path: string): boolean {
  return TEMPORARY_FOLDER.test(basename(path));
}

/** The folder of the singleton socket that a profile links to. */
export function singletonFolderOf(profile: string): string[] {
  try {
    const folder = dirname(readlinkSync(join(profile, 'SingletonSocket')));
    return SINGLETON_FOLDER.test(basename(folder)) ? [folder] : [];
  } catch {
    // Old headless modes and Windows have no such socket.
    return [];
  }
}

/** Marks a folder as one that goes with this process. Resolves to a function that ends that. Never rejects. */
export async function claimFolder(folder: string): Promise<() => void> {
  const server = createServer(socket => socket.destroy()).unref();
  const draft = join(folder, `${OWNER}-draft`);
  try {
    server.listen(draft);
    await once(server, 'listening');
    // Between its name and the call to listen a socket answers like that of an ended process.
    await rename(draft, join(folder, OWNER));
  } catch {
    // The folder is gone, its path is too long, or the system has no such sockets: after a kill the folder stays.
  }
  return () => server.close();
}

/** Removes the folders that killed processes have left. Never rejects: what cannot be removed stays. */
export async function removeAbandonedFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.allSettled(names.filter(isTemporaryFolder).map(name => removeIfAbandoned(join(tmpdir(), name))));
}

async function removeIfAbandoned(folder: string): Promise<void> {
  const { uid } = await lstat(folder);
  // A folder without an owner is another program's, or is just being made.
  if (uid !== process.getuid?.() || (await refusalAt(join(folder, OWNER))) !== 'ECONNREFUSED') return;
  // Chromium can outlive the process that launched it for some seconds.
  if (!['ECONNREFUSED', 'ENOENT'].includes(await refusalAt(join(folder, 'SingletonSocket')))) return;
  await Promise.all([folder, ...singletonFolderOf(folder)].map(path => rm(path, REMOVE)));
}

/** The code of the error where nobody listens: a process that has ended does not, also while it waits for its parent. */
function refusalAt(path: string): Promise<string> {
  return new Promise(resolve => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
  });
}
