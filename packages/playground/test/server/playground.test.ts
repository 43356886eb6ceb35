import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionDetail, ActionSummary, StudioState, ToolInfo, ToolRun } from '../../src/server/api.js';
import { DEFAULT_PORT, listenOnLoopback } from '../../src/server/listen.js';
import { type Playground, startPlayground } from '../../src/server/playground.js';
import { ask } from './requests.js';

let playground: Playground;
let dataFolder: string;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'playground-'));
  playground = await startPlayground({ port: 0, dataFolder });
});

afterAll(async () => {
  await playground.close();
  await rm(dataFolder, { recursive: true });
});

async function read<T>(path: string): Promise<T> {
  const { status, body } = await ask(`${playground.url}${path}`);
  expect({ path, status }).toEqual({ path, status: 200 });
  return JSON.parse(body) as T;
}

async function run(tool: string, threadId: string, input: unknown): Promise<ToolRun> {
  const { status, body } = await ask(`${playground.url}/playground/tools/${tool}`, {
    method: 'POST',
    body: { threadId, input },
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return JSON.parse(body) as ToolRun;
}

describe('the server', () => {
  test('tells who drives, where the shop is, and what can be tried', async () => {
    const state = await read<StudioState>('/playground/state');
    expect(state.agents).toEqual([
      { id: 'scripted', name: 'Scripted shopper', kind: 'chat' },
      { id: 'browser-agent', name: 'Browser agent', kind: 'browser' },
    ]);
    expect(state.demo.url).toBe(playground.demoUrl);
    expect(state.demo.tasks.map(({ id }) => id)).toContain('buy-a-mug');
    expect(state.demo.tasks.every(({ prompt }) => prompt.includes(playground.demoUrl))).toBe(true);
    expect(state.versions).toMatchObject({ '@mastra/core': expect.stringMatching(/^\d/) });
  });

  test('serves the page, which may ask nobody else for anything', async () => {
    const { status, headers, body } = await ask(playground.url);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("connect-src 'self'");
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(body) ?? [];
    expect((await ask(`${playground.url}${script}`)).headers['cache-control']).toContain('immutable');
    expect((await ask(`${playground.url}/assets/../../package.json`)).status).toBe(404);
  });

  test('has the API of Mastra', async () => {
    const agent = await read<{ name: string; browserTools: string[] }>('/api/agents/scripted');
    expect(agent.name).toBe('Scripted shopper');
    expect(agent.browserTools).toContain('browser_click');
  });

  test('takes a free port when the usual one is taken, but not instead of one that was asked for', async () => {
    const other = createServer().listen(DEFAULT_PORT, '127.0.0.1');
    // Somebody else may have it already, which serves as well.
    await Promise.race([once(other, 'listening'), once(other, 'error')]);
    await using listener = await listenOnLoopback(() => new Response('here'));
    expect(listener.url).not.toContain(`:${DEFAULT_PORT}`);
    expect((await ask(listener.url)).body).toBe('here');
    await expect(listenOnLoopback(() => new Response(), DEFAULT_PORT)).rejects.toThrow(/^Port \d+ is taken/);
    other.close();
  });
});

describe('foreign pages', () => {
  const paths = [
    '/playground/tools/browser_close',
    '/api/agents/scripted/send-message',
    '/browser/scripted/close',
    '/playground/runs',
  ];

  test.each(paths)('may not POST to %s', async path => {
    const url = `${playground.url}${path}`;
    const body = { threadId: 'foreign', input: {} };
    const { port } = new URL(playground.url);
    for (const origin of [
      'https://evil.example',
      'null',
      playground.demoUrl,
      `http://127.0.0.1.evil.example:${port}`,
    ]) {
      const { status } = await ask(url, { method: 'POST', headers: { origin }, body });
      expect({ origin, status }).toEqual({ origin, status: 403 });
    }
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    expect((await ask(url, { method: 'POST', headers: crossSite, body })).status).toBe(403);
  });

  test('do not get in under a name of their own that points here', async () => {
    const headers = { host: `evil.example:${new URL(playground.url).port}` };
    for (const path of ['/', '/playground/state', '/api/agents']) {
      expect((await ask(`${playground.url}${path}`, { headers })).status).toBe(403);
    }
  });

  test('get no stream of what happens', async () => {
    const own = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const { port } = new URL(playground.url);
    for (const [name, value] of [
      ['origin', playground.demoUrl],
      ['origin', 'null'],
      ['host', `evil.example:${port}`],
    ] as const) {
      const headers = { ...own, ...key, [name]: value };
      const { status } = await ask(`${playground.url}/playground/events`, { headers });
      expect({ name, value, status }).toEqual({ name, value, status: 403 });
    }
    expect((await ask(`${playground.url}/playground/other`, { headers: { ...own, ...key } })).status).toBe(404);
  });

  test('get no stream of a browser', async () => {
    const url = `${playground.url.replace('http', 'ws')}/browser/scripted/stream?threadId=t`;
    const { promise, resolve } = Promise.withResolvers<string>();
    // Node's own WebSocket sends no Origin, which a program of this machine may.
    const own = new WebSocket(url);
    own.onmessage = ({ data }) => resolve(String(data));
    own.onerror = () => resolve('refused');
    expect(await promise).toContain('status');
    own.close();
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      origin: playground.demoUrl,
    };
    expect((await ask(url.replace('ws', 'http'), { headers: upgrade })).status).toBe(403);
  });

  test('differ from the page itself', async () => {
    const headers = { origin: playground.url };
    const body = { threadId: 'own', input: {} };
    const { status } = await ask(`${playground.url}/playground/tools/browser_close`, { method: 'POST', headers, body });
    expect(status).toBe(200);
  });
});

describe('a tool by hand', () => {
  test('is described with the schema that a model gets', async () => {
    const tools = await read<ToolInfo[]>('/playground/tools');
    const click = tools.find(({ id }) => id === 'browser_click');
    expect(click?.inputSchema).toMatchObject({ type: 'object', properties: { ref: { type: 'string' } } });
  });

  test('gives the object, the text to the letter, and what it costs', async () => {
    const { action } = await run('browser_navigate', 'by-hand', { url: playground.demoUrl });
    expect(action).toMatchObject({ by: 'hand', status: 'done', output: { success: true, title: expect.any(String) } });
    expect(action.text).toContain('page "Shop');
    expect(action.tokens).toBeGreaterThan(20);
    expect(action.milliseconds).toBeGreaterThan(0);
    expect(action.effects).toContainEqual({ kind: 'navigated', text: `went to ${playground.demoUrl}/` });
  });

  test('leaves a record and a small picture of what came of it', async () => {
    const { action } = await run('browser_snapshot', 'by-hand', {});
    const actions = await read<ActionSummary[]>('/playground/threads/by-hand/actions');
    expect(actions.map(({ tool }) => tool)).toEqual(['browser_navigate', 'browser_snapshot']);
    const detail = await read<ActionDetail>(`/playground/threads/by-hand/actions/${action.id}`);
    expect(detail.text).toBe(action.text);
    const picture = await fetch(`${playground.url}/playground/threads/by-hand/actions/${action.id}/picture`);
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  });

  test('shows what the model sees', async () => {
    const { action } = await run('browser_screenshot', 'by-hand', {});
    expect(action.pictures).toHaveLength(1);
    expect(action.pictures[0]).toMatch(/^data:image\/jpeg;base64,/);
  });

  test('says which fields are wrong', async () => {
    const { action, fieldErrors } = await run('browser_fill_form', 'by-hand', { fields: [{ ref: '@e1' }] });
    expect(Object.keys(fieldErrors)).toEqual(['fields.0.value']);
    expect(action).toMatchObject({ status: 'failed', output: { code: 'invalid_input' } });
  });

  test('that does not exist, or a call without a thread, is refused', async () => {
    const post = (tool: string, body: unknown) =>
      ask(`${playground.url}/playground/tools/${tool}`, { method: 'POST', body });
    expect(await post('constructor', { threadId: 't', input: {} })).toMatchObject({ status: 404 });
    expect(await post('browser_close', { input: {} })).toMatchObject({ status: 400 });
  });

  test('is forgotten with its thread, and the browser closed', async () => {
    await ask(`${playground.url}/playground/threads/by-hand`, { method: 'DELETE' });
    expect(await read('/playground/threads/by-hand/actions')).toEqual([]);
    const { sessions } = await read<{ sessions: { threadId: string; isOpen: boolean }[] }>(
      '/browser/scripted/sessions',
    );
    expect(sessions.some(({ threadId, isOpen }) => threadId === 'by-hand' && isOpen)).toBe(false);
  });
});

describe('decisions', () => {
  const decide = (body: unknown) =>
    ask(`${playground.url}/playground/chat/scripted/none/decide`, { method: 'POST', body });

  test('that nobody waits for are refused in a sentence', async () => {
    const { status, body } = await decide({ kind: 'approval', toolCallId: 'c1', approved: true });
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 409,
      body: { error: 'The agent no longer waits for this answer.' },
    });
  });

  test.each([
    {},
    { kind: 'approval', toolCallId: '', approved: true },
    { kind: 'question', toolCallId: 'c1' },
    { kind: 'approval', toolCallId: 'c1', approved: 'yes' },
  ])('of another shape are refused: %j', async body => {
    expect((await decide(body)).status).toBe(400);
  });

  test('of an agent that does not exist are refused', async () => {
    const { status } = await ask(`${playground.url}/playground/chat/nobody/t/stop`, { method: 'POST', body: {} });
    expect(status).toBe(404);
  });

  test('to stop a thread without a run change nothing', async () => {
    const { status } = await ask(`${playground.url}/playground/chat/scripted/none/stop`, { method: 'POST', body: {} });
    expect(status).toBe(200);
  });
});
