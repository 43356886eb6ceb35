import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { bytesOf, NAME_BYTES, withinBytes } from '@browser-toolset/core/files';
import { badSetup } from '../../results/errors.js';
import { endWithProcess } from '../chromium/process-end.js';

/** Control characters, separators and what Windows reserves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const UNSAFE = /[\u0000-\u001f\u007f<>:"/\\|?*]+/g;
/** A longer ending does not say of what kind a file is. */
const EXTENSION_BYTES = 20;
/** Only the user of the process may read files that pages hand out. */
export const OWNER_ONLY = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;

/**
 * A file name that is one name and nothing else on any system, and no longer than file systems take.
 * @param around What the caller puts before and after it in the name of the file: as many bytes are left for that.
 */
export function safeFileName(name: string, around = ''): string {
  const plain = name
    .replace(UNSAFE, '_')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.+/, '')
    .trim();
  const ending = extname(plain);
  const extension = bytesOf(ending) > EXTENSION_BYTES ? '' : ending;
  const whole = plain.slice(0, plain.length - extension.length);
  const stem = withinBytes(whole, NAME_BYTES - bytesOf(around) - bytesOf(extension)).replace(/\.$/, '');
  return `${stem || 'file'}${extension}`;
}

/** The full path of the folder of a browser profile, which is made if there is none. */
export async function makeProfileFolder(profile: string): Promise<string> {
  const path = resolve(profile.replace(/^~(?=$|[/\\])/, homedir()));
  try {
    await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  } catch (cause) {
    throw badSetup(`The option profile is ${profile}, which cannot be used as a folder.`, cause);
  }
  return path;
}

/** The folder for downloads and screenshots: the configured one, else a temporary one that goes with the toolset. */
export class SessionFiles {
  #temporary: { path: string; leave: () => void } | undefined;
  #count = 0;

  constructor(readonly configured: string | undefined) {}

  /** A path that no file has yet. */
  async newPath(threadId: string, name: string): Promise<string> {
    const root = this.configured === undefined ? this.temporaryFolder() : resolve(this.configured);
    const folder = join(root, safeFileName(threadId));
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    this.#count++;
    const first = `${Date.now().toString(36)}-${this.#count}-`;
    return join(folder, `${first}${safeFileName(name, first)}`);
  }

  /** A folder that goes with the toolset. */
  temporaryFolder(): string {
    if (this.#temporary === undefined) {
      const path = mkdtempSync(join(tmpdir(), 'browser-toolset-'));
      const leave = endWithProcess({
        // The host program may live on and still want its files.
        close: async () => undefined,
        abandon: () => rmSync(path, { recursive: true, force: true }),
      });
      this.#temporary = { path, leave };
    }
    return this.#temporary.path;
  }

  async dispose(): Promise<void> {
    const temporary = this.#temporary;
    this.#temporary = undefined;
    if (temporary === undefined) return;
    await rm(temporary.path, { recursive: true, force: true, maxRetries: 5 });
    temporary.leave();
  }
}
