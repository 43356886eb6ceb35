import { readFileSync, writeFileSync } from 'node:fs';
import { replaceBetweenMarkers, resultsFragment } from './report/fragment.ts';
import type { BenchResults } from './report/results.ts';

// node src/write-readme-table.ts <file>: puts the tables of the latest run between the file's bench markers.
// With --check nothing is written: it fails when the file does not show the latest run.
const [file, mode] = process.argv.slice(2);
if (!file) throw new Error('Usage: node src/write-readme-table.ts <file> [--check]');
const results = JSON.parse(readFileSync(new URL('../results/latest.json', import.meta.url), 'utf8')) as BenchResults;
const before = readFileSync(file, 'utf8');
const after = replaceBetweenMarkers(before, resultsFragment(results));
if (mode === '--check' && after !== before)
  throw new Error(`${file} does not show the latest bench run: run pnpm --filter @browser-toolset/bench readme.`);
if (mode !== '--check') writeFileSync(file, after);
