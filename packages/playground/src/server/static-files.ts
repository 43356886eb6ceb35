import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';

const STATIC_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the build puts the page, seen from the sources and from the compiled server alike. */
export const PAGE = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** Answers with the built page. Its folder is read once, so no path of a visitor ever reaches the disk, and again when it was built anew. */
export class StaticFiles {
  readonly #folder: string;
  #files = new Map<string, Buffer>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async of(folder: string): Promise<StaticFiles> {
    const files = new StaticFiles(folder);
    await files.read();
    return files;
  }

  async read(): Promise<void> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter(entry => extname(entry.name) in STATIC_TYPES)
      .map(entry => join(entry.parentPath, entry.name));
    const read = paths.map(async path => [this.#urlPath(path), await readFile(path)] as const);
    this.#files = new Map(await Promise.all(read));
  }

  /** Another one for each build: the page names its assets, which are named after their content. */
  get version(): string {
    return createHash('sha256')
      .update(this.#files.get('/index.html') ?? '')
      .digest('hex');
  }

  answer({ req }: Context): Response {
    const path = req.path === '/' ? '/index.html' : req.path;
    const file = this.#files.get(path);
    if (!file) return new Response('Not found', { status: 404 });
    // The build names assets after their content.
    const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return new Response(new Uint8Array(file), {
      headers: { 'content-type': STATIC_TYPES[extname(path)] ?? 'application/octet-stream', 'cache-control': caching },
    });
  }

  #urlPath(path: string): string {
    return `/${relative(this.#folder, path).replaceAll('\\', '/')}`;
  }
}
