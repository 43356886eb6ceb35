import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const librariesFolder = fileURLToPath(new URL('../../libraries/', import.meta.url));

export interface LibrarySite {
  url(page: string): string;
  close(): Promise<void>;
}

interface LibraryFile {
  type: string;
  body: string | Uint8Array;
}

const TYPES: Record<string, string> = { js: 'text/javascript', css: 'text/css' };

/**
 * Serves the pages of `libraries/pages` on loopback, each bundled with what it imports at its first request. Every page
 * is an empty document in which its script writes, and has a function `state` that says how far its task is done.
 */
export async function serveLibraries(): Promise<LibrarySite> {
  const built = new Map<string, Promise<Map<string, LibraryFile>>>();
  const answerOf = async (path: string): Promise<LibraryFile | undefined> => {
    const [, page = '', file = ''] = path.split('/');
    if (!/^[a-z0-9-]+$/.test(page)) return undefined;
    if (!built.has(page)) built.set(page, bundle(page));
    return (await built.get(page))?.get(file);
  };
  const server = createServer((request, response) => {
    answerOf(new URL(request.url ?? '/', 'http://127.0.0.1').pathname).then(
      found => {
        if (found === undefined) response.writeHead(404).end();
        else response.writeHead(200, { 'content-type': found.type }).end(found.body);
      },
      error => response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: page => `http://127.0.0.1:${port}/${page}/`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function bundle(page: string): Promise<Map<string, LibraryFile>> {
  const { outputFiles } = await build({
    entryPoints: { page: `./pages/${page}` },
    absWorkingDir: librariesFolder,
    outdir: 'out',
    // Its two builds, one for imports and one for plugins that require it, would know nothing of each other.
    alias: { jquery: `${librariesFolder}node_modules/jquery/dist/jquery.js` },
    write: false,
    bundle: true,
    format: 'esm',
    target: 'chrome120',
    jsx: 'automatic',
    logLevel: 'silent',
    loader: {
      '.svg': 'dataurl',
      '.png': 'dataurl',
      '.gif': 'dataurl',
      '.webp': 'dataurl',
      '.woff': 'dataurl',
      '.woff2': 'dataurl',
      '.ttf': 'dataurl',
      '.eot': 'dataurl',
    },
    define: {
      global: 'globalThis',
      'process.env': '{}',
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
  });
  const files = new Map<string, LibraryFile>();
  for (const { path, contents } of outputFiles) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    files.set(name, { type: TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain', body: contents });
  }
  const style = files.has('page.css') ? '<link rel="stylesheet" href="page.css">' : '';
  const head = `<meta charset="utf-8"><link rel="icon" href="data:,"><title>${page}</title>${style}`;
  const body = '<main id="app"></main><script type="module" src="page.js"></script>';
  files.set('', {
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`,
  });
  return files;
}
