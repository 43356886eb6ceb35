import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Handler } from 'hono';

const STATIC_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the build puts the page, seen from the sources and from the compiled server alike. */
const PAGE = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** Answers with the built page. Its folder is read once, so no path of a visitor ever reaches the disk. */
export async function staticFiles(): Promise<Handler> {
  const entries = await readdir(PAGE, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(entry => extname(entry.name) in STATIC_TYPES)
    .map(entry => join(entry.parentPath, entry.name));
  const files = new Map(
    await Promise.all(paths.map(async path => [staticUrlPath(path), await readFile(path)] as const)),
  );
  return ({ req }) => {
    const path = req.path === '/' ? '/index.html' : req.path;
    const file = files.get(path);
    if (!file) return new Response('Not found', { status: 404 });
    // The build names assets after their content.
    const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return new Response(file, {
      headers: { 'content-type': STATIC_TYPES[extname(path)] ?? 'application/octet-stream', 'cache-control': caching },
    });
  };
}

function staticUrlPath(path: string): string {
  return `/${relative(PAGE, path).replaceAll('\\', '/')}`;
}
