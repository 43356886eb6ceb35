import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';

/** Control characters, separators and what Windows reserves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const UNSAFE = /[\u0000-\u001f\u007f<>:"/\\|?*]+/g;
const NAME_LENGTH = 120;

/** A file name that is one name and nothing else on any system. */
export function safeFileName(name: string): string {
  const plain = name.replace(UNSAFE, '_').replace(/^\.+/, '').trim();
  const extension = extname(plain).slice(0, 20);
  const stem = plain.slice(0, plain.length - extname(plain).length).slice(0, NAME_LENGTH - extension.length);
  return `${stem || 'file'}${extension}`;
}

/** The folder for downloads and screenshots: the configured one, else a temporary one that goes with the toolset. */
export class SessionFiles {
  #temporary: string | undefined;
  #count = 0;
  #removeAtExit = (): void => {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
  };

  constructor(readonly configured: string | undefined) {}

  /** A path that no file has yet. */
  async newPath(threadId: string, name: string): Promise<string> {
    const folder = join(this.#root(), safeFileName(threadId));
    await mkdir(folder, { recursive: true });
    this.#count++;
    return join(folder, `${Date.now().toString(36)}-${this.#count}-${safeFileName(name)}`);
  }

  async dispose(): Promise<void> {
    const folder = this.#temporary;
    this.#temporary = undefined;
    process.off('exit', this.#removeAtExit);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  #root(): string {
    if (this.configured !== undefined) return resolve(this.configured);
    if (this.#temporary === undefined) {
      this.#temporary = mkdtempSync(join(tmpdir(), 'browser-toolset-'));
      process.once('exit', this.#removeAtExit);
    }
    return this.#temporary;
  }
}
