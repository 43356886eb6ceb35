import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';

/** A file for upload, with its content when it was opened. */
export interface UploadFile {
  name: string;
  buffer: Buffer;
}

type CheckedFiles = { allowed: true; files: UploadFile[] } | { allowed: false; reason: string };

/** Playwright transfers less than 50 MB of files at once. */
export const MOST_BYTES = 50 * 1024 * 1024 - 1;

class UploadRefusal extends Error {}

/** Control characters, bidirectional controls, and the replacement character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const ODD = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/;

/**
 * Reads files for upload. Each is opened once and checked while open, so that a swapped link cannot redirect it.
 * @param roots Folders that files may come from; relative paths are resolved in each.
 */
export async function readUploads(paths: readonly string[], roots: readonly string[]): Promise<CheckedFiles> {
  try {
    const folders = await realFolders(roots);
    const files: UploadFile[] = [];
    let left = MOST_BYTES;
    for (const path of paths) {
      const file = await readOne(path, folders, left);
      left -= file.buffer.byteLength;
      files.push(file);
    }
    return { allowed: true, files };
  } catch (error) {
    if (error instanceof UploadRefusal) return { allowed: false, reason: error.message };
    throw error;
  }
}

interface Folder {
  /** The absolute path of the option. */
  path: string;
  /** The path without symbolic links. */
  real: string;
}

async function realFolders(roots: readonly string[]): Promise<Folder[]> {
  if (roots.length === 0) throw new UploadRefusal('No file can be uploaded: the option uploadRoots names no folder.');
  const found = await Promise.all(
    roots.map(async root => {
      const path = resolve(root);
      const real = await realpath(path).catch(() => undefined);
      return real === undefined ? [] : [{ path, real }];
    }),
  );
  const folders = found.flat();
  if (folders.length === 0) throw new UploadRefusal(`No file can be uploaded: there is no folder ${roots.join(', ')}.`);
  return folders;
}

async function readOne(path: string, folders: Folder[], left: number): Promise<UploadFile> {
  const quoted = JSON.stringify(path);
  if (ODD.test(path) || path.trim() === '' || odd(basename(path)))
    throw new UploadRefusal(`${quoted} is not a file name.`);
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(path)) throw new UploadRefusal(`${quoted} is a URL; expected the path of a file.`);
  if (path.split(/[\\/]/).includes('..')) throw new UploadRefusal(`${quoted} contains "..", which is not allowed.`);
  const real = await whereItIs(path, folders);
  const handle = await openPlainly(real, quoted);
  try {
    if (!(await isStillInside(handle, real, folders))) throw outside(quoted, folders);
    return { name: basename(path), buffer: await readAll(handle, quoted, left) };
  } finally {
    await handle.close();
  }
}

/** A name that is a path on another system. */
function odd(name: string): boolean {
  return name === '' || name === '.' || name.includes('\\');
}

/** The real path of a file, which must be inside one of the folders. */
async function whereItIs(path: string, folders: Folder[]): Promise<string> {
  const quoted = JSON.stringify(path);
  const candidates = isAbsolute(path) ? [resolve(path)] : folders.map(folder => resolve(folder.path, path));
  const within = candidates.filter(candidate =>
    folders.some(folder => isInside(folder.path, candidate) || isInside(folder.real, candidate)),
  );
  // A path outside is not resolved.
  if (within.length === 0) throw outside(quoted, folders);
  for (const candidate of within) {
    const real = await realpath(candidate).catch(() => undefined);
    if (real === undefined) continue;
    if (!folders.some(folder => isInside(folder.real, real))) throw outside(quoted, folders);
    return real;
  }
  throw new UploadRefusal(`There is no file ${quoted} in ${allowedFolderWords(folders)}.`);
}

/** Opens a file without following a link or blocking on a pipe. */
async function openPlainly(real: string, quoted: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(real, flags).catch(error => {
    throw new UploadRefusal(`${quoted} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new UploadRefusal(`${quoted} is a folder or a device; expected a file.`);
}

/** Whether the opened file is where it was found. Linux reports its path; elsewhere the path is resolved again. */
async function isStillInside(handle: FileHandle, real: string, folders: Folder[]): Promise<boolean> {
  const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (opened !== undefined) return folders.some(folder => isInside(folder.real, opened));
  const again = await realpath(real).catch(() => undefined);
  if (again !== real) return false;
  const [byPath, byHandle] = await Promise.all([stat(real), handle.stat()]);
  return byPath.ino === byHandle.ino && byPath.dev === byHandle.dev;
}

/** The content of a file, up to its size when it was opened. */
async function readAll(handle: FileHandle, quoted: string, left: number): Promise<Buffer> {
  const { size } = await handle.stat();
  if (size > left)
    throw new UploadRefusal(
      `${quoted} has ${size} bytes; the files of one call may have ${MOST_BYTES} bytes in total.`,
    );
  const buffer = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(buffer, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** Whether an absolute path lies below a folder. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(quoted: string, folders: Folder[]): UploadRefusal {
  return new UploadRefusal(`${quoted} is outside ${allowedFolderWords(folders)}.`);
}

function allowedFolderWords(folders: Folder[]): string {
  return `the folders that files may come from (${folders.map(({ path }) => path).join(', ')})`;
}
