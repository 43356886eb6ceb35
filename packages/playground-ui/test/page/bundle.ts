import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface PageFiles {
  script: string;
  styles: string;
}

/** The test page with the React of a major version. */
export async function bundlePage(react: 18 | 19): Promise<PageFiles> {
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
  const styles = await readFile(new URL('../../src/styles.css', import.meta.url), 'utf8');
  return { script: outputFiles?.[0]?.text ?? '', styles };
}

export const HTML = `<!doctype html>
<html lang="en">
  <title>Live view</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/styles.css">
  <style>body { margin: 0; padding: 20px; background: light-dark(#f4f5f7, #0a0b0d); color-scheme: light dark }</style>
  <div id="place"></div>
  <script type="module" src="/script.js"></script>
</html>`;
