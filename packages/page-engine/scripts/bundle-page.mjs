import { fileURLToPath } from 'node:url';
import { PageBundles } from '../../../scripts/packaging/page-bundles.mjs';

/** What runs in pages: each entry becomes the source text of one expression, a constant in src/generated. */
export const bundles = new PageBundles(fileURLToPath(new URL('..', import.meta.url)), [
  {
    entry: 'src/engine.ts',
    file: 'page-engine',
    constant: 'PAGE_ENGINE_SOURCE',
    expression: 'page.createEngine()',
  },
  {
    entry: 'src/effects/witness.ts',
    file: 'page-witness',
    constant: 'WITNESS_SOURCE',
    expression: 'page.startWitness',
  },
  {
    entry: 'src/evaluation.ts',
    file: 'page-evaluation',
    constant: 'EVALUATION_SOURCE',
    expression: 'page',
  },
]);

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundles.write();
