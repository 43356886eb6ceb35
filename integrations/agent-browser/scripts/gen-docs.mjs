// Writes the tables of the READMEs from the schemas, between their markers. With --check it writes nothing and fails on drift.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { effectTable, errorTable, optionTable, toolReference, toolTable } from './doc-tables.mjs';

const here = import.meta.dirname;
const README_FILES = [resolve(here, '../../../README.md'), resolve(here, '../README.md')];

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

const check = process.argv.includes('--check');
const drifted = [];
for (const file of README_FILES) {
  const text = await readFile(file, 'utf8');
  const fresh = withTables(text, file);
  if (fresh === text) continue;
  if (check) drifted.push(file);
  else await writeFile(file, fresh);
}
if (drifted.length > 0) {
  console.error(`These files do not say what the schemas say: ${drifted.join(', ')}\nRun: pnpm gen`);
  process.exitCode = 1;
}

/** The text with what stands between `<!-- gen:NAME:start -->` and `<!-- gen:NAME:end -->` written anew. */
function withTables(text, file) {
  return text.replace(/(<!-- gen:([\w-]+):start -->\n)[\s\S]*?(<!-- gen:\2:end -->)/g, (_, start, name, end) => {
    const table = TABLES[name] ?? fail(`${file} asks for ${name}; there are ${Object.keys(TABLES).join(', ')}`);
    return `${start}\n${table()}\n\n${end}`;
  });
}

async function built(module) {
  return import(module).catch(error => fail(`${module} cannot be loaded, run pnpm build first: ${error.message}`));
}

function fail(message) {
  throw new Error(message);
}
