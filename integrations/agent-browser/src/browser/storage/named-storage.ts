import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_ONLY, OWNER_ONLY_FOLDER } from '@browser-toolset/core/files';
import { z } from 'zod/v4';
import { plainMessage, ToolError } from '../../results/errors.js';
import { safeFileName } from '../files/files.js';
import { seal, unseal } from './record-store.js';
import type { StorageState } from './saved-state.js';

const SAVE_AGAIN = 'Save it again.';

/** The part of Playwright's format that must be valid here; Playwright checks the rest. */
const stateSchema = z.looseObject({
  cookies: z.array(z.looseObject({ name: z.string(), value: z.string(), domain: z.string(), path: z.string() })),
  origins: z.array(z.looseObject({ origin: z.string() })),
});

/** Cookies and storage in named files that only their owner can read (mode 0600 in a 0700 folder). */
export class NamedStorage {
  /** @param key Encrypts the files: 32 bytes as hex or base64, or a passphrase. */
  constructor(
    readonly folder: string,
    readonly key: string | undefined,
  ) {}

  async save(name: string, state: StorageState): Promise<void> {
    const path = this.#path(name);
    const text = await seal(JSON.stringify(state), this.key, name);
    await mkdir(this.folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    await chmod(this.folder, OWNER_ONLY_FOLDER);
    // A rename is atomic for concurrent readers and follows no link.
    const draft = join(this.folder, `.${randomUUID()}`);
    await writeFile(draft, text, { mode: OWNER_ONLY, flag: 'wx' });
    await rename(draft, path);
  }

  /** @throws ToolError when there is none of that name, or it cannot be read. */
  async load(name: string): Promise<StorageState> {
    const text = await readFile(this.#path(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT')
        throw new ToolError('invalid_input', `name: nothing is saved as ${quotedName(name)}.`);
      throw error;
    });
    try {
      const plain = await unseal(text, this.key, name, { name: quotedName(name), hint: SAVE_AGAIN });
      return stateSchema.parse(JSON.parse(plain)) as unknown as StorageState;
    } catch (cause) {
      if (cause instanceof ToolError) throw cause;
      // A parser's message may quote the file.
      throw new ToolError(
        'browser_error',
        `What is saved as ${quotedName(name)} cannot be read: it is damaged, or was saved with a different key.`,
        { hint: SAVE_AGAIN, cause },
      );
    }
  }

  /** Resolves to whether the file existed. */
  async remove(name: string): Promise<boolean> {
    try {
      await rm(this.#path(name));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw new ToolError('browser_error', `${quotedName(name)} cannot be removed: ${plainMessage(error)}`, {
        cause: error,
      });
    }
  }

  /** A name that is not a safe file name gets a hash, so that no two names share a file. */
  #path(name: string): string {
    const ending = `-${createHash('sha256').update(name).digest('hex').slice(0, 12)}.json`;
    const safe = safeFileName(name, ending);
    const isPlain = safe === name && /^[a-z0-9][a-z0-9 ._-]*$/.test(name);
    return join(this.folder, `${safe}${isPlain ? '.json' : ending}`);
  }
}

function quotedName(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
