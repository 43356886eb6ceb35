import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { newToolset, type Toolset } from '../toolset.ts';
import { installLibraries } from './install.ts';
import { Player } from './player.ts';
import { type LibrarySite, serveLibraries } from './site.ts';
import type { LibraryTask } from './task.ts';
import { libraryTasks } from './tasks/all.ts';

// Mastra's core posts telemetry unless told not to; a benchmark talks to nobody.
process.env.MASTRA_TELEMETRY_DISABLED = '1';

const { values } = parseArgs({ options: { pages: { type: 'string', default: '' }, print: { type: 'boolean' } } });

interface TaskRow {
  page: string;
  calls: string;
  tokens: number;
  flaws: string[];
}

/** Plays one task on a thread of its own. */
async function playTask(
  page: string,
  task: LibraryTask,
  of: { toolset: Toolset; site: LibrarySite },
): Promise<TaskRow> {
  // What it takes to bundle the page is no part of how it loads.
  await (await fetch(of.site.url(page))).text();
  const player = new Player(of.toolset, { name: page, url: of.site.url(page) });
  try {
    await task.play(player);
    const state = await player.state();
    if (!isDeepStrictEqual(state, task.done)) player.flaws.push(`not done: ${JSON.stringify(state)}`);
  } catch (error) {
    player.flaws.push(`not done: ${String(error)}`);
  }
  if (player.calls > task.calls) player.flaws.push(`${player.calls - task.calls} calls more than expected`);
  if (values.print) console.log(`\n=== ${page}\n${player.script.join('\n')}`);
  const flaws = [...new Set(player.flaws)];
  return { page, calls: `${player.calls}/${task.calls}`, tokens: player.tokens, flaws };
}

installLibraries();
const bedFolder = mkdtempSync(join(tmpdir(), 'bed-'));
const uploads = join(bedFolder, 'uploads');
mkdirSync(uploads);
for (const name of ['notes.txt', 'plan.txt']) writeFileSync(join(uploads, name), name);

const chosen = Object.entries(libraryTasks).filter(([page]) => new RegExp(values.pages).test(page));
const librarySite = await serveLibraries();
const toolset = await newToolset({ uploadRoots: [uploads] });
const taskRows: TaskRow[] = [];
try {
  for (const [page, task] of chosen) {
    const row = await playTask(page, task, { toolset, site: librarySite });
    taskRows.push(row);
    await toolset.session(page).close({});
    const told = row.flaws.map(flaw => `\n    ${flaw}`).join('');
    console.log(`${page.padEnd(24)} ${row.calls.padStart(7)} calls ${String(row.tokens).padStart(6)} tokens${told}`);
  }
} finally {
  await toolset.close();
  await librarySite.close();
  rmSync(bedFolder, { recursive: true });
}
const flawless = taskRows.filter(({ flaws }) => flaws.length === 0).length;
const tokensRead = taskRows.reduce((sum, row) => sum + row.tokens, 0);
console.log(`\n${taskRows.length} pages, ${flawless} without a flaw, ${tokensRead} tokens`);
process.exitCode = flawless === taskRows.length ? 0 : 1;
