import type { BrowserLiveControls, BrowserToolsetLike } from '@browser-toolset/core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AnyMastraTool, BrowserToolset } from '../../src/index.js';
import { expectSuccess, servePages, testToolset } from '../fixtures.js';
import { personAt } from './person.js';

const head = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">';
const site = await servePages({
  '/': `${head}<title>One</title><a href="/two" style="position:absolute;left:0;top:0;width:200px;height:100px">Two</a>`,
  '/two': `${head}<title>Two</title>`,
  '/stay': `${head}<title>Stay</title><script>onbeforeunload = event => event.preventDefault()</script>`,
  '/alert': `${head}<title>Alert</title><script>onclick = () => alert('Hello')</script>`,
  '/later': `${head}<title>Loading</title><script>document.fonts.ready.then(() => { document.title = 'Loaded' })</script>`,
  '/moves': `${head}<title>Moves</title><script>setTimeout(() => location.href = '/two', 600)</script>`,
});

const THREAD = 'ann';

async function opened(path = '/', config = {}) {
  const toolset = testToolset(config);
  expectSuccess(await toolset.session(THREAD).navigate({ url: site.url(path) }));
  return toolset;
}

const tab = (id: string, path: string, title: string, active: boolean) => ({
  tab: id,
  url: site.url(path),
  title,
  active,
});
const changedBy = async (toolset: BrowserToolset) => (await toolset.getBrowserState(THREAD))?.activeUrlChangeSource;

it('the toolset offers all that a live view can ask for', () => {
  expectTypeOf<BrowserToolset>().toExtend<BrowserToolsetLike<AnyMastraTool> & BrowserLiveControls>();
});

describe('the tabs that a viewer sees', () => {
  it('are told anew when one opens, closes, is switched to, goes elsewhere or has another title', async () => {
    const toolset = await opened();
    let news = 0;
    const stop = toolset.onTabsChanged(() => news++, THREAD);
    const told = async (act: () => Promise<unknown>, tabs: object[]) => {
      const before = news;
      await act();
      await expect.poll(() => toolset.liveTabs(THREAD)).toEqual(tabs);
      expect(news).toBeGreaterThan(before);
    };
    const one = (active: boolean) => tab('t1', '/', 'One', active);
    await told(() => toolset.openTab(site.url('/later'), THREAD), [one(false), tab('t2', '/later', 'Loaded', true)]);
    await told(() => toolset.switchTab('t1', THREAD), [one(true), tab('t2', '/later', 'Loaded', false)]);
    await told(() => toolset.closeTab('t2', THREAD), [one(true)]);
    await told(() => toolset.visit(site.url('/two'), THREAD), [tab('t1', '/two', 'Two', true)]);
    stop();
    const before = news;
    await toolset.visit(site.url(), THREAD);
    expect(news).toBe(before);
  });

  it('are none while the thread has no browser', async () => {
    const toolset = await opened();
    expect(toolset.liveTabs('nobody')).toEqual([]);
    await toolset.closeThreadSession(THREAD);
    expect(toolset.liveTabs(THREAD)).toEqual([]);
  });

  it('of all sessions: the latest used first, and where one that is closed was last', async () => {
    const toolset = await opened();
    expect(toolset.liveSessions()).toEqual([{ threadId: THREAD, isOpen: true, url: site.url(), title: 'One' }]);
    expectSuccess(await toolset.session('ben').navigate({ url: site.url('/two') }));
    await toolset.closeThreadSession(THREAD);
    await expect
      .poll(() => toolset.liveSessions())
      .toEqual([
        { threadId: 'ben', isOpen: true, url: site.url('/two'), title: 'Two' },
        { threadId: THREAD, isOpen: false, url: site.url(), title: 'One' },
      ]);
  });
});

describe('the url bar', () => {
  it('completes an address, and goes back and forward', async () => {
    const toolset = await opened();
    await toolset.visit(site.url('/two').replace('http://', ''), THREAD);
    expect(await toolset.getCurrentUrl(THREAD)).toBe(site.url('/two'));
    await toolset.travel('back', THREAD);
    expect(await toolset.getCurrentUrl(THREAD)).toBe(site.url());
    await toolset.travel('forward', THREAD);
    await toolset.travel('reload', THREAD);
    expect(await toolset.getCurrentUrl(THREAD)).toBe(site.url('/two'));
    await expect(toolset.travel('forward', THREAD)).rejects.toThrow('There is no page to go forward to.');
  });

  it.each([
    ['file:///etc/hostname', 'url_blocked'],
    ['javascript:alert(1)', 'url_blocked'],
    ['two words', 'invalid_input'],
    ['http://127.0.0.1:1/', 'navigation_failed'],
  ])('says why %s cannot be had', async (url, code) => {
    const toolset = await opened();
    await expect(toolset.visit(url, THREAD)).rejects.toMatchObject({ code });
    await expect(toolset.openTab(url, THREAD)).rejects.toMatchObject({ code });
    expect(toolset.liveTabs(THREAD)).toHaveLength(1);
  });

  it.each(['/stay', '/alert'])(
    'leaves a page that asks whether to leave, and one with an open dialog: %s',
    async path => {
      const toolset = await opened(path);
      await personAt(toolset, THREAD).click(50, 50);
      await toolset.visit(site.url(), THREAD);
      expect(await toolset.getCurrentUrl(THREAD)).toBe(site.url());
    },
  );

  it('names a tab that there is not', async () => {
    const toolset = await opened();
    await expect(toolset.switchTab('t9', THREAD)).rejects.toThrow('There is no tab "t9".');
    await expect(toolset.closeTab('t9', THREAD)).rejects.toThrow('There is no tab "t9".');
  });

  it('works while the agent waits and a person has control', async () => {
    const toolset = await opened();
    await toolset.takeControl(THREAD);
    const waiting = toolset.session(THREAD).wait({ for: { url: '/two' }, timeout: 20 });
    const blocked = toolset.session(THREAD).navigate({ url: site.url('/later') });
    await toolset.visit(site.url('/two'), THREAD);
    expectSuccess(await waiting);
    await toolset.releaseControl(THREAD);
    expectSuccess(await blocked);
  });
});

describe('the size of the pages', () => {
  it('changes for all tabs, and for those to come, while the agent has control', async () => {
    const toolset = await opened('/', { allowEvaluate: true });
    const seen = async () => {
      const answer = await toolset.session(THREAD).evaluate({ expression: '[innerWidth, innerHeight]' });
      return expectSuccess(answer).result;
    };
    await toolset.resize({ width: 640, height: 480 }, THREAD);
    expect(await seen()).toEqual([640, 480]);
    await toolset.openTab(site.url('/two'), THREAD);
    expect(await seen()).toEqual([640, 480]);
    expect(toolset.isControlled(THREAD)).toBe(false);
    await expect(toolset.resize({ width: 640, height: 480 }, 'nobody')).rejects.toThrow('no browser');
  });
});

describe('who changed the url', () => {
  it('is the person who visits, clicks or switches tabs, also while the agent waits', async () => {
    const toolset = await opened();
    expect(await changedBy(toolset)).toBe('agent');
    const waiting = toolset.session(THREAD).wait({ for: { url: '/two' } });
    await personAt(toolset, THREAD).click(50, 50);
    expectSuccess(await waiting);
    expect(await changedBy(toolset)).toBe('user');
    expectSuccess(await toolset.session(THREAD).navigate({ url: site.url() }));
    expect(await changedBy(toolset)).toBe('agent');
    await toolset.visit(site.url('/later'), THREAD);
    expect(await changedBy(toolset)).toBe('user');
  });

  it('is the agent when its page goes on by itself, also while a person moves the mouse', async () => {
    const toolset = await opened('/moves');
    await toolset.injectMouseEvent({ type: 'mouseMoved', x: 5, y: 5 }, THREAD);
    await expect.poll(() => toolset.getCurrentUrl(THREAD)).toBe(site.url('/two'));
    expect(await changedBy(toolset)).toBe('agent');
  });
});

describe('a thread without a browser', () => {
  it('takes no input and starts nothing', async () => {
    const toolset = testToolset();
    const refused = [
      toolset.insertText('x', THREAD),
      toolset.injectTouchEvent({ type: 'touchStart', touches: [{ x: 1, y: 1 }] }, THREAD),
      toolset.visit(site.url(), THREAD),
      toolset.openTab(undefined, THREAD),
      toolset.switchTab('t1', THREAD),
      toolset.closeTab('t1', THREAD),
      toolset.travel('back', THREAD),
    ];
    for (const { status } of await Promise.allSettled(refused)) expect(status).toBe('rejected');
    await toolset.releaseInput(THREAD);
    await toolset.releaseControl(THREAD);
    expect(toolset.isBrowserRunning()).toBe(false);
    expect(toolset.liveSessions()).toEqual([]);
  });
});

describe('touch', () => {
  const touched = async () => {
    const toolset = testToolset();
    const html = `${head}<button style="position:absolute;left:0;top:0;width:100px;height:50px"
      onclick="document.title = 'tapped'">Tap</button>
      <script>for (const type of ['touchstart', 'touchmove', 'touchend', 'touchcancel'])
        addEventListener(type, e => document.title += ' ' + type.slice(5) + e.touches.length)</script>`;
    const page = await servePages({ '/': html });
    expectSuccess(await toolset.session(THREAD).navigate({ url: page.url() }));
    const title = async () => (await toolset.session(THREAD).tabs({ action: 'list' })).tabs?.[0]?.title;
    return { toolset, title };
  };

  it('taps', async () => {
    const { toolset, title } = await touched();
    await toolset.injectTouchEvent({ type: 'touchStart', touches: [{ x: 20, y: 20 }] }, THREAD);
    await toolset.injectTouchEvent({ type: 'touchEnd', touches: [] }, THREAD);
    await expect.poll(title).toBe('tapped');
  });

  it('tells fingers apart, keeps them in the viewport, and lifts them when the viewer leaves', async () => {
    const { toolset, title } = await touched();
    const two = [
      { x: 200, y: 20 },
      { x: 1e9, y: -5 },
    ];
    await toolset.injectTouchEvent({ type: 'touchStart', touches: two }, THREAD);
    await toolset.injectTouchEvent({ type: 'touchEnd', touches: [{ x: 200, y: 20 }] }, THREAD);
    await toolset.releaseInput(THREAD);
    await expect.poll(title).toBe('start1 start2 end1 cancel0');
  });

  it.each([
    [{ type: 'touchStart', touches: [{ x: Number.NaN, y: 1 }] }],
    [{ type: 'touchStart', touches: [] }],
    [{ type: 'touchMove', touches: [{ x: 1, y: 1 }] }],
    [{ type: 'touchSlap', touches: [] }],
  ])('makes no sense of %j', async event => {
    const { toolset } = await touched();
    await expect(toolset.injectTouchEvent(event as never, THREAD)).rejects.toThrow(/finite|finger|touchStart|no touch/);
  });
});
