import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { bytesOf, NAME_BYTES, OWNER_ONLY_FOLDER, withinBytes } from '@browser-toolset/core/files';
import { badSetup } from '../../results/errors.js';
import { endWithProcess } from '../chromium/process-end.js';
import { claimFolder, REMOVE } from './temporary-folders.js';

/** Control characters, separators, and characters that Windows reserves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const UNSAFE = /[\u0000-\u001f\u007f<>:"/\\|?*]+/g;
/** A longer suffix does not name a file type. */
const EXTENSION_BYTES = 20;

/**
 * Turns a name into one path segment that every file system accepts.
 * @param around What the caller adds before and after the name; its bytes count towards the length limit.
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

/** Creates the folder of a browser profile if needed and returns its absolute path. */
export async function makeProfileFolder(profile: string): Promise<string> {
  const path = resolve(profile.replace(/^~(?=$|[/\\])/, homedir()));
  try {
    await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  } catch (cause) {
    throw badSetup(`The option profile is ${profile}, which cannot be used as a folder.`, cause);
  }
  return path;
}

/** The folder for downloads and screenshots: the configured one, else a temporary one removed with the toolset. */
export class SessionFiles {
  #temporary: { path: string; leave: () => void; claim: Promise<() => void> } | undefined;
  #count = 0;

  constructor(readonly configured: string | undefined) {}

  async newPath(threadId: string, name: string): Promise<string> {
    const root = this.configured === undefined ? this.temporaryFolder() : resolve(this.configured);
    const folder = join(root, safeFileName(threadId));
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    this.#count++;
    const first = `${Date.now().toString(36)}-${this.#count}-`;
    return join(folder, `${first}${safeFileName(name, first)}`);
  }

  temporaryFolder(): string {
    if (this.#temporary === undefined) {
      const path = mkdtempSync(join(tmpdir(), 'browser-toolset-'));
      const claim = claimFolder(path);
      const leave = endWithProcess({
        // After a signal the host program may live on and still need its files.
        close: async () => undefined,
        abandon: () => rmSync(path, { recursive: true, force: true }),
      });
      this.#temporary = { path, leave, claim };
    }
    return this.#temporary.path;
  }

  async dispose(): Promise<void> {
    const temporary = this.#temporary;
    this.#temporary = undefined;
    if (temporary === undefined) return;
    const endClaim = await temporary.claim;
    endClaim();
    await rm(temporary.path, REMOVE);
    temporary.leave();
  }
}
