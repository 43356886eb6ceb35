import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { atWorkerEnd } from '../../../../scripts/testing/endings.js';

/** Where each page of this worker gets the same files from, so that Chromium compiles the script once. */
const served = new Map<18 | 19, Promise<string>>();

/** The test page with the React of a major version. */
export async function testPage(react: 18 | 19): Promise<string> {
  const files = served.get(react) ?? serveFiles(react);
  served.set(react, files);
  const url = await files;
  return `<!doctype html>
<html lang="en">
  <title>Live view</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${url}/styles.css">
  <style>body { margin: 0; padding: 20px; background: light-dark(#f4f5f7, #0a0b0d); color-scheme: light dark }</style>
  <div id="place"></div>
  <script type="module" src="${url}/script.js"></script>
</html>`;
}

async function serveFiles(react: 18 | 19): Promise<string> {
  const script = await bundle(react);
  const styles = await readFile(new URL('../../src/styles.css', import.meta.url), 'utf8');
  const server = createServer((request, response) => {
    const isStyles = request.url === '/styles.css';
    response.setHeader('content-type', isStyles ? 'text/css' : 'text/javascript');
    response.setHeader('cache-control', 'max-age=3600');
    response.setHeader('access-control-allow-origin', '*');
    response.end(isStyles ? styles : script);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atWorkerEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bundle(react: 18 | 19): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    entryPoints: ['test/page/entry.tsx'],
    alias: react === 18 ? { react: 'react-18', 'react-dom': 'react-dom-18' } : {},
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
    // A directive says nothing to a bundle that has no server side.
    logOverride: { 'ignored-directive': 'silent' },
  });
  return outputFiles?.[0]?.text ?? '';
}
