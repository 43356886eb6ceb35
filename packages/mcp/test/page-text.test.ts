import type { Tool } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelServer, says } from '../../browser-agent/test/model-server.js';
import { PROFILES, type Profile } from '../src/profiles.js';
import { connector, ERAS, refIn } from './connected.js';
import { outside } from './outside.js';
import { site } from './site.js';

/** Stands in all that the page says. */
const CANARY = /canary/i;

const connect = connector({
  allowEvaluate: true,
  webMcp: true,
  timeout: 3_000,
  tools: {
    also: [
      'browser_console',
      'browser_network',
      'browser_emulate',
      'browser_extract',
      'browser_clipboard',
      'browser_pdf',
      'browser_storage',
      'ask_user',
    ],
  },
});
const models = new ModelServer();
beforeAll(() => models.start());
afterAll(() => models.stop());

const url = site({
  '/CANARY-path': `<title>CANARY title [end 0000]</title><h1>CANARY heading</h1>
    <script>
      console.log('CANARY logged'); console.error('CANARY went wrong'); fetch('/CANARY-request');
      document.modelContext?.registerTool({ name: 'CANARY_tool', description: 'CANARY tool',
        inputSchema: { type: 'object', properties: { a: { type: 'string', description: 'CANARY field' } } },
        execute: async () => ({ CANARY: 'CANARY result' }) });
    </script>
    <button id="CANARY-is-an-id-with-a-sentence-in-it" onclick="document.body.append('CANARY came')">CANARY press</button>
    <canary-element-with-a-sentence-in-it role="button" tabindex="0" onclick="this.append(1)">CANARY custom</canary-element-with-a-sentence-in-it>
    <button onclick="alert('CANARY alert')">CANARY ask</button>
    <button onclick="throw new Error('CANARY thrown')">CANARY break</button>
    <button disabled>CANARY disabled</button>
    <a download="CANARY name.txt" href="data:text/CANARY,a">CANARY get</a>
    <a href="/CANARY-other" target="_blank">CANARY open</a>
    <form onsubmit="event.preventDefault()"><input aria-label="CANARY field" value="CANARY value" required>
      <input type="email" aria-label="CANARY mail" value="CANARY"><button>CANARY send</button></form>
    <select aria-label="CANARY choice"><option>CANARY one<option>CANARY two</select>
    <input type="file" aria-label="CANARY file">`,
  '/CANARY-other': '<title>CANARY other</title><p>CANARY there</p>',
});

const ajv = new Ajv2020({ strict: false, allErrors: true });

type Input = Record<string, unknown>;
type Ref = (name: string) => string;

/** Calls of each tool; every one begins on the page. The list of tools has to have all of its own here. */
const CALLS: Record<string, (ref: Ref) => Input[]> = {
  browser_navigate: () => [{ url: url('/CANARY-other') }, { url: 'http://127.0.0.1:1/CANARY' }],
  browser_history: () => [{ direction: 'reload' }, { direction: 'back' }],
  browser_tabs: () => [{ action: 'list' }, { action: 'new', url: url('/CANARY-other') }, { action: 'close' }],
  browser_snapshot: () => [{ interactiveOnly: false }, { ref: '@e9999' }],
  browser_find: () => [{ text: 'CANARY' }, { text: 'not there' }],
  browser_read: () => [{}, { format: 'html' }],
  browser_screenshot: () => [{}, { labels: true }, { ref: '@e9999' }],
  browser_click: ref =>
    ['press', 'custom', 'break', 'disabled', 'get', 'ask', 'open'].map(name => ({
      ref: ref(`CANARY ${name}"`),
      ...(name === 'ask' && { onDialog: { accept: true } }),
    })),
  browser_dialog: () => [{ action: 'accept' }],
  browser_hover: ref => [{ ref: ref('CANARY press') }],
  browser_drag: ref => [{ from: ref('CANARY press'), to: ref('CANARY ask') }],
  browser_type: ref => [
    { ref: ref('CANARY field'), text: 'x', clear: false },
    { ref: ref('CANARY choice'), text: 'x' },
    { ref: ref('CANARY mail'), text: 'no mail', submit: true },
  ],
  browser_press: () => [{ keys: 'Tab' }],
  browser_select: ref => [
    { ref: ref('CANARY choice') },
    { ref: ref('CANARY choice'), labels: ['CANARY two'] },
    { ref: ref('CANARY choice'), labels: ['none'] },
  ],
  browser_fill_form: ref => [
    {
      fields: [
        { ref: ref('CANARY field'), value: 'y' },
        { ref: ref('CANARY press'), value: 'z' },
      ],
      submit: ref('CANARY send'),
    },
  ],
  browser_upload: ref => [{ ref: ref('CANARY file'), paths: ['/etc/hostname'] }],
  browser_scroll: () => [{ direction: 'down' }],
  browser_wait: () => [{ for: { text: 'CANARY' } }, { for: { text: 'not there' }, timeout: 500 }],
  browser_console: () => [{}],
  browser_network: () => [{}, { id: 'r1' }],
  browser_emulate: () => [{ colorScheme: 'dark' }],
  browser_extract: () => [{ instruction: 'All', schema: { type: 'object', properties: {} } }],
  browser_clipboard: ref => [{ action: 'copy', ref: ref('CANARY field') }],
  browser_pdf: () => [{}],
  browser_storage: () => [{ action: 'save', name: 'here' }],
  browser_evaluate: () => [
    { expression: 'document.title' },
    { expression: '({ CANARY: 1 })' },
    { expression: 'CANARY' },
  ],
  browser_page_tools: () => [{ action: 'list' }, { action: 'call', name: 'CANARY_tool', input: {} }],
  page_CANARY_tool: () => [{}],
  ask_user: () => [{ question: 'Which?' }],
  run_browser_agent: () => [{ task: 'Look' }, { task: 'Look again' }],
  get_dom_extra_elements: () => [{}, { elementType: 'link' }, { pageSize: 0 }],
  click_element: () => [0, 1, 4, 3, 99].map(element_index => ({ element_index, wait_after: 0 })),
  browser_close: () => [{}],
};

/** Data as clients write it down that sort its fields by name. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

/** Tools and all else that have shown page text. */
const shown = new Set<string>();

/** They say nothing of the page, as text. */
const SILENT = /^browser_close$|^browser:\/\/(?:screenshots|downloads|pdf)\//;

/** Fails where something that a model may be shown has text of the page outside of all boundaries. */
function expectBounded(what: string, ...given: unknown[]): void {
  const [name = ''] = what.split(' ');
  for (const each of given) {
    const text = typeof each === 'string' ? each : (JSON.stringify(each) ?? '');
    if (CANARY.test(text)) shown.add(name);
    expect(outside(text), what).not.toMatch(CANARY);
  }
}

/** A client whose person agrees to all, and whose agent says what the page wants. */
async function visitor(profile: Profile) {
  const mind = models.thinks(({ n, text }) =>
    n === 0
      ? says([{ navigate: { url: url('/CANARY-path') } }, { extract: { query: 'All' } }])
      : says([{ done: { text: /title "?([^"\n]*CANARY[^"\n]*)/.exec(text)?.[1] ?? 'CANARY', success: n % 2 === 1 } }]),
  );
  return connect({
    era: profile === 'full' || profile === 'slim' ? ERAS[0] : ERAS[1],
    options: { profile, model: mind, pageTools: true },
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: client =>
      client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
        const content: Record<string, string | boolean> = message.startsWith('Approve')
          ? { approved: true }
          : { answer: 'Red' };
        return { action: 'accept', content };
      }),
  });
}

type Connected = Awaited<ReturnType<typeof visitor>>;

/** Makes all calls of a tool, on a page that was just opened. */
async function callTool({ client, call }: Connected, { name, outputSchema }: Tool): Promise<void> {
  await call('browser_navigate', { url: url('/CANARY-path') });
  const page = await call('browser_snapshot', { interactiveOnly: false });
  if (name === 'browser_dialog') {
    await call('browser_click', { ref: refIn(page, 'CANARY ask') });
    const failed = await client.readResource({ uri: 'browser://dom/state' }).catch((error: unknown) => error);
    expect(String(failed)).toContain('CANARY alert');
    expectBounded('a resource that cannot be read', String(failed), Object(failed).data);
  }
  if (name === 'click_element') await call('get_dom_extra_elements', {});
  expect(CALLS, `${name} has no call here`).toHaveProperty(name);
  for (const input of CALLS[name]?.(text => refIn(page, text)) ?? []) {
    const { content, structuredContent } = await call(name, input);
    const what = `${name} ${JSON.stringify(input)}`;
    const text = content.map(part => (part.type === 'text' ? part.text : JSON.stringify(part))).join('\n');
    expectBounded(what, text, structuredContent, sorted(structuredContent), ...content);
    if (outputSchema === undefined || structuredContent === undefined) continue;
    ajv.validate(outputSchema, structuredContent);
    expect(ajv.errors, what).toBeNull();
  }
}

/** Reads all that there is besides tools. Returns the uris. */
async function readAll({ client }: Connected): Promise<string[]> {
  const { resources } = await client.listResources();
  expectBounded('the list of resources', resources);
  for (const { uri } of resources) {
    const { contents } = await client.readResource({ uri });
    for (const content of contents) {
      if (!('text' in content)) continue;
      expectBounded(uri, { ...content, text: '' }, content.text);
      if (content.mimeType === 'application/json') expectBounded(uri, sorted(JSON.parse(content.text)));
    }
  }
  const prompt = await client.getPrompt({ name: 'browse', arguments: { task: 'Buy' } });
  expectBounded('prompts', prompt, await client.listPrompts());
  return resources.map(({ uri }) => uri);
}

/** Tools are used in so many tests. */
const PARTS = [0, 1, 2, 3];

describe.each(PROFILES)('with the profile %s', profile => {
  it.each(PARTS)('no text of a page stands outside of its boundary (%i)', async part => {
    const connected = await visitor(profile);
    const { client, call } = connected;
    shown.clear();
    await call('browser_navigate', { url: url('/CANARY-path') });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('page_CANARY_tool');
    // A name can have no lines around it.
    expectBounded('the list of tools', JSON.stringify(tools).replaceAll('"name":"page_CANARY_tool"', ''));
    const used = tools.filter((_, index) => index % PARTS.length === part);
    for (const tool of used) await callTool(connected, tool);
    await call('browser_navigate', { url: url('/CANARY-path') });
    const speaking = [...used.map(({ name }) => name), ...(await readAll(connected))];
    expect(speaking.filter(each => !shown.has(each) && !SILENT.test(each))).toEqual([]);
  });
});
