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
import { costFragment, type ReadmeRuns, whyFragment } from './report/readme-fragments.ts';
import type { BenchResults } from './report/results.ts';

/** The fragments by the name of their markers, each of the latest run that has it. */
const FRAGMENTS: Record<string, () => string> = {
  bench: () => resultsFragment(readRun('latest')),
  framework: () => frameworkFragment(readRun('framework')),
  prompt: () => promptFragment(readRun('prompt')),
  live: () => liveFragment(readRun('live')),
  mcp: () => mcpFragment(readRun('mcp')),
  why: () => whyFragment(readmeRuns()),
  cost: () => costFragment(readmeRuns()),
};

// node src/write-measured.ts <file> …: puts what the latest runs measured between the markers of each file, such as
// `<!-- bench:start -->`. With --check nothing is written: it fails when a file does not show the latest runs.
const files = process.argv.slice(2).filter(argument => argument !== '--check');
const isCheck = process.argv.includes('--check');
if (files.length === 0) throw new Error('Usage: node src/write-measured.ts <file> … [--check]');
for (const file of files) {
  const before = readFileSync(file, 'utf8');
  const asked = Object.entries(FRAGMENTS).filter(([name]) => hasMarkers(before, name));
  if (asked.length === 0) throw new Error(`${file} has no markers, such as <!-- bench:start -->.`);
  const after = asked.reduce((text, [name, write]) => replaceBetweenMarkers(text, write(), name), before);
  if (isCheck && after !== before)
    throw new Error(`${file} does not show the latest bench run: run pnpm --filter @browser-toolset/bench gen.`);
  if (!isCheck) writeFileSync(file, after);
}

function readRun(name: string): BenchResults {
  return JSON.parse(readFileSync(new URL(`../results/${name}.json`, import.meta.url), 'utf8')) as BenchResults;
}

function readmeRuns(): ReadmeRuns {
  return { latest: readRun('latest'), prompt: readRun('prompt'), mcp: readRun('mcp') };
}
