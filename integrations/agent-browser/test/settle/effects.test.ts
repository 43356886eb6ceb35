import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer';
import { describe, expect, test } from 'vitest';
import { EFFECTS, type Effects, effectLines, effectWords } from '../../src/results/effects.js';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

describe('what a page prints', () => {
  test('is in a file that the result names, once', async () => {
    const { session, ref } = await openPage(
      '<h1>Invoice</h1><button onclick="print()">Print</button><button>Other</button>',
    );
    const { pdf } = expectSuccess(await session.click({ ref: ref('button', 'Print') }));
    expect(
      readFileSync(pdf?.path ?? '')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(expectSuccess(await session.click({ ref: ref('button', 'Other') })).pdf).toBeUndefined();
  });

  test('with what is in its frames is told once too', async () => {
    const { session, ref } = await openPage(
      '<h1>Invoice</h1><button onclick="print()">Print</button><button>Other</button><iframe title="Ad" srcdoc="<p>Ad</p>"></iframe>',
    );
    expect(expectSuccess(await session.click({ ref: ref('button', 'Print') })).pdf?.path).toMatch(/\.pdf$/);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Other') })).pdf).toBeUndefined();
  });
});

describe('windows that a page opens', () => {
  test('and closes again are told as closed', async () => {
    const { session, ref } = await openPage({
      '/': `<button onclick="const w = window.open('/popup'); w.onload = () => setTimeout(() => w.close(), 100)">Open</button>`,
      '/popup': '<h1>Popup</h1>',
    });
    const { newTab } = expectSuccess(await session.click({ ref: ref('button', 'Open'), waitAfter: 1.5 }));
    expect(newTab).toMatchObject({ tab: 't2', closed: true });
  });

  test('are all told', async () => {
    const { session, site, ref } = await openPage({
      '/': `<button onclick="window.open('/one'); window.open('/two')">Open</button>`,
      '/one': '<h1>One</h1>',
      '/two': '<h1>Two</h1>',
    });
    const { newTab, newTabs } = expectSuccess(await session.click({ ref: ref('button', 'Open') }));
    expect(newTab).toEqual(newTabs?.[0]);
    expect(newTabs?.map(({ url }) => url)).toEqual([site.url('/one'), site.url('/two')]);
  });
});

test('all dialogs of one action are told', async () => {
  const { session, ref } = await openPage(`<button onclick="alert('One'); say(confirm('Two'))">Ask</button>${OUTPUT}`);
  const result = expectSuccess(await session.click({ ref: ref('button', 'Ask'), onDialog: { accept: true } }));
  expect(result.dialog).toEqual({ type: 'confirm', message: 'Two', answered: 'accepted' });
  expect(result.dialogs?.map(({ message }) => message)).toEqual(['One', 'Two']);
});

test('a click that leads to another page tells its status, and one that stays tells none', async () => {
  const { session, ref, read } = await openPage({
    '/': '<a href="/missing">Gone</a>',
    '/missing': (_, response) => {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end(`<h1>Nothing here</h1><button onclick="history.pushState({}, '', '/else')">Stay</button>`);
    },
  });
  expect(await session.click({ ref: ref('link', 'Gone') })).toMatchObject({ navigated: true, status: 404 });
  await read();
  const stayed = expectSuccess(await session.click({ ref: ref('button', 'Stay') }));
  expect([stayed.navigated, stayed.status]).toEqual([true, undefined]);
  expect(await session.history({ direction: 'back' })).toMatchObject({ success: true });
});

test.each([
  [
    'replaces its entry of the history',
    `<button onclick="history.replaceState({ a: 1 }, '', location.href)">Go</button>`,
  ],
  ['adds an entry to the history', `<button onclick="history.pushState({ a: 1 }, '', '')">Go</button>`],
  ['leads to where it is', `<div role="button" onclick="location.href = '#here'">Go</div>`],
])('a click that %s and stays at its url has gone nowhere', async (_, html) => {
  const { session, ref } = await openPage({ '/': html }, '/#here');
  expect(expectSuccess(await session.click({ ref: ref('button', 'Go') })).navigated).toBeUndefined();
});

test('a click that loads the same page again has gone there', async () => {
  const { session, ref } = await openPage(`<button onclick="location.reload()">Reload</button>`);
  expect(await session.click({ ref: ref('button', 'Reload') })).toMatchObject({ navigated: true, status: 200 });
});

test('a form tells what each field holds in the end, not what it held when it was filled', async () => {
  const { session, ref } =
    await openPage(`<input aria-label="Phone" onblur="this.value = '(' + this.value.slice(0, 3) + ') ' + this.value.slice(3)">
    <select aria-label="Country" onchange="city.value = ''"><option>Norway<option>Sweden</select><input id="city" aria-label="City">
    <input aria-label="Code" maxlength="3">`);
  const fields = [
    { ref: ref('textbox', 'Phone'), value: '5551234' },
    { ref: ref('textbox', 'City'), value: 'Oslo' },
    { ref: ref('combobox', 'Country'), value: 'Sweden' },
    { ref: ref('textbox', 'Code'), value: '12345' },
  ];
  expect(expectSuccess(await session.fillForm({ fields })).fields).toMatchObject([
    { value: '(555) 1234', mismatch: { expected: '5551234', actual: '(555) 1234' } },
    { value: '', mismatch: { expected: 'Oslo', actual: '' } },
    { value: 'Sweden' },
    { value: '123', mismatch: { expected: '12345', actual: '123' } },
  ]);
});

describe('a form that is refused', () => {
  const native = `<form onsubmit="say('sent'); return false"><input aria-label="Name" required><input type="email" aria-label="Mail" value="nobody">
    <button>Send</button></form>${OUTPUT}`;

  test('by the browser says which fields, and what is wrong with them', async () => {
    const { session, ref } = await openPage(native);
    const result = expectSuccess(await session.click({ ref: ref('button', 'Send') }));
    expect(result.validation).toMatchObject([
      { ref: ref('textbox', 'Name'), name: 'Name', message: expect.stringMatching(/fill/i) },
      { ref: ref('textbox', 'Mail'), name: 'Mail', message: expect.stringContaining('@') },
    ]);
  });

  test('says so when the page is busy for a while after that', async () => {
    const busy = `const busy = rounds => {
      const end = performance.now() + 200;
      while (performance.now() < end);
      if (rounds > 1) setTimeout(busy, 0, rounds - 1);
    };`;
    const { session, ref } = await openPage(
      `${native}<script>${busy} document.querySelector('input').addEventListener('invalid', () => { say('Wait'); setTimeout(busy, 0, 6); });</script>`,
    );
    const result = expectSuccess(await session.click({ ref: ref('button', 'Send') }));
    expect(result.validation?.map(({ name }) => name)).toEqual(['Name', 'Mail']);
  });

  test('earlier is no news of what is done later', async () => {
    const { session, ref } = await openPage(`${native}<button onclick="say('done')">Other</button>`);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Send') })).validation).toHaveLength(2);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Other') })).validation).toBeUndefined();
  });

  test('says so to whoever fills it in', async () => {
    const { session, ref } = await openPage(native);
    const fields = [{ ref: ref('textbox', 'Name'), value: 'Ann' }];
    const result = expectSuccess(await session.fillForm({ fields, submit: ref('button', 'Send') }));
    expect(result.submitted).toBe(false);
    expect(result.validation?.map(({ name }) => name)).toEqual(['Mail']);
  });

  test('says so to whoever presses Enter', async () => {
    const { session, ref } = await openPage(native);
    const typed = await session.type({ ref: ref('textbox', 'Name'), text: 'Ann', submit: true });
    expect(expectSuccess(typed).validation?.map(({ name }) => name)).toEqual(['Mail']);
    const pressed = await session.press({ ref: ref('textbox', 'Name'), keys: 'Enter' });
    expect(expectSuccess(pressed).validation?.map(({ name }) => name)).toEqual(['Mail']);
  });

  const own = `<form novalidate onsubmit="mail.setAttribute('aria-invalid', 'true'); why.textContent = 'No such mailbox'; return false">
      <input id="mail" aria-label="Mail" aria-describedby="why"><p id="why"></p><button>Send</button></form>
    <form onsubmit="return false"><button>Search</button></form><input type="checkbox" aria-label="News">`;

  test('by the page says what the page says, as often as it is sent', async () => {
    const { session, ref } = await openPage(own);
    const expected = [{ ref: ref('textbox', 'Mail'), name: 'Mail', message: 'No such mailbox' }];
    const send = ref('button', 'Send');
    expect(expectSuccess(await session.click({ ref: send })).validation).toEqual(expected);
    expect(expectSuccess(await session.click({ ref: send })).validation).toEqual(expected);
    // What was refused before is no effect of anything else.
    expect(expectSuccess(await session.click({ ref: ref('button', 'Search') })).validation).toBeUndefined();
    expect(expectSuccess(await session.click({ ref: ref('checkbox', 'News') })).validation).toBeUndefined();
  });

  test('is no news while it is filled in', async () => {
    const { session, ref } = await openPage(
      `<form oninput="this.querySelector('button').disabled = !this.checkValidity()"><input aria-label="A" required><input aria-label="B" required><button disabled>Send</button></form>`,
    );
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'A'), text: 'x' }));
    expect(result.validation).toBeUndefined();
  });
});

describe('trouble that an action causes', () => {
  test('is told with what was asked for and what came', async () => {
    const { session, site, ref } = await openPage({
      '/': `<button onclick="fetch('/api/pay', { method: 'POST' }); fetch('http://127.0.0.1:1/closed').catch(() => {}); console.error('It broke'); new Image().src = '/missing.png'">Go</button>`,
      '/api/pay': (_, response) => {
        response.writeHead(500);
        response.end();
      },
    });
    const result = expectSuccess(await session.click({ ref: ref('button', 'Go') }));
    expect(result.failedRequests).toEqual(
      expect.arrayContaining([
        { method: 'POST', url: site.url('/api/pay'), status: 500 },
        { method: 'GET', url: 'http://127.0.0.1:1/closed', reason: expect.stringMatching(/^ERR_/) },
      ]),
    );
    expect(result.consoleErrors?.filter(line => line.includes('500'))).toEqual([]);
    expect(result.consoleErrors).toContain('It broke');
  });

  test('leaves out what the page asks for by itself', async () => {
    let asked = 0;
    let begin = (): void => undefined;
    const { session, ref } = await openPage({
      '/': `<button onclick="say('done')">Go</button>${OUTPUT}<script>fetch('/begin').then(() => fetch('/poll'))</script>`,
      '/begin': (_, response) => {
        begin = () => response.end();
      },
      '/poll': (_, response) => {
        asked++;
        response.writeHead(503);
        response.end();
      },
    });
    await expect
      .poll(() => {
        begin();
        return asked;
      })
      .toBe(1);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Go') })).failedRequests).toBeUndefined();
  });

  test('is told without the secrets in its urls', async () => {
    const { session, site, ref } = await openPage(
      `<button onclick="fetch('/none?access_token=abc123&page=2')">Go</button>`,
    );
    const result = expectSuccess(await session.click({ ref: ref('button', 'Go') }));
    expect(result.failedRequests).toMatchObject([{ url: site.url('/none?access_token=•••&page=2'), status: 404 }]);
  });

  test('and a page that cannot be had is told as such', async () => {
    const { session, ref } = await openPage('<a href="http://127.0.0.1:1/">Closed</a>');
    const result = await session.click({ ref: ref('link', 'Closed') });
    expect(result.failedRequests).toMatchObject([{ method: 'GET', reason: expect.stringMatching(/^ERR_/) }]);
  });
});

test('a click at a point on a drop-down list names its options', async () => {
  const { session } = await openPage(
    '<select aria-label="Size" style="position:absolute; left:0; top:0; width:200px; height:40px"><option>Small<option>Large</select>',
  );
  const { message } = expectFailure(await session.click({ x: 50, y: 20 }), 'is_select');
  expect(message).toContain('"Small" selected, "Large"');
});

test.each([
  ['opens a dialog', `alert('Hi')`],
  ['opens a window', `window.open('about:blank')`],
  ['takes the page elsewhere', `location.href = '/?there'`],
  ['fails in the page', `throw new Error('no')`],
])('a click that %s tells the element, whether the page changed, and how long it took', async (_, script) => {
  const { session, ref } = await openPage(`<button onclick="${script}">Go</button>`);
  const result = expectSuccess(await session.click({ ref: ref('button', 'Go') }));
  expect(result).toMatchObject({
    element: { ref: ref('button', 'Go'), role: 'button', name: 'Go', tag: 'button' },
    pageChanged: expect.any(Boolean),
    executionTime: expect.any(Number),
  });
  if (result.dialog !== undefined) expectSuccess(await session.dialog({ action: 'accept' }));
});

test('all that an action can do is told in less than 200 tokens', () => {
  const long = (text: string): string => `${text} `.repeat(100);
  const url = `https://shop.example/${'segment/'.repeat(50)}?token=${'a1'.repeat(100)}`;
  const times = <T>(value: T): T[] => Array.from({ length: 5 }, () => value);
  const lines = effectLines({
    url,
    title: long('A very long title'),
    navigated: true,
    status: 500,
    newTabs: times({ tab: 't2', url }),
    newTab: { tab: 't2', url },
    closedTabs: 3,
    dialogs: times({ type: 'confirm', message: long('Really?') }),
    dialog: { type: 'confirm', message: long('Really?') },
    download: { fileName: 'a', path: `/tmp/${'folder/'.repeat(30)}a.csv`, state: 'completed', fileSize: 1 },
    pdf: { path: `/tmp/${'folder/'.repeat(30)}a.pdf` },
    validation: times({ ref: '@e1', name: long('Name'), message: long('Fill this in') }),
    failedRequests: times({ method: 'POST', url, status: 500 }),
    consoleErrors: times(long('TypeError: undefined is not a function')),
    recovered: { was: long('was'), now: long('now') },
  });
  expect(encode(lines.join('\n')).length).toBeLessThan(200);
  expect(lines.at(-1)).toMatch(/and \d+ more/);
});

const HAPPENED: Record<keyof typeof EFFECTS, [told: Effects, line: RegExp, word: string]> = {
  humanActions: [{ humanActions: { tabsClosed: ['t2'] } }, /closed tab t2/, 'human actions'],
  recovered: [{ recovered: { was: 'gone', now: 'back' } }, /^Recovered: gone → back$/, 'recovered'],
  navigated: [{ navigated: true }, /^Now at /, 'navigated'],
  loading: [
    { loading: true, awaited: 'https://slow.example/' },
    /no response yet from https:..slow/,
    'no response yet',
  ],
  status: [{ status: 503 }, /status 503/, 'status 503'],
  pageTools: [{ pageTools: ['add'] }, /^The page offers tools .*: "add"/, 'page tools 1'],
  newTabs: [{ newTab: { tab: 't2', url: 'https://new.example/' } }, /t2 https:..new/, 'new tab t2'],
  closedTabs: [{ closedTabs: 2, tabLimit: 20 }, /^2 tabs closed: at most 20/, 'closed tabs 2 (tab limit)'],
  dialogs: [{ dialog: { type: 'alert', message: 'Hello' } }, /An alert dialog "Hello" is open/, 'alert dialog open'],
  dismissedDialogs: [{ dismissedDialogs: { count: 2, type: 'alert' } }, /^2 more alerts/, 'dismissed dialogs 2'],
  fileChooser: [{ fileChooser: { multiple: false } }, /asked for a file/, 'file chooser'],
  downloads: [{ download: { fileName: 'a.csv', state: 'failed' } }, /^Download failed: a.csv/, 'download failed'],
  pdf: [{ pdf: { path: '/tmp/a.pdf' } }, /^The page printed/, 'printed'],
  validation: [{ validation: [{ name: 'Email', message: 'Missing' }] }, /^Invalid field .*Missing/, 'invalid fields 1'],
  failedRequests: [
    { failedRequests: [{ method: 'GET', url: '/a', status: 500 }] },
    /^Failed: GET \/a 500/,
    'failed requests 1',
  ],
  consoleErrors: [{ consoleErrors: ['Broken'] }, /^Console error: Broken/, 'console errors 1'],
};

test.each(Object.entries(HAPPENED))('%s is told to a model and to a log, and alone', (_, [told, line, word]) => {
  expect(effectLines(told).join('\n')).toMatch(line);
  expect(effectWords(told)).toEqual([word]);
  expect(effectLines({})).toEqual([]);
  expect(effectWords({})).toEqual([]);
});

test('no two effects have a field in common', () => {
  const names = Object.values(EFFECTS).flatMap(({ fields }) => Object.keys(fields));
  expect(names).toEqual([...new Set(names)]);
});
