import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { newContext } from '../../playground-ui/test/chromium.js';
import { type AgentHistory, toCode, type toWorkflow } from '../src/index.js';

export interface Exports {
  /** Runs the export for Playwright in a browser of its own. Rejects with why it stopped. */
  playwright(history: AgentHistory, given?: object, edit?: (source: string) => string): Promise<void>;
  /** Runs the export for Mastra; resolves to the status of its workflow. */
  mastra(history: AgentHistory, browser: unknown, inputData?: object): Promise<string>;
}

/** An edit for what is not there: its export for Playwright does not wait long for it. */
export function impatiently(source: string): string {
  return source.replace('patience = 10_000', 'patience = 300');
}

/** Runs what `toCode` writes, as it is, from files that end with the test file. */
export function exportRunner(): Exports {
  let folder = '';
  let modules = 0;
  beforeAll(async () => {
    // Among the tests: what is exported imports packages of this one.
    folder = await mkdtemp(join(import.meta.dirname, 'exported-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const imported = async (source: string): Promise<unknown> => {
    const file = join(folder, `export-${++modules}.ts`);
    await writeFile(file, source);
    return import(file);
  };
  return {
    playwright: async (history, given = {}, edit = source => source) => {
      const module = await imported(edit(toCode(history, { as: 'playwright' })));
      const { run } = module as { run(page: unknown, given: object): Promise<void> };
      await using context = await newContext();
      await run(await context.newPage(), given);
    },
    mastra: async (history, browser, inputData = {}) => {
      const module = await imported(toCode(history, { as: 'mastra' }));
      const { recordedTask } = module as { recordedTask(toolset: unknown): ReturnType<typeof toWorkflow> };
      const run = await recordedTask(browser).createRun();
      return (await run.start({ inputData: inputData as never })).status;
    },
  };
}
