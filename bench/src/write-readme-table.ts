import { readFileSync, writeFileSync } from 'node:fs';
import {
  frameworkFragment,
  hasMarkers,
  liveFragment,
  mcpFragment,
  promptFragment,
  replaceBetweenMarkers,
  resultsFragment,
} from './report/fragment.ts';
import type { BenchResults } from './report/results.ts';

/** The tables by the name of their markers: the run that they are of, and how it is written. */
const FRAGMENTS = {
  bench: { run: 'latest', write: resultsFragment },
  framework: { run: 'framework', write: frameworkFragment },
  prompt: { run: 'prompt', write: promptFragment },
  live: { run: 'live', write: liveFragment },
  mcp: { run: 'mcp', write: mcpFragment },
};

// node src/write-readme-table.ts <file> …: puts the tables of the latest runs between the markers of each file, such as
// `<!-- bench:start -->`. With --check nothing is written: it fails when a file does not show the latest runs.
const files = process.argv.slice(2).filter(argument => argument !== '--check');
const isCheck = process.argv.includes('--check');
if (files.length === 0) throw new Error('Usage: node src/write-readme-table.ts <file> … [--check]');
for (const file of files) {
  const before = readFileSync(file, 'utf8');
  const asked = Object.entries(FRAGMENTS).filter(([name]) => hasMarkers(before, name));
  if (asked.length === 0) throw new Error(`${file} has no markers, such as <!-- bench:start -->.`);
  const after = asked.reduce(
    (text, [name, { run, write }]) => replaceBetweenMarkers(text, write(readRun(run)), name),
    before,
  );
  if (isCheck && after !== before)
    throw new Error(`${file} does not show the latest bench run: run pnpm --filter @browser-toolset/bench readme.`);
  if (!isCheck) writeFileSync(file, after);
}

function readRun(name: string): BenchResults {
  return JSON.parse(readFileSync(new URL(`../results/${name}.json`, import.meta.url), 'utf8')) as BenchResults;
}
