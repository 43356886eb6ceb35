import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf, NAME_BYTES } from '@browser-toolset/core/files';

const FILE_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u;
/** Bytes of one file. */
const MOST_BYTES = 2_000_000;

/** The text files of one run, in its own folder. */
export class RunFiles {
  constructor(readonly folder: string) {}

  /** @throws For names that are not those of a file in this very folder. */
  path(name: string): string {
    if (!FILE_NAME.test(name) || name.includes('..'))
      throw new Error(`${JSON.stringify(name)} is no name of a file: letters, digits, spaces, dots and dashes`);
    if (bytesOf(name) > NAME_BYTES)
      throw new Error(`The name is too long: it has ${bytesOf(name)} bytes, and file systems take ${NAME_BYTES}`);
    return join(this.folder, name);
  }

  async list(): Promise<string[]> {
    try {
      return (await readdir(this.folder)).filter(name => FILE_NAME.test(name)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  async read(name: string): Promise<string> {
    try {
      return await readFile(this.path(name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new Error(`There is no file ${name}. There are: ${(await this.list()).join(', ') || 'none'}`);
    }
  }

  async write(name: string, content: string): Promise<void> {
    const path = this.path(name);
    if (Buffer.byteLength(content) > MOST_BYTES) throw new Error(`A file holds at most ${MOST_BYTES} bytes.`);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600 });
  }
}
