import { describe, expect, test } from 'vitest';
import { type StreamRefused, serveView, type ViewerOptions } from './viewing.js';

const PAGE = 'https://shop.example/';
const MOVE = { type: 'mouse', event: { type: 'mouseMoved', x: 5, y: 5 } } as const;

async function refusalOf(opening: Promise<unknown>): Promise<Pick<StreamRefused, 'status'> & { error: string }> {
  const error = await opening.then(
    () => expect.fail('the stream was opened'),
    (reason: StreamRefused) => reason,
  );
  return { status: error.status, error: error.body?.error };
}

describe('without any options', () => {
  test('a program and a page of this machine may act', async () => {
    const { browser, url, watch } = await serveView();
    browser.open('one', PAGE);
    for (const origin of [undefined, url, url.replace('127.0.0.1', 'localhost')]) {
      const viewer = await watch({ headers: origin ? { origin } : {} });
      await viewer.until(({ control }) => control !== undefined);
      expect(viewer.control).toMatchObject({ holder: 'agent', isYou: false, mayControl: true });
    }
  });

  test('who may act is told whether the browser can give its pages another size', async () => {
    const { browser, watch } = await serveView();
    browser.open('one', PAGE);
    const before = await watch();
    await before.until(({ control }) => control !== undefined);
    expect(before.control?.mayResize).toBe(true);
    Object.defineProperty(browser, 'resize', { value: undefined });
    const after = await watch();
    await after.until(({ control }) => control !== undefined);
    expect(after.control?.mayResize).toBeUndefined();
  });

  test.each([
    ['a page of another host', { origin: 'https://evil.example' }, 403, 'forbidden_origin'],
    ['a page of another port', { origin: 'http://localhost:5173' }, 403, 'forbidden_origin'],
    ['a page in a sandbox', { origin: 'null' }, 403, 'forbidden_origin'],
    [
      'a page whose own name points to this machine',
      { origin: 'http://evil.example', host: 'evil.example' },
      401,
      'unauthorized',
    ],
    ['a program that asks by another name', { host: 'evil.example' }, 403, 'forbidden_origin'],
    ['somebody behind a proxy that only names itself', { via: '1.1 gate' }, 403, 'forbidden_origin'],
    ['somebody behind a proxy', { 'x-forwarded-for': '203.0.113.9' }, 403, 'forbidden_origin'],
    [
      'a page behind a proxy',
      { 'x-forwarded-for': '203.0.113.9', origin: 'http://localhost' },
      403,
      'forbidden_origin',
    ],
  ])('%s is refused', async (_, headers, status, error) => {
    const { browser, live, watch } = await serveView();
    browser.open('one', PAGE);
    expect(await refusalOf(watch({ headers }))).toEqual({ status, error });
    expect(live.metrics()).toMatchObject({ connections: 0, refusals: 1 });
    expect(browser.screencasts).toEqual([]);
  });

  test('an agent without a browser is unknown', async () => {
    const { watch } = await serveView();
    expect(await refusalOf(watch({ agent: 'nobody' }))).toEqual({ status: 404, error: 'unknown_agent' });
  });

  test.each(['maxFps=fast', 'maxFps=1e9', 'quality=0', 'maxWidth=1', 'frames=avif', `threadId=${'x'.repeat(501)}`])(
    'a stream with %s is refused',
    async query => {
      const { watch } = await serveView();
      expect(await refusalOf(watch({ query }))).toEqual({ status: 400, error: 'invalid_request' });
    },
  );

  test('a stream is refused once the live view is closed, and open ones end', async () => {
    const { live, watch } = await serveView();
    const viewer = await watch();
    live.close();
    expect(await viewer.untilClosed()).toMatchObject({ code: 1001 });
    expect(await refusalOf(watch())).toEqual({ status: 503, error: 'closing' });
  });

  test('more viewers than the limit are refused', async () => {
    const { watch } = await serveView({ limits: { viewersPerThread: 2 } });
    await Promise.all([watch(), watch()]);
    expect(await refusalOf(watch())).toEqual({ status: 429, error: 'too_many_viewers' });
    await watch({ query: 'threadId=two' });
  });

  test('more viewers than the limit that ask at the same time are let go again', async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    let waiting = 0;
    const { live, watch } = await serveView({
      limits: { viewersPerThread: 2 },
      async authorize() {
        waiting += 1;
        if (waiting === 5) answer();
        await asked;
        return 'view' as const;
      },
    });
    const viewers = await Promise.all(Array.from({ length: 5 }, () => watch()));
    await expect.poll(() => viewers.filter(({ closed }) => closed?.code === 1013)).toHaveLength(3);
    expect(live.metrics().viewers).toBe(2);
  });
});

describe('a token', () => {
  const open = async (options: ViewerOptions & { token?: Partial<Parameters<typeof createOne>[1]> } = {}) => {
    const served = await serveView({ authorize: () => false, tokenSecret: 'of the test' });
    served.browser.open('one', PAGE);
    const token = createOne(served.live, options.token);
    return { ...served, opening: served.watch({ query: `threadId=one&token=${token}`, ...options }) };
  };
  const createOne = (
    live: Awaited<ReturnType<typeof serveView>>['live'],
    more: { agentId?: string; threadId?: string; right?: 'view' | 'control'; expiresIn?: number } = {},
  ) => live.createToken({ agentId: 'web', threadId: 'one', right: 'view', expiresIn: 60, ...more });

  test('to view opens the stream, and lets nothing through', async () => {
    const { browser, opening } = await open();
    const viewer = await opening;
    await viewer.until(({ frames }) => frames.length > 0);
    expect(viewer.control?.mayControl).toBe(false);
    viewer.send(MOVE);
    viewer.send({ type: 'text', text: 'no' });
    viewer.send({ type: 'control', action: 'take' });
    viewer.send({ type: 'relaunch' });
    await viewer.untilError('view_only');
    await viewer.flushed();
    expect(browser.injected).toEqual([]);
    expect(browser.takenOver.size).toBe(0);
  });

  test('to control lets input through', async () => {
    const { browser, opening } = await open({ token: { right: 'control' } });
    const viewer = await opening;
    await viewer.until(({ frames }) => frames.length > 0);
    viewer.send(MOVE);
    await viewer.flushed();
    expect(browser.injected).toHaveLength(1);
  });

  test.each([
    ['that has expired', { token: { expiresIn: -1 } }, 'invalid_token'],
    ['for another thread', { token: { threadId: 'two' } }, 'unauthorized'],
    ['for another agent', { token: { agentId: 'other' } }, 'unauthorized'],
    ['that nobody signed', { query: 'threadId=one&token=lv1.e30.e30' }, 'invalid_token'],
    ['of another kind, which the host does not know', { query: 'threadId=one&token=other' }, 'unauthorized'],
  ])('%s is refused', async (_, options, error) => {
    const { browser, opening } = await open(options);
    expect(await refusalOf(opening)).toEqual({ status: 401, error });
    expect(browser.screencasts).toEqual([]);
  });

  test('opens nothing for a page of another origin', async () => {
    const { opening } = await open({ headers: { origin: 'https://evil.example' } });
    expect(await refusalOf(opening)).toEqual({ status: 403, error: 'forbidden_origin' });
  });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])(
  'a token for %s seconds is refused where it is made',
  async expiresIn => {
    const { live } = await serveView({});
    expect(() => live.createToken({ agentId: 'web', right: 'view', expiresIn })).toThrow(RangeError);
  },
);

test('a link with a token that nobody knows opens nothing on this machine either', async () => {
  const { browser, watch } = await serveView({});
  browser.open('one', PAGE);
  expect(await refusalOf(watch({ query: 'threadId=one&token=made-up' }))).toEqual({
    status: 401,
    error: 'invalid_token',
  });
  expect(browser.screencasts).toEqual([]);
});

describe('the host', () => {
  test('decides by what the request brings', async () => {
    const asked: object[] = [];
    const { browser, watch } = await serveView({
      async authorize({ agentId, threadId, token, headers }) {
        asked.push({ agentId, threadId, token, user: headers.get('x-user') });
        return token === 'ticket' ? 'view' : false;
      },
    });
    browser.open('one', PAGE);
    const viewer = await watch({ query: 'threadId=one', headers: { authorization: 'Bearer ticket', 'x-user': 'ann' } });
    await viewer.until(({ control }) => control !== undefined);
    expect(viewer.control?.mayControl).toBe(false);
    expect(await refusalOf(watch({ query: 'token=wrong' }))).toMatchObject({ status: 401 });
    expect(asked).toEqual([
      { agentId: 'web', threadId: 'one', token: 'ticket', user: 'ann' },
      { agentId: 'web', threadId: undefined, token: 'wrong', user: null },
    ]);
  });

  test('knows the default thread by one name', async () => {
    const { browser, url, watch } = await serveView({
      authorize: ({ threadId }) => threadId !== undefined && 'control',
    });
    browser.open('default', PAGE);
    for (const query of ['', 'threadId=', 'threadId=default']) {
      expect(await refusalOf(watch({ query }))).toEqual({ status: 401, error: 'unauthorized' });
      expect((await fetch(`${url}/browser/web/tabs?${query}`)).status).toBe(401);
    }
    expect((await fetch(`${url}/browser/web/sessions`)).status).toBe(401);
  });

  test('whose check fails lets nobody in', async () => {
    const { lines, watch } = await serveView({ authorize: () => Promise.reject(new Error('no database')) });
    expect(await refusalOf(watch())).toEqual({ status: 500, error: 'browser_error' });
    expect(lines).toEqual(['A request failed: Error: no database']);
  });
});
