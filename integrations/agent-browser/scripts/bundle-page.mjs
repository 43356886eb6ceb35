import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What runs in pages: each entry becomes the source text of one expression, a constant in src/generated. */
const BUNDLES = [
  {
    entry: 'src/page/engine.ts',
    file: 'page-engine',
    constant: 'PAGE_ENGINE_SOURCE',
    expression: 'page.createEngine()',
  },
  {
    entry: 'src/page/witness.ts',
    file: 'page-witness',
    constant: 'WITNESS_SOURCE',
    expression: 'page.startWitness',
  },
  {
    entry: 'src/page/evaluation.ts',
    file: 'page-evaluation',
    constant: 'EVALUATION_SOURCE',
    expression: 'page',
  },
  {
    entry: 'src/page/video-encoder.ts',
    file: 'page-video-encoder',
    constant: 'VIDEO_ENCODER_SOURCE',
    expression: 'page.createVideoEncoder',
  },
  {
    entry: 'src/page/live-encoder.ts',
    file: 'page-live-encoder',
    constant: 'LIVE_ENCODER_SOURCE',
    expression: 'page.createLiveEncoder',
  },
];

/** Bundles src/page into src/generated. */
export async function bundlePage() {
  await mkdir(`${root}src/generated`, { recursive: true });
  await Promise.all(BUNDLES.map(write));
}

/** The code that runs in pages, a bundle an entry, each with a source map whose sources are absolute paths. */
export function pageBundles() {
  return Promise.all(BUNDLES.map(bundle));
}

async function write({ entry, file, constant, expression }) {
  const { code } = await bundle({ entry, file });
  const source = `(() => { "use strict"; const page = (() => { ${code} })(); return ${expression} })()`;
  await writeFile(
    `${root}src/generated/${file}.ts`,
    `/** The bundle of ${entry}: made by scripts/bundle-page.mjs. */\nexport const ${constant}: string = ${JSON.stringify(source)};\n`,
  );
}

async function bundle({ entry, file }) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: `src/generated/${file}.js`,
    bundle: true,
    write: false,
    minify: true,
    sourcemap: 'external',
    format: 'esm',
    target: 'chrome120',
  });
  const [map, code] = outputFiles;
  const { sources, ...others } = JSON.parse(map.text);
  return {
    code: returningExports(code.text),
    map: { ...others, sources: sources.map(source => resolve(dirname(map.path), source)) },
  };
}

/**
 * A module as the body of a function that returns what it exports. esbuild's own format for that defines getters, which
 * V8's check for side effects refuses.
 */
function returningExports(module) {
  return module.replace(
    /\bexport\s*\{([^{}]*)\};?\s*$/,
    (_, names) => `return{${names.replace(/([\w$]+) as ([\w$]+)/g, '$2:$1')}};`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundlePage();
