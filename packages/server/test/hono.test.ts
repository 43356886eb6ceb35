import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { FakeBrowserToolset } from '@browser-toolset/core/testing';
import { createAdaptorServer, getRequestListener, upgradeWebSocket } from '@hono/node-server';
import { createNodeWebSocket } from '@hono/node-ws';
import { Mastra } from '@mastra/core/mastra';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type HonoLiveView, honoLiveView } from '../src/hono.js';
import { createLiveView } from '../src/index.js';
import { listen, StreamRefused, type TestViewer, watcher } from './viewing.js';

/** Ways in which a Hono app gets the upgrades of its server. */
const DISPATCHERS: Record<string, (app: Hono, view: HonoLiveView) => Server> = {
  '@hono/node-server with a WebSocket server'(app) {
    const server = new WebSocketServer({ noServer: true });
    return createAdaptorServer({ fetch: app.fetch, websocket: { server } }) as Server;
  },
  '@hono/node-ws, as in Mastra’s server'(app) {
    const { injectWebSocket } = createNodeWebSocket({ app });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    injectWebSocket(server);
    return server;
  },
  'attach alone'(app, view) {
    const server = createServer(getRequestListener(app.fetch));
    view.attach(server);
    return server;
  },
  'attach beside @hono/node-ws'(app, view) {
    const { injectWebSocket } = createNodeWebSocket({ app });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    injectWebSocket(server);
    view.attach(server);
    return server;
  },
};

function setUp() {
  const browser = new FakeBrowserToolset();
  browser.open('one', 'https://shop.example/');
  const live = createLiveView({ browsers: id => (id === 'web' ? browser : undefined), log: () => undefined });
  onTestFinished(() => live.close());
  return { browser, live, view: honoLiveView(live) };
}

/** Ends a connection as a machine does that went away: without a word, and with a reset for what is still sent to it. */
function lose({ socket }: TestViewer): void {
  (socket as unknown as { _socket: Socket })._socket.resetAndDestroy();
}

describe.each(Object.entries(DISPATCHERS))('with %s', (_, dispatch) => {
  test('a viewer watches, acts and leaves', async () => {
    const { browser, live, view } = setUp();
    const app = new Hono();
    app.use(view.middleware);
    const watch = watcher(await listen(dispatch(app, view)));
    const viewer = await watch();
    await viewer.until(({ frames }) => frames.length > 0);
    viewer.send({ type: 'text', text: 'hello' });
    await viewer.flushed();
    expect(browser.injected).toEqual([{ kind: 'text', threadId: 'one', text: 'hello' }]);
    for (let index = 0; index < 20; index += 1) {
      browser.emitFrame('one');
      await viewer.nextFrame();
    }
    await viewer.leave();
    await expect.poll(() => live.metrics().viewers).toBe(0);
  });

  test('a viewer that is lost is no error of the app', async () => {
    const { live, view } = setUp();
    const app = new Hono();
    app.use(view.middleware);
    const errors: Error[] = [];
    app.onError((error, context) => {
      errors.push(error);
      return context.text('failed', 500);
    });
    const url = await listen(dispatch(app, view));
    for (let round = 0; round < 5; round += 1) {
      const viewer = await watcher(url)();
      await viewer.until(({ frames }) => frames.length > 0);
      lose(viewer);
      await expect.poll(() => live.metrics().viewers).toBe(0);
    }
    // What the app makes of the connections that are over, it has made before it answers.
    expect((await fetch(`${url}/browser/web/sessions`)).status).toBe(200);
    expect(errors).toEqual([]);
  });

  test('a stream is refused with a status, and the rest of the app goes on', async () => {
    const { view } = setUp();
    const app = new Hono();
    app.use(view.middleware);
    app.get('/browser/web', context => context.text('not the live view'));
    const url = await listen(dispatch(app, view));
    const refused = await watcher(url)({ agent: 'nobody' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StreamRefused);
    expect(refused).toMatchObject({ status: 404, body: { error: 'unknown_agent' } });
    expect(await (await fetch(`${url}/browser/web`)).text()).toBe('not the live view');
    expect(await (await fetch(`${url}/browser/web/tabs?threadId=one`)).json()).toMatchObject({ tabs: [{ tab: 't1' }] });
  });
});

test('streams of the app itself work beside the live view', async () => {
  const { view } = setUp();
  const app = new Hono();
  app.use(view.middleware);
  app.get(
    '/echo',
    upgradeWebSocket(() => ({ onMessage: (event, socket) => socket.send(`${event.data}`) })),
  );
  const server = new WebSocketServer({ noServer: true });
  const url = await listen(createAdaptorServer({ fetch: app.fetch, websocket: { server } }) as Server);
  const echo = new WebSocket(`${url.replace('http', 'ws')}/echo`);
  onTestFinished(() => echo.terminate());
  echo.on('open', () => echo.send('hello'));
  expect(await new Promise(resolve => echo.once('message', data => resolve(`${data}`)))).toBe('hello');
  const viewer = await watcher(url)();
  await viewer.until(({ frames }) => frames.length > 0);
});

test('it lies below a base path, and nowhere else', async () => {
  const { live } = setUp();
  const app = new Hono();
  app.use(honoLiveView(live, { basePath: '/live/' }).middleware);
  const server = new WebSocketServer({ noServer: true });
  const url = await listen(createAdaptorServer({ fetch: app.fetch, websocket: { server } }) as Server);
  const viewer = await watcher(`${url}/live`)();
  await viewer.until(({ frames }) => frames.length > 0);
  expect((await fetch(`${url}/live/browser/web/sessions`)).status).toBe(200);
  expect((await fetch(`${url}/browser/web/sessions`)).status).toBe(404);
});

test('it takes the place of Mastra’s own live view', async () => {
  const { view } = setUp();
  const mastra = new Mastra({ logger: false });
  mastra.setServerMiddleware(view.serverMiddleware);
  const app = new Hono();
  // As Mastra's server puts its app together: server middleware, its own stream, and a time limit for all the rest.
  for (const { path, handler } of mastra.getServerMiddleware()) app.use(path, handler);
  const { injectWebSocket, upgradeWebSocket } = createNodeWebSocket({ app });
  app.get(
    '/browser/:agentId/stream',
    upgradeWebSocket(() => ({ onOpen: (_, socket) => socket.send('{"status":"browser_closed"}') })),
  );
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  injectWebSocket(server);
  const viewer = await watcher(await listen(server))();
  await viewer.until(({ frames }) => frames.length > 0);
  expect(viewer.statuses).toEqual(['connected', 'browser_starting', 'streaming']);
});

describe('a body', () => {
  const post = (app: Hono, body: string) =>
    app.request('http://127.0.0.1/browser/web/close?token=ours', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  const serve = () => {
    const browser = new FakeBrowserToolset();
    browser.open('one', 'https://shop.example/');
    const live = createLiveView({ browsers: () => browser, authorize: () => 'control', log: () => undefined });
    onTestFinished(() => live.close());
    return { browser, view: honoLiveView(live) };
  };

  test('that a middleware has read already is read again', async () => {
    const { browser, view } = serve();
    const app = new Hono();
    app.use(async (context, next) => {
      await context.req.json();
      await next();
    });
    app.use(view.middleware);
    expect((await post(app, '{"threadId":"one"}')).status).toBe(200);
    expect(browser.isBrowserRunning('one')).toBe(false);
  });

  test('that is too long is refused', async () => {
    const { browser, view } = serve();
    const app = new Hono();
    app.use(view.middleware);
    expect((await post(app, JSON.stringify({ threadId: 'x'.repeat(100_000) }))).status).toBe(413);
    expect(browser.isBrowserRunning('one')).toBe(true);
  });
});

test('a stream that the server does not pass on says what to do', async () => {
  const { view } = setUp();
  const app = new Hono();
  app.use(view.middleware);
  const answer = await app.request('http://127.0.0.1/browser/web/stream', { headers: { upgrade: 'websocket' } });
  expect(answer.status).toBe(426);
  expect(await answer.json()).toMatchObject({ message: expect.stringContaining('use attach(server)') });
});
