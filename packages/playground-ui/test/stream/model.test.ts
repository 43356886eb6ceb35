import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BrowserStreamModel } from '../../src/stream/model.js';
import { isDriving } from '../../src/stream/state.js';
import { fakeSockets } from './fake-socket.js';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { href: 'https://host.example/app/' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const AGENT_DRIVES = { holder: 'agent', isYou: false, mayControl: true, viewer: 'v1' };
const YOU_DRIVE = { holder: 'human', isYou: true, mayControl: true, viewer: 'v1' };
const VIEWPORT = { width: 1280, height: 720, offsetTop: 0, pageScaleFactor: 1 };

function modelThat(reply: () => Response = () => Response.json({ success: true })) {
  const { Socket, made, latest } = fakeSockets();
  const requests: { url: string; method: string; viewer: string | null; body: unknown }[] = [];
  const model = new BrowserStreamModel({
    agentId: 'web agent',
    threadId: 't/1',
    token: 'secret',
    settings: { maxFps: 20 },
    WebSocket: Socket,
    fetch: async (url, init) => {
      const { method = 'GET', body } = init ?? {};
      const viewer = new Headers(init?.headers).get('x-viewer');
      requests.push({ url: String(url), method, viewer, body: body ? JSON.parse(String(body)) : undefined });
      return reply();
    },
  });
  const live = () => {
    model.start();
    latest().open();
    latest().say({ status: 'streaming' });
  };
  return { model, live, made, socket: latest, requests, state: () => model.getSnapshot() };
}

describe('a model', () => {
  it('connects to the stream of its thread and says what it wants', () => {
    const { live, socket } = modelThat();
    live();
    expect(socket().url).toBe(
      'wss://host.example/browser/web%20agent/stream?threadId=t%2F1&frames=binary&token=secret',
    );
    expect(socket().sent).toEqual([{ type: 'settings', maxFps: 20 }]);
  });

  it('keeps what the server says, each in its place', async () => {
    const { live, socket, state } = modelThat();
    live();
    const tabs = [{ tab: 't1', url: 'https://a.example/', title: 'A', active: true }];
    const question = { id: 'q1', threadId: 't/1', question: 'Which one?', options: [{ label: 'Red' }] };
    for (const message of [
      { url: 'https://a.example/' },
      { viewport: VIEWPORT },
      { control: AGENT_DRIVES },
      { tabs },
      { question },
      { viewers: 3 },
    ]) {
      socket().say(message);
    }
    expect(state()).toMatchObject({
      url: 'https://a.example/',
      viewport: VIEWPORT,
      control: AGENT_DRIVES,
      tabs,
      question,
      viewers: 3,
    });
    socket().say({ question: null });
    expect(state().question).toBeUndefined();
  });

  it('leaves out what it does not understand', async () => {
    const { live, socket, state } = modelThat();
    live();
    const before = state();
    for (const garbage of ['{', '{"status":"dancing"}', '{"novelty":1}', '{"viewers":"many"}', ''])
      socket().say(garbage);
    expect(state()).toBe(before);
  });

  it('puts together what is told of one action', async () => {
    const { live, socket, state } = modelThat();
    live();
    const common = { id: 'a1', threadId: 't/1', tool: 'browser_click', at: 1 };
    socket().say({ action: { ...common, phase: 'started', ref: '@e7' } });
    socket().say({ action: { ...common, phase: 'aimed', target: 'button "Pay"', point: { x: 5, y: 6 } } });
    socket().say({ action: { ...common, phase: 'ended', success: true, summary: 'clicked' } });
    expect(state().actions).toEqual([
      {
        ...common,
        phase: 'ended',
        ref: '@e7',
        target: 'button "Pay"',
        point: { x: 5, y: 6 },
        success: true,
        summary: 'clicked',
      },
    ]);
  });

  it('keeps the latest actions alone', async () => {
    const { live, socket, state } = modelThat();
    live();
    for (let id = 0; id < 500; id += 1) {
      socket().say({ action: { id: `a${id}`, threadId: 't/1', tool: 'browser_click', phase: 'started', at: id } });
    }
    expect(state().actions).toHaveLength(50);
    expect(state().actions.at(-1)?.id).toBe('a499');
  });
});

describe('frames', () => {
  it('are no part of the state, and the latest is shown to who comes later', () => {
    const { model, live, socket, state } = modelThat();
    live();
    socket().say({ viewport: VIEWPORT });
    socket().say(new Uint8Array([1]).buffer);
    const before = state();
    socket().say(new Uint8Array([2]).buffer);
    socket().say('/9j/base64');
    expect(state()).toBe(before);
    const seen: unknown[] = [];
    const stop = model.onFrame(frame => seen.push(frame));
    stop();
    socket().say(new Uint8Array([3]).buffer);
    expect(seen).toEqual([{ data: '/9j/base64', viewport: VIEWPORT }]);
  });

  it('of a browser that has closed are forgotten', () => {
    const { model, live, socket, state } = modelThat();
    live();
    socket().say(new Uint8Array([1]).buffer);
    expect(state().hasFrame).toBe(true);
    socket().say({ status: 'browser_closed' });
    expect(state().hasFrame).toBe(false);
    model.onFrame(() => expect.fail('there is none'));
  });

  it('stay while the connection is lost', async () => {
    const { live, socket, state } = modelThat();
    live();
    socket().say(new Uint8Array([1]).buffer);
    socket().drop();
    await vi.advanceTimersByTimeAsync(0);
    expect(state()).toMatchObject({ hasFrame: true, connection: { phase: 'waiting', attempt: 1 } });
  });
});

describe('requests', () => {
  it('of who drives go out at once, with the viewer', async () => {
    const { model, live, socket, requests } = modelThat();
    live();
    socket().say({ control: YOU_DRIVE });
    expect(await model.navigate({ url: 'a.example' })).toBe(true);
    expect(await model.navigate({ direction: 'back' })).toBe(true);
    expect(await model.changeTabs({ action: 'switch', tab: 't2' })).toBe(true);
    const base = 'https://host.example/browser/web%20agent';
    const common = { method: 'POST', viewer: 'v1' };
    expect(requests).toEqual([
      { ...common, url: `${base}/navigate`, body: { threadId: 't/1', url: 'a.example' } },
      { ...common, url: `${base}/navigate`, body: { threadId: 't/1', direction: 'back' } },
      { ...common, url: `${base}/tabs`, body: { threadId: 't/1', action: 'switch', tab: 't2' } },
    ]);
  });

  it('take control first, and wait for it', async () => {
    const { model, live, socket, requests } = modelThat();
    live();
    socket().say({ control: AGENT_DRIVES });
    const done = model.navigate({ direction: 'reload' });
    await Promise.resolve();
    expect(socket().sent).toContainEqual({ type: 'control', action: 'take' });
    expect(requests).toEqual([]);
    socket().say({ control: YOU_DRIVE });
    expect(await done).toBe(true);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['the server says no', { error: 'human_in_control', message: 'Somebody was faster.' }],
    ['somebody else was faster', { control: { ...AGENT_DRIVES, holder: 'human' } }],
  ])('are not sent when %s', async (_, answer) => {
    const { model, live, socket, requests, state } = modelThat();
    live();
    socket().say({ control: AGENT_DRIVES });
    const done = model.closeBrowser();
    socket().say(answer);
    expect(await done).toBe(false);
    expect(requests).toEqual([]);
    expect(state().error?.message).toBeDefined();
  });

  it('that are refused say why', async () => {
    const refused = () => Response.json({ error: 'url_blocked', message: 'file: is not allowed.' }, { status: 403 });
    const { model, live, state } = modelThat(refused);
    live();
    expect(await model.navigate({ url: 'file:///etc' })).toBe(false);
    expect(state().error).toEqual({ error: 'url_blocked', message: 'file: is not allowed.' });
    model.dismissError();
    expect(state().error).toBeUndefined();
  });

  it('that reach no server say so', async () => {
    const { model, live, state } = modelThat(() => {
      throw new TypeError('fetch failed');
    });
    live();
    expect(await model.changeTabs({ action: 'new' })).toBe(false);
    expect(state().error).toEqual({ error: 'request_failed', message: 'The server cannot be reached.' });
  });
});

describe('a lost connection', () => {
  it('takes control away until the server says who has it', async () => {
    const { live, socket, state } = modelThat();
    live();
    socket().say({ control: YOU_DRIVE });
    expect(isDriving(state())).toBe(true);
    socket().drop();
    expect(isDriving(state())).toBe(false);
    await vi.runAllTimersAsync();
    socket().open();
    expect(isDriving(state())).toBe(false);
    expect(state()).toMatchObject({ control: undefined, status: undefined });
  });

  it('leaves nothing behind after stop, and start begins anew', async () => {
    const { model, live, made, state } = modelThat();
    live();
    model.stop();
    await vi.runAllTimersAsync();
    expect(made).toHaveLength(1);
    expect(state().connection).toEqual({ phase: 'idle' });
    model.start();
    expect(made).toHaveLength(2);
  });
});
