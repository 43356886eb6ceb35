import { Agent } from '@mastra/core/agent';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../examples/scripted-model.ts';
import type { BrowserSession, CommonResult } from '../../src/index.js';
import { servePages, testToolset } from '../fixtures.js';

const SCHEMA_LIMIT = 12 * 1024;

async function toolsAsSent(provider: string, modelId: string) {
  const model = scriptedModel(['Hello.'], { provider, modelId });
  const agent = new Agent({ id: 'a', name: 'A', instructions: '', model, tools: testToolset().tools });
  await agent.generate('Hello');
  return model.calls[0]?.tools ?? expect.fail('no tools were sent');
}

describe('the tools as a model gets them', () => {
  it.each([
    ['any', 'any-model'],
    ['anthropic', 'claude-sonnet'],
    ['google', 'gemini-pro'],
  ])('take at most 12 KB for %s', async (provider, modelId) => {
    expect(JSON.stringify(await toolsAsSent(provider, modelId)).length).toBeLessThanOrEqual(SCHEMA_LIMIT);
  });

  it('are plain objects at the top, which every model API takes', async () => {
    for (const tool of await toolsAsSent('any', 'any-model')) {
      expect(tool).toMatchObject({ type: 'function', inputSchema: { type: 'object', additionalProperties: false } });
      const keys = Object.keys((tool as { inputSchema: object }).inputSchema);
      expect(keys).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(oneOf|anyOf|allOf)$/)]));
    }
  });

  it('have names that Mastra Studio opens its live view for', async () => {
    for (const { name } of await toolsAsSent('any', 'any-model')) expect(name).toMatch(/^browser_/);
  });
});

describe('the output schema of a tool', () => {
  it('is one object that needs nothing but `success`', () => {
    for (const { outputSchema } of Object.values(testToolset().tools)) {
      const schema = outputSchema?.['~standard'].jsonSchema.output({ target: 'draft-07' });
      expect(schema).toMatchObject({ type: 'object', required: ['success'] });
    }
  });

  it('keeps every field of every result', async () => {
    const toolset = testToolset({ timeout: 1_500, navigationTimeout: 3_000, snapshot: { maxTokens: 100 } });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 4, maxLength: 12 }), async calls => {
        const session = toolset.session();
        const refs = await refsOf(session);
        for (const { tool, input } of calls) {
          const result = await act(session, tool, input(refs));
          expect(keptBy(toolset.tools[tool], result)).toEqual(result);
          seen.add(result.success ? tool : `${tool} failed`);
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
    // Most of what is drawn does something; what it is, chance decides.
    expect(seen.size).toBeGreaterThan(10);
  });
});

describe('the output schema of a tool that is opted into', () => {
  it('keeps every field of its results', async () => {
    const also = ['browser_console', 'browser_network', 'browser_emulate'];
    const toolset = testToolset({ tools: { also }, allowEvaluate: true, uploadRoots: [import.meta.dirname] });
    const session = toolset.session();
    const refs = await refsOf(session);
    const calls: [ToolName, object][] = [
      ['browser_upload', { ref: refs[0], paths: ['schemas.test.ts'] }],
      ['browser_upload', { ref: refs.at(-1), paths: ['schemas.test.ts'] }],
      [
        'browser_evaluate',
        { expression: 'console.error("e"); setTimeout(() => { throw new Error("u") }); [{ a: undefined }]' },
      ],
      ['browser_evaluate', { expression: '"x ".repeat(1e5)' }],
      ['browser_console', {}],
      ['browser_network', {}],
      ['browser_network', { id: 'r1' }],
      ['browser_emulate', { colorScheme: 'dark', geolocation: { latitude: 1, longitude: 2 } }],
    ];
    for (const [tool, input] of calls) {
      const result = await act(session, tool, input);
      expect(keptBy(toolset.tools[tool], result)).toEqual(result);
    }
  });
});

const site = await servePages({
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

type ToolName = keyof ReturnType<typeof testToolset>['tools'];
interface Call {
  tool: ToolName;
  input(refs: string[]): object;
}

const pick = fc.nat(100);
const at = (refs: string[], index: number) => refs[index % Math.max(1, refs.length)] ?? '@e1';
const call: fc.Arbitrary<Call> = fc.oneof(
  onRef('browser_click', fc.constantFrom({}, { waitAfter: 0.1 }, { onDialog: { accept: true } })),
  onRef('browser_type', fc.record({ text: fc.constantFrom('Oslo', 'x', ''), slowly: fc.boolean() })),
  onRef('browser_select', fc.constantFrom({}, { labels: ['M'] }, { indexes: [7] })),
  onRef('browser_hover', fc.constant({})),
  onRef('browser_screenshot', fc.constantFrom({}, { labels: true })),
  fc.record({ from: pick, to: pick }).map(
    ({ from, to }): Call => ({
      tool: 'browser_drag',
      input: refs => ({ from: at(refs, from), to: at(refs, to) }),
    }),
  ),
  pick.map(
    (index): Call => ({
      tool: 'browser_fill_form',
      input: refs => ({ fields: refs.slice(index % 3, 4).map(ref => ({ ref, value: 'Ann' })) }),
    }),
  ),
  plain('browser_navigate', { url: site.url() }, { url: site.url('/file') }, { url: 'http://127.0.0.1:1/' }),
  plain('browser_history', { direction: 'back' }, { direction: 'reload' }),
  plain('browser_tabs', { action: 'list' }, { action: 'new' }, { action: 'close' }, { action: 'switch', tab: 't1' }),
  plain('browser_snapshot', {}, { interactiveOnly: false }, { diff: true }, { scope: 'modal' }, { ref: '@e900' }),
  plain('browser_find', { text: 'Row' }, { role: 'button' }, { text: 'nowhere' }),
  plain('browser_press', { keys: 'Enter' }, { keys: ['Tab', 'Tab'] }, { keys: 'Nonsense' }),
  plain('browser_scroll', { direction: 'down' }, { direction: 'up', amount: 'half' }),
  plain('browser_wait', { for: { seconds: 0 } }, { for: { text: 'nowhere' }, timeout: 0.2 }),
  plain('browser_dialog', { action: 'accept' }, { action: 'dismiss' }),
  plain('browser_close', {}),
);

function plain(tool: ToolName, ...inputs: object[]): fc.Arbitrary<Call> {
  return fc.constantFrom(...inputs).map(input => ({ tool, input: () => input }));
}

function onRef(tool: ToolName, more: fc.Arbitrary<object>): fc.Arbitrary<Call> {
  return fc.tuple(pick, more).map(([index, rest]) => ({ tool, input: refs => ({ ref: at(refs, index), ...rest }) }));
}

/** A page to act on, whatever the calls before left behind. */
async function refsOf(session: BrowserSession): Promise<string[]> {
  await session.dialog({ action: 'accept' });
  await session.navigate({ url: site.url() });
  const { refs } = await session.snapshot({ maxTokens: 2_000 });
  return Object.keys(refs ?? {});
}

/** Calls a tool by its id as plain code does, where no schema touches the result. */
function act(session: BrowserSession, tool: ToolName, input: object): Promise<CommonResult> {
  const name = tool.replace('browser_', '').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const actions = session as unknown as Record<string, (given: object) => Promise<CommonResult>>;
  return actions[name]?.(input) ?? expect.fail(`there is no ${name}`);
}

function keptBy({ outputSchema }: { outputSchema?: unknown }, result: CommonResult): unknown {
  const schema = outputSchema as { '~standard': { validate(value: unknown): { value?: unknown; issues?: unknown } } };
  const checked = schema['~standard'].validate(result);
  if (checked.issues !== undefined) expect.fail(JSON.stringify({ result, issues: checked.issues }, null, 2));
  return checked.value;
}
