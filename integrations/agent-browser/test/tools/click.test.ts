import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

describe('a click', () => {
  test('tells the element it landed on, what it changed and how long it took', async () => {
    const { session, ref } = await openPage(`<button id="b" onclick="say('done')">Do it</button>${OUTPUT}`);
    const result = expectSuccess(await session.click({ ref: ref('button', 'Do it') }));
    expect(result.element).toEqual({
      ref: ref('button', 'Do it'),
      role: 'button',
      name: 'Do it',
      tag: 'button',
      id: 'b',
    });
    expect(result.pageChanged).toBe(true);
    expect(result.changes).toContain('done');
    expect(result.executionTime).toBeGreaterThan(0);
  });

  test('that changes nothing says so', async () => {
    const { session, ref } = await openPage('<button>Idle</button>');
    const result = expectSuccess(await session.click({ ref: ref('button', 'Idle') }));
    expect(result).toMatchObject({ pageChanged: false, changes: '(no change seen)' });
  });

  test('names the element as it was when it was clicked', async () => {
    const { session, ref } = await openPage(`<button onclick="this.textContent='Pause'">Play</button>`);
    const result = expectSuccess(await session.click({ ref: ref('button', 'Play') }));
    expect(result.element?.name).toBe('Play');
    expect(result.changes).toContain('Pause');
  });

  test.each([
    ['right', 'oncontextmenu="say(event.button); return false"', '2'],
    ['middle', 'onauxclick="say(event.button)"', '1'],
  ] as const)('with the %s button presses that button', async (button, listener, expected) => {
    const { session, ref, text } = await openPage(`<button ${listener}>Target</button>${OUTPUT}`);
    expectSuccess(await session.click({ ref: ref('button', 'Target'), button }));
    expect(await text()).toContain(`"${expected}"`);
  });

  test('can be double', async () => {
    const { session, ref, text } = await openPage(`<button ondblclick="say('twice')">Target</button>${OUTPUT}`);
    expectSuccess(await session.click({ ref: ref('button', 'Target'), clickCount: 2 }));
    expect(await text()).toContain('twice');
  });

  test('can be triple, which selects a paragraph', async () => {
    const page = `<p role="button" aria-label="Words" onclick="out.textContent = String(getSelection())">One two three</p>`;
    const { session, ref, text } = await openPage(`${page}${OUTPUT}`);
    expectSuccess(await session.click({ ref: ref('button', 'Words'), clickCount: 3 }));
    expect(await text()).toContain('One two three');
  });

  test('holds modifier keys down and lets them go', async () => {
    const page = `<button onclick="say([event.shiftKey, event.altKey, event.ctrlKey].map(Number).join(''))">Target</button>`;
    const { session, ref, text } = await openPage(`${page}${OUTPUT}`);
    expectSuccess(await session.click({ ref: ref('button', 'Target'), modifiers: ['Shift', 'Alt'] }));
    expectSuccess(await session.click({ ref: ref('button', 'Target') }));
    expect(await text()).toContain('110000');
  });

  test('on a button that removes itself is a success', async () => {
    const { session, ref } = await openPage('<button onclick="this.remove()">Dismiss</button>');
    const result = expectSuccess(await session.click({ ref: ref('button', 'Dismiss') }));
    expect(result).toMatchObject({ pageChanged: true, element: { name: 'Dismiss' } });
  });

  test('waits for what it fetched, and tells it', async () => {
    const { session, ref } = await openPage({
      '/': `<button onclick="fetch('/data').then(answer => answer.text()).then(say)">Load</button>${OUTPUT}`,
      '/data': (_, response) => void setTimeout(() => response.end('from the server'), 300),
    });
    const result = expectSuccess(await session.click({ ref: ref('button', 'Load') }));
    expect(result.changes).toContain('from the server');
  });

  test('waits as long as it is told to', async () => {
    const { session, ref } = await openPage(
      `<button onclick="setTimeout(() => say('late'), 700)">Later</button>${OUTPUT}`,
    );
    const result = expectSuccess(await session.click({ ref: ref('button', 'Later'), waitAfter: 1.2 }));
    expect(result.changes).toContain('late');
    expect(result.executionTime).toBeGreaterThanOrEqual(1.2);
  });

  test('with waitAfter 0 waits for nothing', async () => {
    const { session, ref } = await waiting.openPage({
      '/': `<button onclick="fetch('/data')">Load</button>`,
      '/data': () => undefined,
    });
    const result = expectSuccess(await session.click({ ref: ref('button', 'Load'), waitAfter: 0 }));
    expect(result.executionTime).toBeLessThan(LONG / 2_000);
  });
});

describe('a click that goes elsewhere', () => {
  test('tells the new page', async () => {
    const { session, site, ref } = await openPage({ '/': '<a href="/next">Next</a>', '/next': '<h1>Second page</h1>' });
    const result = expectSuccess(await session.click({ ref: ref('link', 'Next') }));
    expect(result).toMatchObject({ navigated: true, url: site.url('/next'), pageChanged: true });
    expect(result.changes).toContain('Second page');
  });

  test('is made once, however slow the server is', async () => {
    let asked = 0;
    const { session, ref } = await openPage({
      '/': '<a href="/slow">Slow</a>',
      '/slow': (_, response) => {
        asked++;
        setTimeout(() => response.end('<title>Slow</title><h1>At last</h1>'), 2_500);
      },
    });
    const result = expectSuccess(await session.click({ ref: ref('link', 'Slow') }));
    expect(result.navigated).toBe(true);
    expect(asked).toBe(1);
  });

  test('to a server that never answers says so, and the page stays usable', async () => {
    const { openPage: openHasty } = hasty;
    let asked = 0;
    const { session, ref } = await openHasty({
      '/': `<a href="/never">Never</a><button onclick="say('still here')">Other</button>${OUTPUT}`,
      '/never': () => {
        asked++;
      },
    });
    const result = expectFailure(await session.click({ ref: ref('link', 'Never') }), 'timeout');
    expect(result.message).toMatch(/The action was performed, but http.*\/never did not respond within 2500 ms/);
    expect(asked).toBe(1);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Other') })).changes).toContain('still here');
  });

  test('to a page that goes on loading for ever does not slow later clicks down', async () => {
    const { session, ref, read } = await impatient.openPage({
      '/': '<a href="/endless">Endless</a>',
      '/endless': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.write(`<!doctype html><title>Endless</title><button onclick="this.textContent='ok'">Try</button>`);
      },
    });
    expectSuccess(await session.click({ ref: ref('link', 'Endless') }));
    await read();
    const result = expectSuccess(await session.click({ ref: ref('button', 'Try') }));
    expect(result.changes).toContain('ok');
    expect(result.executionTime).toBeLessThan(SHOWN / 1_000);
  });

  test('within the page tells it too', async () => {
    const page = `<a href="#there" onclick="history.pushState({}, '', '/route'); out.textContent='Route'; return false">Go</a>`;
    const { session, site, ref } = await openPage(`${page}${OUTPUT}`);
    const result = expectSuccess(await session.click({ ref: ref('link', 'Go') }));
    expect(result).toMatchObject({ navigated: true, url: site.url('/route') });
  });
});

const hasty = pageOpener({ navigationTimeout: 2_500 });
/** Milliseconds until a page that is still loading is shown as it is. */
const SHOWN = 5_000;
const impatient = pageOpener({}, { timings: { shown: SHOWN } });
const LONG = 60_000;
const waiting = pageOpener({}, { timings: { content: LONG, firstChange: LONG } });

describe('a click that opens or closes tabs', () => {
  const routes = {
    '/': `<a href="/two" target="_blank">Blank</a> <a href="/two" target="_blank" rel="noopener noreferrer">Noopener</a>
      <a href="/two">Plain</a> <button onclick="window.open('/two')">Script</button>
      <form action="/two" target="_blank"><button>Form</button></form>`,
    '/two': '<title>Two</title><button onclick="window.close()">Close me</button>',
  };

  test.each([
    ['a link to a new tab', 'link', 'Blank', undefined],
    ['a link without opener', 'link', 'Noopener', undefined],
    ['window.open', 'button', 'Script', undefined],
    ['a form to a new tab', 'button', 'Form', undefined],
    ['a link clicked with Control', 'link', 'Plain', ['Control'] as ['Control']],
  ] as const)('tells the tab that %s opened', async (_, role, name, modifiers) => {
    const { session, site, ref } = await openPage(routes);
    const result = expectSuccess(await session.click({ ref: ref(role, name), modifiers: modifiers && [...modifiers] }));
    expect(result.newTab?.tab).toBe('t2');
    expect(result.newTab?.url).toContain('/two');
    expect(result.url).toBe(site.url('/'));
  });

  test('goes on quickly in the tab it was in', async () => {
    const { session, ref } = await openPage(routes);
    expectSuccess(await session.click({ ref: ref('link', 'Plain'), modifiers: ['Control'] }));
    const times: (number | undefined)[] = [];
    for (let i = 0; i < 3; i++)
      times.push(expectSuccess(await session.click({ ref: ref('link', 'Blank'), button: 'right' })).executionTime);
    // A page behind another takes each press for lost only after 1.5 s.
    expect(Math.min(...times.map(Number))).toBeLessThan(1.5);
  });

  test('is a success when it closes its own tab', async () => {
    const { session, site, ref, read } = await openPage(routes);
    expectSuccess(await session.click({ ref: ref('button', 'Script') }));
    expectSuccess(await session.tabs({ action: 'switch', tab: 't2' }));
    await read();
    const result = expectSuccess(await session.click({ ref: ref('button', 'Close me') }));
    expect(result).toMatchObject({ closedTabs: 1, url: site.url('/') });
  });
});
