import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Bundles src/page into the source text of one expression and writes it as a constant to src/generated/page-engine.ts. */
export async function bundlePage() {
  const result = await build({
    absWorkingDir: root,
    entryPoints: ['src/page/engine.ts'],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'engineModule',
    target: 'chrome120',
    footer: { js: 'engineModule.createEngine()' },
  });
  const source = `(() => { ${result.outputFiles[0].text.replace(/engineModule\.createEngine\(\);?\s*$/, 'return engineModule.createEngine()')} })()`;
  await mkdir(`${root}src/generated`, { recursive: true });
  await writeFile(
    `${root}src/generated/page-engine.ts`,
    `/** The bundle of src/page: made by scripts/bundle-page.mjs. */\nexport const PAGE_ENGINE_SOURCE: string = ${JSON.stringify(source)};\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePage();
