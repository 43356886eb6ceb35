import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePages } from '../fixtures.js';
import { MastraDev, StudioChat } from './studio-fixtures.js';

const PATIENCE = { timeout: 15_000 };
const requests: string[] = [];
const head = '<!doctype html><link rel="icon" href="data:,">';
const site = await servePages({
  '/': `${head}<title>Search</title>
    <style>body { margin: 0 } input, button { position: absolute; left: 0; width: 1280px; height: 300px }</style>
    <form action="/found"><input name="q" aria-label="Query" style="top: 0"></form>
    <button style="top: 320px" onclick="fetch('/pressed')">Press</button>`,
  '/pressed': (request, response) => {
    requests.push(request.url ?? '');
    response.end();
  },
  '/arrived': (request, response) => {
    requests.push(request.url ?? '');
    response.end();
  },
  '/found': (request, response) => {
    requests.push(request.url ?? '');
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`${head}<title>Found</title><h1>Found</h1><script>fetch('/arrived')</script>`);
  },
});

let dev: MastraDev;
let chat: StudioChat;

beforeAll(async () => {
  dev = await MastraDev.start({ PAGE_URL: site.url() });
  chat = await StudioChat.open(`${dev.url}/agents/shopper/chat/new`);
}, 180_000);

afterAll(async () => {
  await chat?.close();
  await dev?.stop();
});

/** The steps of one visit, in this order. */
describe('Mastra Studio with the toolset in the browser slot of an agent', { timeout: 60_000 }, () => {
  it('lists the tools of the agent', async () => {
    expect(await dev.json('/api/agents/shopper')).toMatchObject({
      hasBrowser: true,
      browserTools: expect.arrayContaining(['browser_navigate', 'browser_snapshot', 'browser_click']),
    });
  });

  it('shows what the agent calls and answers', async () => {
    await chat.say('Open the page');
    await chat.log.getByText(`I read: page "Search" ${site.url()}`).waitFor(PATIENCE);
    await expect.poll(() => chat.log.textContent()).toContain('Browser navigate');
  });

  it('shows the browser live', async () => {
    await chat.preview.filter({ hasText: 'Live' }).click(PATIENCE);
    await chat.liveView.waitFor(PATIENCE);
    const size = () => chat.liveView.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    await expect.poll(size, PATIENCE).toEqual([1280, 720]);
  });

  it("brings a person's click to the page", async () => {
    await chat.clickInView(600, 450);
    await expect.poll(() => requests, PATIENCE).toContain('/pressed');
  });

  it('brings typed text and Enter to the page', async () => {
    await chat.clickInView(600, 150);
    await chat.page.keyboard.type("it's a mug!");
    await chat.page.keyboard.press('Enter');
    const search = new URLSearchParams({ q: "it's a mug!" });
    await expect.poll(() => requests, PATIENCE).toContain(`/found?${search}`);
    await expect.poll(() => requests, PATIENCE).toContain('/arrived');
  });

  it('tells the model that it was the user who went to another page', async () => {
    await chat.page.keyboard.press('Escape');
    await chat.say('And now?');
    await chat.log.getByText('after the user went elsewhere').waitFor(PATIENCE);
  });

  it('closes the browser when the person says so', async () => {
    const thread = chat.page.url().split('/').at(-1);
    const session = () => dev.json(`/api/agents/shopper/browser/session?threadId=${thread}`);
    expect(await session()).toMatchObject({ hasSession: true });
    await chat.page.getByRole('button', { name: 'Close browser' }).click(PATIENCE);
    await chat.preview.waitFor({ state: 'hidden', ...PATIENCE });
    await expect.poll(session, PATIENCE).toMatchObject({ hasSession: false });
  });

  it('shows it live again after the next call started it anew', async () => {
    await chat.say('Open it again');
    await chat.preview.filter({ hasText: 'Live' }).waitFor(PATIENCE);
  });
});

describe("Mastra's tools API", { timeout: 60_000 }, () => {
  const run = (tool: string, data: object) => dev.json(`/api/tools/${tool}/execute`, { data, requestContext: {} });

  it('runs a tool that is registered', async () => {
    const result = await run('browser_navigate', { url: site.url() });
    expect(result).toMatchObject({ success: true, title: 'Search' });
  });

  it("answers input that does not fit in Mastra's shape and ours at once", async () => {
    expect(await run('browser_history', { direction: 'up' })).toMatchObject({
      error: true,
      validationErrors: { fields: { direction: { errors: [expect.stringContaining('"back"')] } } },
      success: false,
      code: 'invalid_input',
    });
  });
});
