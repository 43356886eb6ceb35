import { expect, test } from 'vitest';
import type { BrowserSession, BrowserToolsetConfig, CommonResult } from '../../src/index.js';
import { effectLines } from '../../src/results/effects.js';
import { expectFailure, expectSuccess, refOf, type Site, servePages, testToolset } from '../fixtures.js';

const site: Promise<Site> = servePages({
  '/alert-loop': `<!doctype html><title>Loop</title><button onclick="for (let n = 1; ; n++) alert('Again ' + n)">Loop</button>`,
  '/many-alerts': `<!doctype html><title>Many</title><p id="out" role="status"></p><button onclick="const say = text => { out.textContent += text + ' ' };
    for (let n = 0; n < 30; n++) { alert(n); say(n) }">Many</button><button onclick="say2(confirm('Sure?') + ' ' + prompt('Name?'))">Ask</button>
    <script>function say2(text) { out.textContent = text }</script><a href="/many-alerts">Again</a>`,
  '/one-by-one': `<!doctype html><title>One by one</title><p id="out" role="status"></p><button onclick="for (let n = 0; n < 30; n++)
    setTimeout(() => window.open('/elsewhere'), n * 40)">Open</button><button onclick="out.textContent += 'landed '">Land</button>`,
  '/thirty': `<!doctype html><title>Thirty</title><p id="out" role="status"></p><button onclick="for (let n = 0; n < 30; n++) window.open('/elsewhere')">Open</button>
    <button onclick="out.textContent += 'landed '">Land</button>`,
  '/keeps-presses': `<!doctype html><title>Keeps</title><script>for (const type of ['pointerdown', 'mousedown'])
    addEventListener(type, event => { event.stopImmediatePropagation(); if (type === 'mousedown') open('/elsewhere') }, true)</script>
    <button>Open</button>`,
  '/few-alerts': `<!doctype html><title>Few</title><p id="out"></p><button onclick="alert(1); alert(2);
    document.getElementById('out').textContent = String(confirm('Sure?')); document.title = 'Done'">Ask</button>`,
  '/alert-at-load': `<!doctype html><title>At load</title><script>alert('Hello')</script><h1>After</h1>`,
  '/stay': `<!doctype html><title>Stay</title><input aria-label="Draft"><a href="/elsewhere">Elsewhere</a><script>
    onbeforeunload = event => { event.preventDefault(); return 'stay'; };</script>`,
  '/storm': `<!doctype html><title>Storm</title><button onclick="for (let n = 0; n < 1000; n++) window.open('about:blank')">Open</button>`,
  '/popups': `<!doctype html><title>Popups</title><button onclick="for (let n = 0; n < 5; n++) window.open('/few-alerts')">Open</button>`,
  '/ten-a-second': `<!doctype html><title>Ten</title><h1>Ten</h1><button>Stay</button><script>
    setInterval(() => alert('Tick'), 100)</script>`,
  '/counted': `<!doctype html><title>Counted</title><h1>Counted</h1><script>
    let n = 0; const tell = () => { alert('Tick ' + ++n); setTimeout(tell, 50) }; setTimeout(tell, 300)</script>`,
  '/after-a-click': `<!doctype html><title>Click</title><button onclick="setInterval(() => alert('Tick'), 100)">Start</button>`,
  '/saved': `<!doctype html><title>Saved</title><button onclick="alert('Saved')">Save</button>`,
  '/elsewhere': '<title>Elsewhere</title>',
});

async function opened(path: string, config?: BrowserToolsetConfig): Promise<{ session: BrowserSession; ref: string }> {
  const session = testToolset(config).session('a');
  expectSuccess(await session.navigate({ url: (await site).url(path) }));
  const page = expectSuccess(await session.snapshot());
  return { session, ref: Object.keys(page.refs ?? {})[0] ?? '' };
}

test('a page that opens one alert after another can be answered, closed and left', async () => {
  const { session, ref } = await opened('/alert-loop');
  const clicked = expectSuccess(await session.click({ ref }));
  expect(clicked.dialog).toEqual({ type: 'alert', message: 'Again 1' });
  expectFailure(await session.snapshot(), 'dialog_open');
  const answered = expectSuccess(await session.dialog({ action: 'accept' }));
  expect(answered.dialog).toEqual({ type: 'alert', message: 'Again 2' });
  expectSuccess(await session.tabs({ action: 'new', url: (await site).url('/elsewhere') }));
  const left = expectSuccess(await session.tabs({ action: 'close', tab: 't1' }));
  expect(left.tabs).toHaveLength(1);
  expect(expectSuccess(await session.snapshot()).title).toBe('Elsewhere');
});

test('a page that opens alerts for ever is answered for ever only as long as the action lasts', async () => {
  const { session, ref } = await opened('/alert-loop', { timeout: 2_000 });
  const result = await session.click({ ref, onDialog: { accept: true } });
  expect(result.dialog?.type).toBe('alert');
  expectSuccess(await session.tabs({ action: 'new', url: (await site).url('/elsewhere') }));
  expectSuccess(await session.tabs({ action: 'close', tab: 't1' }));
  expectSuccess(await session.snapshot());
});

test('a document that has opened three dialogs is not answered for ever: the rest are dismissed, and told once', async () => {
  const { session, ref } = await opened('/many-alerts');
  expect(expectSuccess(await session.click({ ref })).dialog?.message).toBe('0');
  for (const message of ['1', '2']) {
    const next = expectSuccess(await session.dialog({ action: 'accept' }));
    expect([next.dialog?.message, next.dismissedDialogs]).toEqual([message, undefined]);
  }
  const last = expectSuccess(await session.dialog({ action: 'accept' }));
  expect(last).toMatchObject({ dismissedDialogs: { count: 27, type: 'alert' } });
  expect(last.dialog).toBeUndefined();
  expect(last.changes).toContain('29');
  expect(effectLines(last)).toContain('27 more alerts were dismissed');

  const page = expectSuccess(await session.snapshot());
  const asked = expectSuccess(await session.click({ ref: refOf(page, 'button', 'Ask') }));
  expect(asked.dismissedDialogs).toEqual({ count: 2 });
  expect(asked.changes).toContain('false null');
  // Who says how to answer is heard, and another document may ask again.
  const said = expectSuccess(
    await session.click({ ref: refOf(page, 'button', 'Ask'), onDialog: { accept: true, text: 'Ann' } }),
  );
  expect(said.changes).toContain('true Ann');
  expectSuccess(await session.click({ ref: refOf(page, 'link', 'Again') }));
  const anew = expectSuccess(await session.snapshot());
  expect(expectSuccess(await session.click({ ref: refOf(anew, 'button', 'Ask') })).dialog?.message).toBe('Sure?');
});

test('thirty windows at once are told as what they are, and the click after them lands', async () => {
  const { session, ref } = await opened('/thirty');
  const other = refOf(expectSuccess(await session.snapshot()), 'button', 'Land');
  const result = expectSuccess(await session.click({ ref }));
  expect(result.newTabs?.length).toBeGreaterThan(1);
  // On a busy machine the last windows open after the answer, and the next results tell of them.
  let closed = 0;
  const tellsClosed = (told: CommonResult): void => {
    const { closedTabs = 0 } = told;
    closed += closedTabs;
    if (closedTabs === 0) return;
    expect(told.tabLimit).toBe(20);
    expect(effectLines(told).join()).toMatch(/\b\d+ tabs? closed: at most 20 can be open/);
  };
  tellsClosed(result);
  for (let time = 1; time <= 3; time++) {
    const landed = expectSuccess(await session.click({ ref: other }));
    tellsClosed(landed);
    expect([landed.title, landed.changes]).toEqual(['Thirty', expect.stringContaining('landed '.repeat(time).trim())]);
  }
  const openTabs = async (): Promise<number | undefined> => {
    const listed = expectSuccess(await session.tabs({ action: 'list' }));
    tellsClosed(listed);
    return closed === 11 ? listed.tabs?.length : undefined;
  };
  await expect.poll(openTabs).toBe(20);
});

test('clicks land while windows open one after another in front of the page', async () => {
  const { session, ref } = await opened('/one-by-one');
  const other = refOf(expectSuccess(await session.snapshot()), 'button', 'Land');
  expectSuccess(await session.click({ ref }));
  for (let time = 1; time <= 4; time++) {
    const { changes } = expectSuccess(await session.click({ ref: other }));
    expect(changes).toContain(`"${'landed '.repeat(time).trim()}"`);
  }
});

test('a click that opens a window is not repeated where the page lets no other listener hear of it', async () => {
  const { session, ref } = await opened('/keeps-presses');
  const { newTab, newTabs } = expectSuccess(await session.click({ ref }));
  expect([newTab?.tab, newTabs]).toEqual(['t2', undefined]);
  expect(expectSuccess(await session.tabs({ action: 'list' })).tabs).toHaveLength(2);
});

test('several dialogs of one click are answered one by one, and the click goes on', async () => {
  const { session, ref } = await opened('/few-alerts');
  expect(expectSuccess(await session.click({ ref })).dialog?.message).toBe('1');
  expect(expectSuccess(await session.dialog({ action: 'accept' })).dialog?.message).toBe('2');
  expect(expectSuccess(await session.dialog({ action: 'accept' })).dialog?.type).toBe('confirm');
  const last = expectSuccess(await session.dialog({ action: 'dismiss' }));
  expect([last.dialog, last.title]).toEqual([undefined, 'Done']);
  expectFailure(await session.dialog({ action: 'accept' }), 'no_dialog');
});

test('a dialog while a page loads is told by the navigation, and answering it lets the page load', async () => {
  const session = testToolset().session('a');
  const result = expectSuccess(await session.navigate({ url: (await site).url('/alert-at-load') }));
  expect(result.dialog).toEqual({ type: 'alert', message: 'Hello' });
  expectSuccess(await session.dialog({ action: 'accept' }));
  expect(expectSuccess(await session.find({ text: 'After' })).matches).toHaveLength(1);
});

test('a page that asks before it is left is left or kept as the agent says, where the page itself goes elsewhere', async () => {
  const { session, ref } = await opened('/stay');
  expectSuccess(await session.type({ ref, text: 'words' }));
  const link = refOf(expectSuccess(await session.snapshot()), 'link', 'Elsewhere');
  expect((await session.click({ ref: link })).dialog?.type).toBe('beforeunload');
  expectSuccess(await session.dialog({ action: 'dismiss' }));
  expect(expectSuccess(await session.snapshot()).title).toBe('Stay');

  expect((await session.click({ ref: link })).dialog?.type).toBe('beforeunload');
  expectSuccess(await session.dialog({ action: 'accept' }));
  expect(expectSuccess(await session.snapshot()).title).toBe('Elsewhere');
});

test('a page that asks before it is left is closed without a question', async () => {
  const { session, ref } = await opened('/stay');
  expectSuccess(await session.type({ ref, text: 'words' }));
  expectSuccess(await session.tabs({ action: 'new' }));
  expect(expectSuccess(await session.tabs({ action: 'close', tab: 't1' })).tabs).toHaveLength(1);
});

test('windows that a page opens are tabs that the result tells of', async () => {
  const { session, ref } = await opened('/popups');
  const result = expectSuccess(await session.click({ ref }));
  expect(result.newTab?.url).toBe((await site).url('/few-alerts'));
  await expect.poll(async () => (await session.tabs({ action: 'list' })).tabs?.length).toBe(6);
  expect(expectSuccess(await session.snapshot()).title).toBe('Popups');
});

test('a page that opens a thousand windows gets no more tabs than a session may have', async () => {
  const { session, ref } = await opened('/storm', { sessions: { maxTabs: 5 } });
  const result = await session.click({ ref });
  if (!result.success) expectFailure(result, 'timeout');
  const listed = expectSuccess(await session.tabs({ action: 'list' }));
  expect(listed.tabs?.length).toBeLessThanOrEqual(5);
  expectSuccess(await session.navigate({ url: (await site).url('/elsewhere') }));
  expect(expectSuccess(await session.snapshot()).title).toBe('Elsewhere');
});

/**
 * Answers what opens while the call that the first alert held up still has to end: on a busy machine that is taken for
 * an effect of the call.
 */
async function stormEnds(session: BrowserSession): Promise<void> {
  const isOver = async (): Promise<boolean> => {
    const { success } = await session.snapshot();
    if (!success) expectSuccess(await session.dialog({ action: 'accept' }));
    return success;
  };
  await expect.poll(isOver).toBe(true);
}

test.each(['/ten-a-second', '/counted'])(
  'alerts that a page opens without end are ended by an answer: %s',
  async path => {
    const session = testToolset().session('a');
    const opened = expectSuccess(await session.navigate({ url: (await site).url(path) }));
    // A page may come before its first alert.
    if (opened.dialog === undefined) expectSuccess(await session.wait({ for: { seconds: 1 } }));
    expectSuccess(await session.dialog({ action: 'accept' }));
    await stormEnds(session);
    for (let calls = 0; calls < 4; calls++) expectSuccess(await session.snapshot());
    expect(expectSuccess(await session.find({ role: 'heading' })).matches).toHaveLength(1);
    expect(expectSuccess(await session.navigate({ url: (await site).url('/elsewhere') })).title).toBe('Elsewhere');
  },
);

test('alerts that a press starts are ended by an answer that comes after it, and told', async () => {
  const { session, ref } = await opened('/after-a-click');
  const clicked = expectSuccess(await session.click({ ref }));
  if (clicked.dialog === undefined) expectSuccess(await session.wait({ for: { seconds: 1 } }));
  expectSuccess(await session.dialog({ action: 'accept' }));
  await stormEnds(session);
  await expect.poll(async () => JSON.stringify(await session.snapshot())).toContain('dismissedDialogs');
  expectSuccess(await session.snapshot());
});

test('the alert of a press is no storm, though one was answered just before', async () => {
  const { session, ref } = await opened('/saved');
  for (let presses = 0; presses < 2; presses++) {
    expect(expectSuccess(await session.click({ ref })).dialog).toEqual({ type: 'alert', message: 'Saved' });
    expectSuccess(await session.dialog({ action: 'accept' }));
  }
});
