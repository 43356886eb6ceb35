// Bundles the command into a few files, for clients wait for its start: `npx` fetches few packages, and Node finds few modules.
// The library of this package stays as tsc made it.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const out = resolve(root, 'dist');
const toolset = createRequire(fileURLToPath(import.meta.resolve('@browser-toolset/agent-browser')));
const manager = resolve(toolset.resolve('agent-browser/package.json'), '../dist/browser.js');

await rm(resolve(out, 'chunks'), { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { 'cli/main': resolve(root, 'src/cli/main.ts') },
  outdir: out,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  plugins: [
    { name: 'one-playwright', setup: onePlaywright },
    { name: 'small-mastra', setup: smallMastra },
  ],
  // Modules of CommonJS in the bundle ask for Node's own.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
  },
  metafile: true,
  logLevel: 'warning',
});
// It is of what tsc made of the entry, in whose place the bundle now is.
await rm(resolve(out, 'cli/main.js.map'), { force: true });
// With another name pnpm would take it for the license of the package itself, and pack none.
await writeFile(resolve(out, 'chunks/THIRD-PARTY-NOTICES.txt'), await licenses(Object.keys(metafile.inputs)));

/**
 * The toolset finds agent-browser, and its playwright-core, when it launches. In the bundle agent-browser is a part, and
 * both use the playwright-core of this package. It is required: where it is imported, Node reads all of it for the names
 * that it exports, which takes longer than to run it.
 */
function onePlaywright({ onLoad, onResolve }) {
  onLoad({ filter: /chromium\/agent-browser\.js$/ }, () => ({
    contents: `
      export const loadPlaywright = () => require('playwright-core');
      export const loadBrowserManager = async () => (await import(${JSON.stringify(manager)})).BrowserManager;`,
    resolveDir: root,
  }));
  onResolve({ filter: /^playwright-core$/ }, ({ path, kind }) =>
    kind === 'require-call' ? { path, external: true } : { path, namespace: 'required' },
  );
  onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
    contents: `module.exports = require(${JSON.stringify(path)});`,
    resolveDir: root,
  }));
}

/** Tools and the browser class of Mastra are small by themselves. Its agents and workflows are large, and few clients need them. */
function smallMastra({ onResolve }) {
  onResolve({ filter: /^@mastra\/core/ }, ({ path }) =>
    /\/(?:browser|tools|schema|observability|request-context)$/.test(path) ? undefined : { path, external: true },
  );
}

/** The licenses of the packages in the bundle: they have to go with their code. */
async function licenses(inputs) {
  const folders = new Set(
    inputs.flatMap(path => /^(?:required:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const texts = [...folders].sort().map(async folder => {
    const { name, version, license } = JSON.parse(await readFile(resolve(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find(each => /^licen[cs]e/i.test(each));
    return `${name} ${version} (${license})\n\n${file === undefined ? '' : await readFile(resolve(folder, file), 'utf8')}`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n`);
}
