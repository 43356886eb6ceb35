import { FakeBrowserToolset } from '@browser-toolset/core/testing';
import { describe, expect, test } from 'vitest';
import { lacking, type ServedView, serveView } from './viewing.js';

const PAGE = 'https://shop.example/';

interface Answer {
  status: number;
  body: unknown;
  headers: Headers;
}

function caller({ url }: ServedView) {
  const read = async (response: Response): Promise<Answer> => {
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text), headers: response.headers };
  };
  return {
    get: async (path: string, headers = {}) => read(await fetch(`${url}/browser/${path}`, { headers })),
    post: async (path: string, body: unknown, headers = {}) =>
      read(
        await fetch(`${url}/browser/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    send: async (path: string, init: RequestInit) => read(await fetch(`${url}/browser/${path}`, init)),
  };
}

async function serveOne(options: Parameters<typeof serveView>[0] = {}) {
  const served = await serveView(options);
  served.browser.open('one', PAGE);
  return { ...served, ...caller(served) };
}

describe('sessions', () => {
  test('are listed with what they show, who watches and who drives', async () => {
    const { browser, get, watch } = await serveOne();
    browser.open('two', 'https://two.example/');
    browser.closeThread('two');
    const viewer = await watch();
    viewer.send({ type: 'control', action: 'take' });
    await viewer.until(({ control }) => control?.isYou === true);
    expect((await get('web/sessions')).body).toEqual({
      sessions: [
        { threadId: 'one', isOpen: true, url: PAGE, title: '', viewers: 1, control: 'human' },
        { threadId: 'two', isOpen: false, url: 'https://two.example/', title: '', viewers: 0, control: 'agent' },
      ],
    });
  });

  test('are only those that who asks may see', async () => {
    const { browser, get, live } = await serveOne({ authorize: ({ threadId }) => threadId === 'two' && 'view' });
    browser.open('two', PAGE);
    expect((await get('web/sessions')).body).toMatchObject({ sessions: [{ threadId: 'two' }] });
    const token = live.createToken({ agentId: 'web', threadId: 'one', right: 'view', expiresIn: 60 });
    expect((await get(`web/sessions?token=${token}`)).body).toMatchObject({ sessions: [{ threadId: 'one' }] });
    expect(await get('nobody/sessions')).toMatchObject({ status: 401 });
  });

  test('of a browser that does not tell them are those that are watched', async () => {
    const browser = new FakeBrowserToolset();
    browser.open('one', PAGE);
    const served = await serveView({ source: lacking(browser, 'liveSessions') });
    await served.watch();
    expect((await caller(served).get('web/sessions')).body).toEqual({
      sessions: [{ threadId: 'one', isOpen: true, url: PAGE, viewers: 1, control: 'agent' }],
    });
  });
});

describe('a browser', () => {
  test('is started and closed', async () => {
    const { browser, post } = await serveOne();
    expect(await post('web/relaunch', { threadId: 'two' })).toMatchObject({ status: 200, body: { success: true } });
    expect(browser.isBrowserRunning('two')).toBe(true);
    expect(await post('web/close', { threadId: 'two' })).toMatchObject({ status: 200, body: { success: true } });
    expect(browser.isBrowserRunning('two')).toBe(false);
    expect(browser.isBrowserRunning('one')).toBe(true);
  });

  test('of the default thread is the one without a name', async () => {
    const { browser, get, post } = await serveOne();
    expect(await get('web/tabs')).toMatchObject({ status: 404, body: { error: 'unknown_thread' } });
    await post('web/relaunch', {});
    expect(browser.isBrowserRunning('default')).toBe(true);
    expect(await get('web/tabs')).toMatchObject({ status: 200, body: { tabs: [{ tab: 't1' }] } });
    await post('web/close', {});
    expect(browser.isBrowserRunning('default')).toBe(false);
  });

  test('gets another viewport, within what a page can have', async () => {
    const { browser, post } = await serveOne();
    const asked = { threadId: 'one', width: 640, height: 480 };
    expect(await post('web/viewport', asked)).toMatchObject({ status: 200, body: { success: true } });
    expect(browser.viewports.get('one')).toEqual({ width: 640, height: 480 });
    expect(await post('web/viewport', { ...asked, width: 20 })).toMatchObject({ status: 400 });
    expect(await post('web/viewport', { ...asked, threadId: 'two' })).toMatchObject({ status: 404 });
    const lesser = await serveView({ source: lacking(browser, 'resize') });
    expect(await caller(lesser).post('web/viewport', asked)).toMatchObject({ status: 501 });
  });

  test('has tabs that are listed, opened, switched and closed', async () => {
    const { get, post } = await serveOne();
    const opened = await post('web/tabs', { threadId: 'one', action: 'new', url: 'https://two.example/' });
    const tabs = [
      { tab: 't1', url: PAGE, title: '', active: false },
      { tab: 't2', url: 'https://two.example/', title: '', active: true },
    ];
    expect(opened.body).toEqual({ tabs });
    expect((await get('web/tabs?threadId=one')).body).toEqual({ tabs });
    expect((await post('web/tabs', { threadId: 'one', action: 'switch', tab: 't1' })).body).toMatchObject({
      tabs: [{ active: true }, { active: false }],
    });
    expect((await post('web/tabs', { threadId: 'one', action: 'close', tab: 't1' })).body).toMatchObject({
      tabs: [{ tab: 't2', active: true }],
    });
  });

  test('goes to a url, back and forward', async () => {
    const { post } = await serveOne();
    const go = async (body: object) => (await post('web/navigate', { threadId: 'one', ...body })).body;
    expect(await go({ url: 'https://two.example/' })).toEqual({ url: 'https://two.example/' });
    expect(await go({ direction: 'back' })).toEqual({ url: PAGE });
    expect(await go({ direction: 'forward' })).toEqual({ url: 'https://two.example/' });
    expect(await go({ direction: 'reload' })).toEqual({ url: 'https://two.example/' });
  });

  test('that has a reason not to go there gives it', async () => {
    const { post } = await serveOne();
    expect(await post('web/navigate', { threadId: 'one', direction: 'back' })).toMatchObject({
      status: 422,
      body: { error: 'navigation_failed', message: 'There is nothing to go back to.' },
    });
  });
});

describe('a request is refused', () => {
  const cases: [string, string, unknown, number, string][] = [
    ['for an agent that nobody knows', 'nobody/close', { threadId: 'one' }, 404, 'unknown_agent'],
    ['for a thread that nobody knows', 'web/close', { threadId: 'two' }, 404, 'unknown_thread'],
    ['for a thread that nobody knows', 'web/navigate', { threadId: 'two', url: PAGE }, 404, 'unknown_thread'],
    ['for something else', 'web/fly', {}, 404, 'not_found'],
    ['of the name of a method of all objects', 'web/toString', {}, 404, 'not_found'],
    ['without a url', 'web/navigate', { threadId: 'one' }, 400, 'invalid_request'],
    ['in another direction', 'web/navigate', { threadId: 'one', direction: 'up' }, 400, 'invalid_request'],
    ['for a thread that is no text', 'web/close', { threadId: 1 }, 400, 'invalid_request'],
    ['that is no object', 'web/close', 'null', 400, 'invalid_request'],
    ['that is no JSON', 'web/close', '{', 400, 'invalid_request'],
    ['that is too long', 'web/close', { threadId: 'x'.repeat(100_000) }, 413, 'too_long'],
  ];
  test.each(cases)('%s: %s', async (_, path, body, status, error) => {
    const { browser, live, post } = await serveOne();
    expect(await post(path, body)).toMatchObject({ status, body: { error } });
    expect(live.metrics().refusals).toBe(1);
    expect(browser.isBrowserRunning('one')).toBe(true);
    expect(browser.isBrowserRunning('two')).toBe(false);
  });

  test('by a method that is not its own', async () => {
    const { send } = await serveOne();
    const answer = await send('web/navigate?threadId=one', { method: 'DELETE' });
    expect(answer).toMatchObject({ status: 405, body: { error: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe('POST');
    expect(await send('web/stream', {})).toMatchObject({ status: 426 });
  });

  test('as a form, which pages of any origin can send', async () => {
    const { browser, send } = await serveOne();
    const form = { method: 'POST', body: '{"threadId":"one"}', headers: { 'content-type': 'text/plain' } };
    expect(await send('web/close', form)).toMatchObject({ status: 415, body: { error: 'not_json' } });
    expect(browser.isBrowserRunning('one')).toBe(true);
  });

  test('of a page of another origin', async () => {
    const { browser, get, post } = await serveOne();
    const origin = { origin: 'https://evil.example' };
    expect(await post('web/close', { threadId: 'one' }, origin)).toMatchObject({ status: 403 });
    expect(await get('web/tabs?threadId=one', origin)).toMatchObject({ status: 403 });
    expect(browser.isBrowserRunning('one')).toBe(true);
  });

  test('of an origin that the host’s rule fails for, and the next one is answered', async () => {
    const rule = (origin: string | undefined) => new URL(origin ?? '').hostname === 'app.example';
    const { browser, get, lines, post } = await serveOne({ origins: rule });
    const nowhere = { origin: 'null' };
    expect(await post('web/close', { threadId: 'one' }, nowhere)).toMatchObject({ status: 500 });
    const answer = await get('web/sessions', nowhere);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([500, null]);
    expect(await get('web/sessions', { origin: 'https://app.example' })).toMatchObject({ status: 200 });
    expect(browser.isBrowserRunning('one')).toBe(true);
    expect(lines).toContain('A request failed: TypeError: Invalid URL');
  });

  test('with a right to watch only', async () => {
    const { browser, get, post } = await serveOne({ authorize: () => 'view' });
    for (const path of ['relaunch', 'close', 'navigate', 'tabs']) {
      const body = { threadId: 'one', url: PAGE, action: 'new' };
      expect(await post(`web/${path}`, body)).toMatchObject({ status: 403, body: { error: 'view_only' } });
    }
    expect(await get('web/tabs?threadId=one')).toMatchObject({ status: 200 });
    expect(browser.liveTabs('one')).toHaveLength(1);
  });

  test('while another person has control, and done for that person', async () => {
    const { post, watch } = await serveOne();
    const viewer = await watch();
    viewer.send({ type: 'control', action: 'take' });
    await viewer.until(({ control }) => control?.isYou === true);
    const body = { threadId: 'one', url: 'https://two.example/' };
    expect(await post('web/navigate', body)).toMatchObject({ status: 423, body: { error: 'another_in_control' } });
    const mine = { 'x-viewer': viewer.control?.viewer };
    expect(await post('web/navigate', body, mine)).toMatchObject({ status: 200 });
  });

  test('when the browser cannot do it', async () => {
    const browser = new FakeBrowserToolset();
    browser.open('one', PAGE);
    const source = lacking(browser, 'launch', 'closeThreadSession', 'liveTabs', 'visit');
    const { post, get } = caller(await serveView({ source }));
    expect(await post('web/relaunch', { threadId: 'one' })).toMatchObject({ status: 501 });
    expect(await post('web/close', { threadId: 'one' })).toMatchObject({ status: 501 });
    expect(await post('web/navigate', { threadId: 'one', url: PAGE })).toMatchObject({ status: 501 });
    expect(await get('web/tabs?threadId=one')).toMatchObject({ status: 501, body: { error: 'not_supported' } });
  });
});

describe('a page of an allowed other origin', () => {
  test('may ask first and reads the answers, refusals too', async () => {
    const { post, send } = await serveOne({ origins: ['https://app.example'] });
    const origin = 'https://app.example';
    const asked = await send('web/navigate', { method: 'OPTIONS', headers: { origin } });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-headers')).toContain('x-viewer');
    const refused = await post('web/navigate', {}, { origin });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([400, origin]);
  });
});

test('what is not the live view is left to the rest of the server', async () => {
  const { url } = await serveOne();
  for (const path of ['/', '/browser', '/browser/web', '/browser/web/tabs/t1', '/browser/%E0%A4%A/tabs']) {
    expect(await (await fetch(`${url}${path}`)).text()).toBe('not the live view');
  }
});
