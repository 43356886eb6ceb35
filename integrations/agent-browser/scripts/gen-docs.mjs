// Writes the toolset's tables in docs/reference from its schemas; with --check it fails on drift.
import { writeGenerated } from '../../../scripts/docs/generated.mjs';
import { effectTable, errorTable, optionTable, toolReference, toolTable } from './doc-tables.mjs';

const FILES = ['tools', 'results', 'options', 'errors'].map(name => `docs/reference/${name}.md`);

const { ALL_TOOLS } = await built('../dist/tools/index.js');
const { EFFECTS } = await built('../dist/results/effects.js');
const { configSchema } = await built('../dist/options.js');
const { ERROR_CODES } = await import('@browser-toolset/core');

const TABLES = {
  tools: () => toolTable(ALL_TOOLS),
  'tool-reference': () => toolReference(ALL_TOOLS),
  options: () => optionTable(configSchema),
  effects: () => effectTable(EFFECTS),
  errors: () => errorTable(ERROR_CODES),
};

await writeGenerated(FILES, TABLES);

async function built(module) {
  return import(module).catch(error => {
    throw new Error(`${module} cannot be loaded, run npm run build first: ${error.message}`);
  });
}
