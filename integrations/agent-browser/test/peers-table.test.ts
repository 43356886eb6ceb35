import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess, launchingToolset, refOf, servePages, testToolset } from './fixtures.js';
import { browsersOf } from './lifecycle/machine.js';
import { pokedPages } from './refs/poked-page.js';

const { openPoked } = pokedPages();

/** What browser tools get wrong, one test each. */

const ROWS = (rows: string[]): string =>
  rows.map(row => `<li>${row} <button onclick="hear('${row}')">Delete</button></li>`).join('');

test('clicks "Alpha / Delete" after a row was inserted above', async () => {
  const { session, ref, poke, heard } = await openPoked(`<ul id="list">${ROWS(['Alpha', 'Beta'])}</ul>
    <script>function change() { list.insertAdjacentHTML('afterbegin', ${JSON.stringify(ROWS(['Newest']))}); }</script>`);
  const alpha = ref('button', 'Delete', 0);
  await poke();
  expectSuccess(await session.click({ ref: alpha }));
  expect(await heard()).toBe('Alpha;');
});

test('clicks no namesake of an element that is gone', async () => {
  const { session, ref, poke, heard } = await openPoked(`<ul id="list">${ROWS(['Alpha', 'Beta'])}</ul>
    <script>function change() { list.firstElementChild.remove(); }</script>`);
  const alpha = ref('button', 'Delete', 0);
  await poke();
  expectFailure(await session.click({ ref: alpha }), 'stale_ref');
  expect(await heard()).toBe('');
});

test('does not click an element that now says something else', async () => {
  const { session, ref, poke, heard } = await openPoked(`<ul id="list">${ROWS(['Alpha', 'Beta'])}</ul>
    <script>function change() { list.firstElementChild.firstChild.data = 'Gamma '; }</script>`);
  const alpha = ref('button', 'Delete', 0);
  await poke();
  const { message } = expectFailure(await session.click({ ref: alpha }), 'ref_changed');
  expect(message).toContain('was button "Delete" in "Alpha" and is now button "Delete" in "Gamma"');
  expect(await heard()).toBe('');
});

test('tells names with quotes and colons as they are', async () => {
  const { seen, ref } = await openPoked(`<button>Open "Report: 2026"</button><a href="#x">Note: it's "fine"</a>`);
  const button = ref('button', 'Open "Report: 2026"');
  const link = ref('link', 'Note: it\'s "fine"');
  expect(seen.tree).toContain(`button "Open \\"Report: 2026\\"" ${button}`);
  expect(seen.tree).toContain(`link "Note: it's \\"fine\\"" ${link}`);
  expect(seen.refs).toEqual({
    [button]: { role: 'button', name: 'Open "Report: 2026"' },
    [link]: { role: 'link', name: 'Note: it\'s "fine"' },
  });
});

test('reads and clicks in frames of the same origin, of another one, and in frames of frames', async () => {
  const leaf = (name: string): string =>
    `<!doctype html><title>${name}</title><button onclick="this.textContent = '${name} clicked'">${name}</button>`;
  const away = await servePages({ '/leaf': leaf('Abroad'), '/deep': leaf('Deep') });
  const abroad = away.url('/leaf').replace('127.0.0.1', 'localhost');
  const deep = away.url('/deep').replace('127.0.0.1', 'localhost');
  const site = await servePages({
    '/': `<!doctype html><iframe src="/leaf"></iframe><iframe src="${abroad}"></iframe><iframe src="/middle"></iframe>`,
    '/leaf': leaf('Here'),
    '/middle': `<!doctype html><button>Middle</button><iframe src="${deep}"></iframe>`,
  });
  const session = testToolset().session();
  expectSuccess(await session.navigate({ url: site.url(), waitUntil: 'load' }));
  const seen = expectSuccess(await session.snapshot());
  for (const name of ['Here', 'Abroad', 'Deep']) {
    const result = expectSuccess(await session.click({ ref: refOf(seen, 'button', name) }));
    expect(result.changes).toContain(`button "${name} clicked"`);
  }
});

test('reads and clicks in open and closed shadow roots', async () => {
  const { session, ref, heard } = await openPoked(`<x-box mode="open"></x-box><x-box mode="closed"></x-box><script>
    customElements.define('x-box', class extends HTMLElement {
      connectedCallback() {
        const mode = this.getAttribute('mode');
        this.attachShadow({ mode }).innerHTML = '<button onclick="hear(\\'' + mode + '\\')">' + mode + '</button>';
      }
    });</script>`);
  expectSuccess(await session.click({ ref: ref('button', 'open') }));
  expectSuccess(await session.click({ ref: ref('button', 'closed') }));
  expect(await heard()).toBe('open;closed;');
});

test('lists what reacts to the mouse and the keyboard without a role', async () => {
  const { session, seen, ref, heard } = await openPoked(`<div id="card" style="cursor:pointer">Pointer</div>
    <div tabindex="0" onfocus="hear('focus')">Tab stop</div><div contenteditable aria-label="Note"></div>
    <script>card.addEventListener('click', () => hear('card'));</script>`);
  expectSuccess(await session.click({ ref: ref('clickable', 'Pointer') }));
  expectSuccess(await session.click({ ref: ref('clickable', 'Tab stop') }));
  const [note] = Object.entries(seen.refs ?? {}).find(([, { name }]) => name === 'Note') ?? [''];
  expect(expectSuccess(await session.type({ ref: note, text: 'Hello' })).value).toBe('Hello');
  expect(await heard()).toBe('card;focus;');
});

test('tells no password, neither one that was there nor one that it typed', async () => {
  const { session, seen, ref } =
    await openPoked(`<form><label>Password <input type="password" value="hunter2-page"></label>
    <label>Again <input type="password"></label></form>`);
  const typed = expectSuccess(await session.type({ ref: ref('textbox', 'Again'), text: 'hunter2-typed' }));
  const all = [
    seen,
    typed,
    await session.snapshot({ interactiveOnly: false }),
    await session.find({ role: 'textbox' }),
    await session.fillForm({ fields: [{ ref: ref('textbox', 'Again'), value: 'hunter2-filled' }] }),
    await session.snapshot({ diff: true }),
  ];
  expect(JSON.stringify(all)).not.toContain('hunter2');
  expect(seen.tree).toContain(`textbox "Password" ${ref('textbox', 'Password')} value="••••••••"`);
});

test('reports a confirm() that a click opens, and leaves it to the agent', async () => {
  const { session, ref, heard } = await openPoked(`<button onclick="hear(confirm('Delete all?'))">Delete</button>`);
  const result = expectSuccess(await session.click({ ref: ref('button', 'Delete') }));
  expect(result.dialog).toEqual({ type: 'confirm', message: 'Delete all?' });
  expectSuccess(await session.dialog({ action: 'accept' }));
  expect(await heard()).toBe('true;');
});

test('reports a new tab, and stays on the one it is on with its refs', async () => {
  const { session, site, ref } = await openPoked('<a href="/other" target="_blank">Open</a><button>Stay</button>', {
    '/other': '<!doctype html><title>Other</title><p>Other</p>',
  });
  const result = expectSuccess(await session.click({ ref: ref('link', 'Open') }));
  expect(result.newTab).toEqual({ tab: 't2', url: site.url('/other') });
  expect(result.url).toBe(site.url());
  expectSuccess(await session.click({ ref: ref('button', 'Stay') }));
  expectSuccess(await session.tabs({ action: 'switch', tab: 't2' }));
  expect(expectSuccess(await session.snapshot()).tree).toContain('page "Other"');
});

test('keeps a download that a click starts, and tells where it is', async () => {
  const { session, ref } = await openPoked('<a href="/report.csv" download>Get</a>', {
    '/report.csv': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': 'attachment' });
      response.end('a,b\n1,2\n');
    },
  });
  const { download } = expectSuccess(await session.click({ ref: ref('link', 'Get') }));
  expect(download).toMatchObject({ fileName: 'report.csv', fileSize: 8, state: 'completed' });
  expect(readFileSync(download?.path ?? '', 'utf8')).toBe('a,b\n1,2\n');
});

test('opens no file of the machine', async () => {
  const { session, ref } = await openPoked('<a href="file:///etc/hostname">File</a><p>Page</p>');
  const hostname = readFileSync('/etc/hostname', 'utf8').trim();
  expectFailure(await session.navigate({ url: 'file:///etc/hostname' }), 'url_blocked');
  const click = await session.click({ ref: ref('link', 'File') });
  const after = await session.snapshot({ interactiveOnly: false });
  expect(JSON.stringify([click, after])).not.toContain(hostname);
  expect(expectSuccess(after).tree).toContain('text "Page"');
});

test('completes an address without a scheme, and goes on when there is nothing', async () => {
  const { session } = await openPoked('<button>Still here</button>');
  const before = browsersOf();
  const result = expectFailure(await session.navigate({ url: 'nowhere.invalid/path' }), 'navigation_failed');
  expect(result.message).toContain('https://nowhere.invalid/path');
  expect(browsersOf()).toEqual(before);
  expectSuccess(await session.history({ direction: 'back' }));
  expect(expectSuccess(await session.snapshot()).tree).toContain('button "Still here"');
});

test('sends the model at most 12 KB of tool schemas', () => {
  const tools = Object.values(testToolset().tools);
  const schemas = tools.map(({ id, description, inputSchema }) => {
    const json = (inputSchema as { '~standard'?: { jsonSchema?: { input(options: object): unknown } } })['~standard'];
    return { id, description, schema: json?.jsonSchema?.input({ target: 'draft-07' }) };
  });
  expect(schemas.every(({ schema }) => schema !== undefined)).toBe(true);
  expect(JSON.stringify(schemas).length).toBeLessThanOrEqual(12 * 1024);
});

describe('threads', () => {
  test('share one Chromium and nothing else', async () => {
    const site = await servePages({
      '/': '<!doctype html><title>Home</title><script>document.title = localStorage.name ?? "nobody"; localStorage.name = "taken"</script>',
    });
    const before = browsersOf().length;
    const toolset = launchingToolset();
    const threads = ['a', 'b', 'c'].map(id => toolset.session(id));
    const titles = await Promise.all(
      threads.map(async session => {
        expectSuccess(await session.navigate({ url: site.url() }));
        return /"(.*?)"/.exec(expectSuccess(await session.snapshot()).tree ?? '')?.[1];
      }),
    );
    expect(titles).toEqual(['nobody', 'nobody', 'nobody']);
    expect(browsersOf()).toHaveLength(before + 1);
  });

  test('start one Chromium with their first calls at the same time, and leave none behind', async () => {
    const site = await servePages({ '/': '<!doctype html><title>Home</title><p>Hello</p>' });
    const before = browsersOf().length;
    const toolset = launchingToolset();
    const session = toolset.session('a');
    const results = await Promise.all([1, 2, 3].map(() => session.navigate({ url: site.url() })));
    for (const result of results) expectSuccess(result);
    expect(browsersOf()).toHaveLength(before + 1);
    await toolset.close();
    expect(browsersOf()).toHaveLength(before);
  });
});
