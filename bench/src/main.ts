import { catalog } from '../pages/catalog.ts';
import { servePages } from '../pages/server.ts';
import { measureLive } from './live/live.ts';
import { measureActions } from './measure/actions.ts';
import { measureAgentPrompt } from './measure/agent-prompt.ts';
import { measureAgentSteps } from './measure/agent-step.ts';
import { measureChangedSnapshots } from './measure/changed-snapshots.ts';
import { measureFramework } from './measure/framework.ts';
import { measureHuge } from './measure/huge.ts';
import { measureImports } from './measure/imports.ts';
import { measureMcp } from './measure/mcp.ts';
import { measureMemory } from './measure/memory.ts';
import { measurePrompt } from './measure/prompt.ts';
import { measureRead } from './measure/read.ts';
import { measureRecall } from './measure/recall.ts';
import { measureSchemas } from './measure/schemas.ts';
import { measureSnapshots } from './measure/snapshots.ts';
import { measureStartup } from './measure/startup.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { environment } from './report/environment.ts';
import type { BenchResults, Section } from './report/results.ts';
import { save } from './report/save.ts';
import { toText } from './report/table.ts';
import { tables } from './report/tables.ts';
import { availableStacks } from './stacks/all.ts';
import type { StackBrowser } from './stacks/stack.ts';
import { deviations, toLines } from './walks/described.ts';
import { measureWalks } from './walks/measure-walks.ts';

// Mastra's core posts telemetry unless told not to; a benchmark talks to nobody.
process.env.MASTRA_TELEMETRY_DISABLED = '1';

const options = readOptions(process.argv.slice(2));
const stacks = await availableStacks(options.stacks);
const results: BenchResults = { ...environment(stacks), rounds: options.rounds };
const server = await servePages();

try {
  for (const section of options.only) {
    const start = performance.now();
    process.stderr.write(`${section} … `);
    await measure(section, options);
    save(results, 'partial');
    process.stderr.write(`${((performance.now() - start) / 1000).toFixed(0)} s\n`);
  }
} finally {
  await server.close();
}
const { live, prompt, framework, mcp, walks, ...others } = results;
const { date, machine, versions, rounds } = results;
if (options.complete && stacks.some(stack => stack.name === 'ours')) save(others, 'latest');
// The live view is measured alone more often than with everything else: its latest run is kept beside the other.
if (options.liveComplete && live) save({ date, machine, versions, rounds, live }, 'live');
// Counted, not timed: it needs no quiet machine, and is run again when the toolset's texts change.
if (options.promptComplete && prompt) save({ date, machine, versions, rounds, prompt }, 'prompt');
// It takes minutes, most of them waits for late changes: its latest run is kept beside the others.
if (options.frameworkComplete && framework) save({ date, machine, versions, rounds, framework }, 'framework');
// Its numbers are those of the MCP server in docs/benchmarks.md.
if (options.mcpComplete && mcp) save({ date, machine, versions, rounds, mcp }, 'mcp');
// Counted as well.
if (walks) save({ date, machine, versions, rounds, walks }, 'walks');
console.log(tables(results).map(toText).join('\n'));
if (walks && options.print) console.log(`\n${toLines(deviations(walks))}`);

async function measure(section: Section, { rounds, pages, live }: BenchOptions): Promise<void> {
  const chosen = catalog.filter(page => pages.test(page.name));
  const normal = chosen.filter(({ kind }) => !['huge', 'framework', 'ticker'].includes(kind));
  const actionsOn = (page: string) =>
    withBrowsers(browsers => measureActions({ page, server, browsers, rounds: { warmUps: 10, rounds: rounds * 5 } }));
  const measures: Record<Section, () => Promise<unknown>> = {
    snapshots: async () => {
      // Engines compile what runs often: until then all that is timed is how well they interpret.
      const timed = { warmUps: 8, rounds };
      results.snapshots = await withBrowsers(browsers => measureSnapshots(normal, { server, browsers, rounds: timed }));
    },
    changed: async () => {
      const timed = { warmUps: 1, rounds };
      const pages = normal.filter(({ kind }) => kind !== 'plain');
      results.changed = await withBrowsers(browsers =>
        measureChangedSnapshots(pages, { server, browsers, rounds: timed }),
      );
    },
    framework: async () => {
      const timed = { warmUps: 3, rounds };
      results.framework = await withBrowsers(browsers => measureFramework({ server, browsers, rounds: timed }));
    },
    actions: async () => {
      results.actions = await actionsOn('plain');
    },
    ticker: async () => {
      results.ticker = await actionsOn('ticker');
    },
    startup: async () => {
      results.startup = await measureStartup(stacks, server, { warmUps: 1, rounds });
    },
    schemas: async () => {
      results.schemas = await measureSchemas(stacks);
    },
    imports: async () => {
      results.imports = await measureImports(stacks, { warmUps: 1, rounds });
    },
    memory: async () => {
      results.memory = await measureMemory(stacks, server, [1, 3, 5, 10]);
    },
    recall: async () => {
      results.recall = await withBrowsers(browsers =>
        measureRecall(
          normal.filter(page => page.kind !== 'grid'),
          server,
          browsers,
        ),
      );
    },
    read: async () => {
      results.read = await measureRead(server, { warmUps: 1, rounds });
    },
    huge: async () => {
      results.huge = await measureHuge(
        stacks,
        chosen.filter(page => page.kind === 'huge'),
        server,
      );
    },
    prompt: async () => {
      results.prompt = await measurePrompt(server, pages);
    },
    agent: async () => {
      results.agent = await measureAgentSteps(server);
    },
    'agent-prompt': async () => {
      results.agentPrompt = await measureAgentPrompt(server);
    },
    mcp: async () => {
      results.mcp = await measureMcp(server, { warmUps: 1, rounds });
    },
    walks: async () => {
      results.walks = await measureWalks();
    },
    live: async () => {
      results.live = await measureLive({ ...live, rounds });
    },
  };
  await measures[section]();
}

async function withBrowsers<T>(use: (browsers: ReadonlyMap<string, StackBrowser>) => Promise<T>): Promise<T> {
  const browsers = new Map<string, StackBrowser>();
  try {
    for (const stack of stacks) browsers.set(stack.name, await stack.open());
    return await use(browsers);
  } finally {
    for (const browser of browsers.values()) await browser.close();
  }
}
