import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { connector, refIn } from './connected.js';
import { site } from './site.js';

const connected = connector({
  allowEvaluate: true,
  tools: { also: ['browser_console', 'browser_network', 'browser_pdf'] },
});
const url = site({
  '/': `<title>Results</title><h1>Results</h1>
    <form onsubmit="event.preventDefault()"><label>Email <input type="email" required></label>
      <label>Amount <input type="range" min="0" max="10" step="5"></label>
      <label>Size <select><option>Small<option>Large</select></label>
      <label>Upper <input oninput="value = value.toUpperCase()"></label><button>Send</button></form>
    <a download="a.txt" href="data:text/plain,abc">Get</a>
    <a href="/other" target="_blank">Other</a><button onclick="alert('Hello')">Greet</button>
    <button onclick="fetch('/none')">Fail</button><button onclick="console.error('Broken'); throw new Error('No')">Break</button>`,
  '/other': '<title>Other</title>',
});

/** Calls that together bring every kind of metadata: what to call, and what its structured content has to have. */
const CALLS: [tool: string, on: string | undefined, input: object, has: object][] = [
  [
    'browser_click',
    'link "Get"',
    {},
    { download: { state: 'completed', fileName: 'a.txt', fileSize: 3, path: expect.any(String) } },
  ],
  ['browser_click', 'link "Other"', {}, { newTab: { tab: expect.any(String), url: expect.any(String) } }],
  ['browser_click', 'button "Send"', {}, { validation: [expect.objectContaining({ name: 'Email' })] }],
  ['browser_click', 'button "Fail"', {}, { failedRequests: [expect.objectContaining({ status: 404 })] }],
  ['browser_click', 'button "Break"', {}, { consoleErrors: expect.any(Array), element: expect.any(Object) }],
  [
    'browser_type',
    'textbox "Upper"',
    { text: 'abc' },
    { value: 'ABC', x: expect.any(Number), y: expect.any(Number), mismatch: { expected: 'abc', actual: 'ABC' } },
  ],
  ['browser_select', 'combobox "Size"', { labels: ['Large'] }, { selected: ['Large'] }],
  ['browser_find', undefined, { text: 'Results' }, { matches: expect.any(Array) }],
  ['browser_click', undefined, { x: 5, y: 5 }, { pageChanged: false, executionTime: expect.any(Number) }],
  ['browser_scroll', undefined, { direction: 'down' }, {}],
  ['browser_screenshot', undefined, {}, { path: expect.any(String), mimeType: expect.any(String) }],
  ['browser_tabs', undefined, { action: 'list' }, { tabs: expect.any(Array) }],
  ['browser_pdf', undefined, {}, { path: expect.any(String) }],
  ['browser_console', undefined, {}, {}],
  ['browser_network', undefined, {}, {}],
  ['browser_read', undefined, {}, {}],
  ['browser_evaluate', undefined, { expression: '1 + 1' }, { result: 2 }],
  ['browser_click', 'button "Greet"', {}, { dialog: { type: 'alert', message: 'Hello' } }],
  ['browser_dialog', undefined, { action: 'accept' }, {}],
  [
    'browser_click',
    undefined,
    { ref: '@e9999' },
    { success: false, code: 'invalid_ref', recoveryHint: expect.any(String) },
  ],
  ['browser_close', undefined, {}, {}],
];

describe('the structured content of results', () => {
  let call: Awaited<ReturnType<typeof connected>>['call'];
  const schemas = new Map<string, object>();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  beforeAll(async () => {
    const made = await connected({ options: { profile: 'full' } });
    call = made.call;
    const { tools } = await made.client.listTools();
    for (const { name, outputSchema } of tools) if (outputSchema) schemas.set(name, outputSchema);
  });

  it('has the metadata of each action whole, as the schema of its tool says', async () => {
    await call('browser_navigate', { url: url('/') });
    for (const [tool, on, input, has] of CALLS) {
      const target = on === undefined ? {} : { ref: refIn(await call('browser_snapshot'), on) };
      const { structuredContent } = await call(tool, { ...target, ...input });
      expect(structuredContent, tool).toMatchObject(has);
      const schema = schemas.get(tool);
      expect(schema, tool).toBeDefined();
      ajv.validate(schema ?? {}, structuredContent);
      expect(ajv.errors, `${tool} ${JSON.stringify(structuredContent)}`).toBeNull();
    }
  });
});

describe('input whose meaning is not in doubt', () => {
  it('is taken, however a client writes it', async () => {
    const { call } = await connected();
    await call('browser_navigate', { url: url('/') });
    const upper = refIn(await call('browser_snapshot'), 'textbox "Upper"').replace('@', '');
    for (const ref of [upper, `[ref=${upper}]`, `ref=@${upper}`])
      expect(JSON.stringify(await call('browser_type', { ref, text: 'abc' }))).toContain('ABC');
    expect(JSON.stringify(await call('browser_press', { keys: '["Tab","Enter"]' }))).toContain('Pressed 2 keys.');
    expect(JSON.stringify(await call('browser_scroll', { direction: 'down', amount: '500' }))).toContain('Scrolled');
  });
});

describe('the list of tools', () => {
  const bytes = async (profile: 'core' | 'full' | 'slim' | 'algonius'): Promise<number> => {
    const { client } = await connected({ options: { profile } });
    return Buffer.byteLength(JSON.stringify(await client.listTools()));
  };

  it('of the core profile is short, without the schemas of results', async () => {
    expect(await bytes('core')).toBeLessThanOrEqual(16 * 1024);
    expect(await bytes('slim')).toBeLessThan(await bytes('core'));
    expect(await bytes('core')).toBeLessThan(await bytes('full'));
  });
});
