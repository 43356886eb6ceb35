import { expect } from 'vitest';
import type { BrowserSession, CommonResult } from '../../src/index.js';
import { type Site, servePages, type testToolset } from '../fixtures.js';

/** A page on which every tool finds something to do. */
export const serveEverything = (): Promise<Site> =>
  servePages({
    '/': `<!doctype html><title>Everything</title>
      <label>Name <input oninput="this.value = this.value.toUpperCase()"></label>
      <label>City <input role="combobox" aria-controls="list" oninput="list.hidden = false"></label>
      <ul id="list" role="listbox" hidden><li role="option">Oslo<li role="option">Bergen</ul>
      <label>Size <select><option>S<option>M</select></label>
      <label><input type="checkbox"> Terms</label>
      <a href="/" target="_blank">New tab</a> <a href="/?next">Next</a>
      <a href="/file" download="file.txt">File</a>
      <button onclick="confirm('Sure?')">Ask</button>
      <button onclick="setTimeout(() => { throw new Error('broken') })">Break</button>
      <button onclick="this.remove()">Vanish</button>
      ${Array.from({ length: 60 }, (_, index) => `<p><button>Row ${index}</button>`).join('')}`,
    '/file': (_, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello'),
  });

export type ToolName = keyof ReturnType<typeof testToolset>['tools'];

/** A page to act on, whatever the calls before left behind. */
export async function refsOf(session: BrowserSession, site: Site): Promise<string[]> {
  await session.dialog({ action: 'accept' });
  await session.navigate({ url: site.url() });
  const { refs } = await session.snapshot({ maxTokens: 2_000 });
  return Object.keys(refs ?? {});
}

/** Calls a tool by its id as plain code does, where no schema touches the result. */
export function act(session: BrowserSession, tool: ToolName, input: object): Promise<CommonResult> {
  const name = tool.replace('browser_', '').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const actions = session as unknown as Record<string, (given: object) => Promise<CommonResult>>;
  return actions[name]?.(input) ?? expect.fail(`there is no ${name}`);
}

/** What of a result the output schema of its tool keeps. */
export function keptBy({ outputSchema }: { outputSchema?: unknown }, result: CommonResult): unknown {
  const schema = outputSchema as { '~standard': { validate(value: unknown): { value?: unknown; issues?: unknown } } };
  const checked = schema['~standard'].validate(result);
  if (checked.issues !== undefined) expect.fail(JSON.stringify({ result, issues: checked.issues }, null, 2));
  return checked.value;
}
