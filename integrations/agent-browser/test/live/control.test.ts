import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { BrowserToolset, BrowserToolsetConfig } from '../../src/index.js';
import { expectFailure, expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';
import { personAt } from './person.js';

/** Things of a known place: each a row of 50 px from the top. */
const row = (index: number) => `style="position:absolute;left:0;top:${index * 50}px;width:200px;height:40px"`;
const at = (index: number) => [100, index * 50 + 20] as const;

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
const site = await servePages({
  '/': `${head}<title>Sign in</title>
    <form action="/in">
      <input aria-label="Email" ${row(0)}>
      <input aria-label="Password" type="password" ${row(1)}>
      <button ${row(2)}>Sign in</button>
      <a href="/two" target="_blank" ${row(3)}>Terms</a>
      <input type="checkbox" aria-label="Stay" style="position:absolute;left:90px;top:200px;width:40px;height:40px">
      <div onclick="document.title = 'Pressed'" ${row(5)}>Press me</div>
      <input aria-label="Count" oninput="document.querySelector('[aria-label=Email]').value = 'script@page'" ${row(6)}>
    </form>`,
  '/in': `${head}<title>Inside</title><h1>Welcome</h1>`,
  '/two': `${head}<title>Two</title>`,
  '/wait': `${head}<title>Slow</title><button onclick="fetch('/slow').then(() => { this.textContent = 'Done' })">Go</button>`,
  '/slow': (_, response) => void setTimeout(() => response.end('x'), 700),
  '/shadow': `${head}<title>Shadow</title><div id="host"></div><script>
    host.attachShadow({ mode: 'open' }).innerHTML = '<input aria-label="Deep" ${row(0)}>'</script>`,
  '/frame': `${head}<title>Frame</title><iframe src="/shadow" style="position:absolute;left:0;top:100px;border:0"></iframe>`,
  '/foreign': `${head}<title>Frame</title><script>document.write('<iframe src="http://localhost:' + location.port +
    '/shadow" style="position:absolute;left:0;top:100px;border:0"></iframe>')</script>`,
  '/select': `${head}<title>Select</title><select aria-label="Size" ${row(0)}><option>S<option>M<option>L</select>`,
});

let toolset: BrowserToolset;
const THREAD = 'ann';
const session = () => toolset.session(THREAD);
const person = () => personAt(toolset, THREAD);

async function opened(path = '/', config: BrowserToolsetConfig = {}) {
  toolset = testToolset({ humanControl: { timeout: 300 }, ...config });
  expectSuccess(await session().navigate({ url: site.url(path) }));
  return expectSuccess(await session().snapshot());
}

describe('while a person has control', () => {
  it('an action waits as long as they have it', async () => {
    const read = await opened('/', { humanControl: {} });
    await toolset.takeControl(THREAD);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const click = session().click({ ref: refOf(read, 'button', 'Sign in') });
    await vi.advanceTimersByTimeAsync(600_000);
    vi.useRealTimers();
    await person().click(...at(4));
    await toolset.releaseControl(THREAD);
    const { url, humanActions } = expectSuccess(await click);
    expect(url).toContain('/in');
    expect(humanActions).toBeDefined();
  });

  it('an action waits no longer than the options say, then says who drives', async () => {
    const read = await opened();
    await toolset.takeControl(THREAD);
    const result = expectFailure(await session().click({ ref: refOf(read, 'button', 'Sign in') }), 'human_in_control');
    expect(result.message).toBe('A person has control of this browser and did not give it back within 0 s.');
    expect(result).toMatchObject({ canRetry: true, recoveryHint: expect.any(String), url: site.url() });
  });

  it('an action that waits goes on when control is given back, in the order of the calls', async () => {
    const read = await opened('/', { humanControl: { timeout: 20_000 } });
    await toolset.takeControl(THREAD);
    const email = refOf(read, 'textbox', 'Email');
    const typed = [session().type({ ref: email, text: 'a' }), session().type({ ref: email, text: 'b', clear: false })];
    await toolset.releaseControl(THREAD);
    for (const result of await Promise.all(typed)) expectSuccess(result);
    expect((await typed[1])?.value).toBe('ab');
  });

  it('whoever listens is told when somebody drives, and when nobody does any more', async () => {
    await opened();
    const told: boolean[] = [];
    const stop = toolset.onControlChanged(() => told.push(toolset.isControlled(THREAD)), THREAD);
    await toolset.takeControl('other');
    await toolset.takeControl(THREAD);
    await toolset.takeControl(THREAD);
    await toolset.releaseControl(THREAD);
    await toolset.releaseControl(THREAD);
    expect(told).toEqual([true, false]);
    stop();
    await toolset.takeControl(THREAD);
    expect(told).toHaveLength(2);
    expect(toolset.isControlled('other')).toBe(true);
    expect(toolset.isControlled('nobody')).toBe(false);
  });

  it('an action is refused at once, when the options say so', async () => {
    await opened('/', { humanControl: { onAction: 'refuse', timeout: 60_000 } });
    await toolset.takeControl(THREAD);
    expectFailure(await session().navigate({ url: site.url('/two') }), 'human_in_control');
    await toolset.releaseControl(THREAD);
    expectSuccess(await session().navigate({ url: site.url('/two') }));
  });

  it('an aborted call ends at once', async () => {
    const read = await opened('/', { humanControl: { timeout: 60_000 } });
    await toolset.takeControl(THREAD);
    const ending = new AbortController();
    const call = session().click({ ref: refOf(read, 'button', 'Sign in') }, { signal: ending.signal });
    ending.abort();
    expectFailure(await call, 'aborted');
  });

  it('a call ends when the session is closed', async () => {
    await opened('/', { humanControl: { timeout: 60_000 } });
    await toolset.takeControl(THREAD);
    const call = session().navigate({ url: site.url('/two') });
    await toolset.closeThreadSession(THREAD);
    expectFailure(await call, 'browser_closed');
  });

  it('the agent may still look and wait', async () => {
    await opened();
    await toolset.takeControl(THREAD);
    expectSuccess(await session().snapshot());
    expectSuccess(await session().screenshot());
    const waiting = session().wait({ for: { url: '/in' } });
    await person().click(...at(2));
    expectSuccess(await waiting);
    expect((await toolset.getBrowserState(THREAD))?.activeUrlChangeSource).toBe('user');
    expectFailure(await session().find({ text: 'Welcome' }), 'human_in_control');
  });

  it('an action that runs is finished first', async () => {
    const read = await opened('/wait');
    const started = new Promise<void>(resolve => toolset.onAction(() => resolve(), THREAD));
    const click = session().click({ ref: refOf(read, 'button', 'Go') });
    await started;
    let isDone = false;
    void click.then(() => {
      isDone = true;
    });
    await toolset.takeControl(THREAD);
    await new Promise(setImmediate);
    expect(isDone).toBe(true);
    expect(expectSuccess(await click).changes).toContain('button "Done"');
  });

  it('what another thread does is not held up', async () => {
    await opened();
    await toolset.takeControl(THREAD);
    expectSuccess(await toolset.session('ben').navigate({ url: site.url('/two') }));
  });

  it('closing the toolset gives control back', async () => {
    await opened();
    await toolset.takeControl(THREAD);
    await toolset.close();
    expectSuccess(await session().navigate({ url: site.url() }));
  });
});

describe('what the person did', () => {
  beforeEach(async () => {
    await opened();
  });

  const afterwards = async () => {
    await toolset.releaseControl(THREAD);
    return expectSuccess(await session().snapshot());
  };

  it('is told with the next result, once, and secrets by name alone', async () => {
    await toolset.takeControl(THREAD);
    await person().click(...at(0));
    await person().type('ann@x.org');
    await person().click(...at(1));
    await person().type('hunter2');
    await person().click(...at(2));
    await expect.poll(() => toolset.getCurrentUrl(THREAD)).toBe(site.url('/in?'));
    const { humanActions, ...rest } = await afterwards();
    expect(humanActions).toEqual({
      url: { before: site.url(), after: site.url('/in?') },
      fields: [
        { role: 'textbox', name: 'Email', value: 'ann@x.org' },
        { role: 'textbox', name: 'Password', secret: true },
      ],
      clicks: [{ role: 'button', name: 'Sign in' }],
    });
    expect(rest.navigated).toBeUndefined();
    expect(await session().snapshot()).not.toHaveProperty('humanActions');
  });

  it('is told when they act before taking control has ended, and hand back before their press has arrived', async () => {
    const [x, y] = at(5);
    await toolset.injectMouseEvent({ type: 'mouseMoved', x, y }, THREAD);
    await Promise.all([
      toolset.takeControl(THREAD),
      toolset.injectMouseEvent({ type: 'mousePressed', x, y, button: 'left' }, THREAD),
      toolset.injectMouseEvent({ type: 'mouseReleased', x, y, button: 'left' }, THREAD),
      toolset.releaseControl(THREAD),
    ]);
    expect(await session().snapshot()).toMatchObject({
      humanActions: { clicks: [{ role: 'clickable', name: 'Press me' }] },
    });
  });

  it('is told to a model in a few lines', async () => {
    await toolset.takeControl(THREAD);
    await person().click(...at(1));
    await person().type('hunter2');
    await person().click(...at(5));
    await toolset.releaseControl(THREAD);
    const tool = toolset.tools.browser_snapshot;
    const result = await tool.execute({}, { agent: { threadId: THREAD } as never });
    expect(await tool.toModelOutput?.(result)).toMatchObject({
      value: expect.stringContaining(
        'While a person had control, they:\n  clicked clickable "Press me"\n  changed textbox "Password" (a secret)',
      ),
    });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('is nothing when nothing was done, nor when it was undone', async () => {
    await toolset.takeControl(THREAD);
    await person().click(...at(0));
    await person().type('x');
    await person().key('Backspace');
    await person().click(400, 400);
    const { humanActions } = await afterwards();
    expect(humanActions).toEqual({ clicks: [{ role: 'textbox', name: 'Email' }] });
  });

  it('is not what the page did upon it, nor what the agent did before', async () => {
    const read = expectSuccess(await session().snapshot());
    expectSuccess(await session().type({ ref: refOf(read, 'textbox', 'Email'), text: 'agent' }));
    await toolset.takeControl(THREAD);
    await person().click(...at(6));
    await person().type('7');
    const { humanActions } = await afterwards();
    expect(humanActions).toEqual({ fields: [{ role: 'textbox', name: 'Count', value: '7' }] });
  });

  it('names tabs that came and went, and the one that is active', async () => {
    await toolset.takeControl(THREAD);
    await toolset.openTab(site.url('/two'), THREAD);
    await toolset.closeTab('t1', THREAD);
    const { humanActions } = await afterwards();
    expect(humanActions).toEqual({
      tabsOpened: [{ tab: 't2', url: site.url('/two') }],
      tabsClosed: ['t1'],
      activeTab: 't2',
    });
  });

  it('is seen in tabs that a click opens', async () => {
    await toolset.takeControl(THREAD);
    await person().click(...at(3));
    await expect.poll(() => toolset.liveTabs(THREAD).length).toBe(2);
    const { humanActions, newTab } = await afterwards();
    expect(newTab).toBeUndefined();
    expect(humanActions).toEqual({
      tabsOpened: [{ tab: 't2', url: site.url('/two') }],
      clicks: [{ role: 'link', name: 'Terms' }],
    });
  });

  it('tells check boxes by what they hold', async () => {
    await toolset.takeControl(THREAD);
    await person().click(110, 220);
    const { humanActions } = await afterwards();
    expect(humanActions).toEqual({ fields: [{ role: 'checkbox', name: 'Stay', value: 'checked' }] });
  });

  it.each([
    ['/shadow', 0],
    ['/frame', 100],
    ['/foreign', 100],
  ])('is seen in shadow trees and frames: %s', async (path, top) => {
    expectSuccess(await session().navigate({ url: site.url(path) }));
    await toolset.takeControl(THREAD);
    await person().click(100, top + 20);
    await toolset.insertText('pasted', THREAD);
    const { humanActions } = await afterwards();
    expect(humanActions).toEqual({ fields: [{ role: 'textbox', name: 'Deep', value: 'pasted' }] });
  });

  it('tells a drop-down list by what is chosen', async () => {
    expectSuccess(await session().navigate({ url: site.url('/select') }));
    await toolset.takeControl(THREAD);
    await person().key('Tab');
    await person().key('ArrowDown');
    const { humanActions } = await afterwards();
    expect(humanActions).toEqual({ fields: [{ role: 'combobox', name: 'Size', value: 'M' }] });
  });

  it('is told once each time, however often they come back to a page', async () => {
    for (const text of ['one', 'two']) {
      await toolset.takeControl(THREAD);
      await person().click(...at(0));
      await person().key('a', 2);
      await person().type(text);
      await person().click(...at(5));
      const { humanActions } = await afterwards();
      expect(humanActions).toEqual({
        fields: [{ role: 'textbox', name: 'Email', value: text }],
        clicks: [{ role: 'clickable', name: 'Press me' }],
      });
    }
  });

  it('is told with a failure as well', async () => {
    await toolset.takeControl(THREAD);
    await toolset.visit(site.url('/two'), THREAD);
    await toolset.releaseControl(THREAD);
    const { humanActions } = expectFailure(await session().click({ ref: '@e1' }), 'stale_ref');
    expect(humanActions).toEqual({ url: { before: site.url(), after: site.url('/two') } });
  });

  it('takes at most 200 tokens', async () => {
    await toolset.takeControl(THREAD);
    for (let tab = 0; tab < 7; tab++) await toolset.openTab(site.url(`/two?${'long'.repeat(50)}${tab}`), THREAD);
    await toolset.switchTab('t1', THREAD);
    for (const index of [0, 6]) {
      await person().click(...at(index));
      await toolset.insertText('words and words '.repeat(50), THREAD);
    }
    const { humanActions } = await afterwards();
    expect(humanActions?.more).toBeGreaterThan(0);
    expect(JSON.stringify(humanActions).length).toBeLessThan(1_200);
  });
});
