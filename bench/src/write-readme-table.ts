import { readFileSync, writeFileSync } from 'node:fs';
import { liveFragment, promptFragment, replaceBetweenMarkers, resultsFragment } from './report/fragment.ts';
import type { BenchResults } from './report/results.ts';

// node src/write-readme-table.ts <file>: puts the tables of the latest runs between the file's markers, `bench`, `prompt` and `live`.
// With --check nothing is written: it fails when the file does not show the latest runs.
const [file, mode] = process.argv.slice(2);
if (!file) throw new Error('Usage: node src/write-readme-table.ts <file> [--check]');
const before = readFileSync(file, 'utf8');
const withBench = replaceBetweenMarkers(before, resultsFragment(read('latest')));
const withPrompt = replaceBetweenMarkers(withBench, promptFragment(read('prompt')), 'prompt');
const after = replaceBetweenMarkers(withPrompt, liveFragment(read('live')), 'live');
if (mode === '--check' && after !== before)
  throw new Error(`${file} does not show the latest bench run: run pnpm --filter @browser-toolset/bench readme.`);
if (mode !== '--check') writeFileSync(file, after);

function read(name: string): BenchResults {
  return JSON.parse(readFileSync(new URL(`../results/${name}.json`, import.meta.url), 'utf8')) as BenchResults;
}
