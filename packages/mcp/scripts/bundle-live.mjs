// Bundles the page of the live view beside the compiled server, which answers with it.
import { copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build } from 'esbuild';

const web = resolve(import.meta.dirname, '../web');
const out = resolve(import.meta.dirname, '../dist/web');

await build({
  entryPoints: [resolve(web, 'live.tsx')],
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
});
await copyFile(resolve(web, 'index.html'), resolve(out, 'index.html'));
