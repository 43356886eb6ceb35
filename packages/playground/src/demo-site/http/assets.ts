import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RouteHandler } from './router.js';

const ASSET_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Answers `GET /assets/…`. The folder is read once, so no path of a visitor ever reaches the disk. */
export async function serveAssets(): Promise<RouteHandler> {
  const folder = fileURLToPath(new URL('../assets', import.meta.url));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter(entry => extname(entry.name) in ASSET_TYPES)
    .map(entry => join(entry.parentPath, entry.name));
  const files = new Map(
    await Promise.all(paths.map(async path => [assetUrlPath(folder, path), await readFile(path)] as const)),
  );
  return request => {
    const { pathname } = new URL(request.url);
    const file = files.get(pathname);
    const type = ASSET_TYPES[extname(pathname)];
    if (!file || !type) return new Response('Not found', { status: 404 });
    return new Response(file, { headers: { 'content-type': type, 'cache-control': 'no-cache' } });
  };
}

function assetUrlPath(folder: string, path: string): string {
  return `/assets/${relative(folder, path).replaceAll('\\', '/')}`;
}
