import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { BrowserToolset } from '@browser-toolset/agent-browser';
import { decodeVideoMessage, encodeVideoMessage } from '@browser-toolset/core/protocol';
import { chromium, type Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { chromiumPath, OpenToolset, pageShower, servePage } from './chromium.js';
import { Decoder } from './decoder.js';
import { chunksOf } from './filmed-browser.js';
import { serveView, type TestViewer } from './viewing.js';

const show = pageShower();
const QUERY = 'threadId=one&frames=video';

/** Pages in which the frames of a thread's browser are encoded. */
const encoders = (page: Page) =>
  (page.context().browser()?.contexts() ?? [])
    .flatMap(context => context.pages())
    .filter(one => one.url().includes('encoder'));

/** The first chunk after each message that says how chunks are decoded. */
const firstChunks = ({ received }: TestViewer) =>
  received.flatMap((message, at) => {
    const next = 'video' in message && received.slice(at).find(one => 'frame' in one);
    return (next && 'frame' in next && decodeVideoMessage(next.frame as Buffer)) || [];
  });

const filled = (colour: string) => `<title>Filled</title><body style="height: 100vh; background: ${colour}">`;

/** Waits until the last picture that a viewer decodes has this colour in its middle, about. */
async function untilColour(viewer: TestViewer, decoder: Decoder, colour: [number, number, number]): Promise<void> {
  const distance = async () => {
    await viewer.until(({ frames }) => frames.length > 0);
    const { middle = [-1000, -1000, -1000] } = (await decoder.decode(viewer)).at(-1) ?? {};
    return Math.max(...middle.map((value, index) => Math.abs(value - (colour[index] ?? 0))));
  };
  await expect.poll(distance).toBeLessThan(12);
}

describe('the video of a page in a real browser', () => {
  test('begins with a key picture, shows what the page shows, and goes on with less', async () => {
    const { page, watch } = await show(filled('rgb(200, 30, 60)'));
    const decoder = await Decoder.open(page.context().browser());
    const viewer = await watch({ query: QUERY });
    await untilColour(viewer, decoder, [200, 30, 60]);
    await page.evaluate(() => document.body.style.setProperty('background', 'rgb(20, 120, 220)'));
    await untilColour(viewer, decoder, [20, 120, 220]);
    const chunks = chunksOf(viewer);
    expect(chunks.map(({ isKey }) => isKey)).toEqual([true, ...chunks.slice(1).map(() => false)]);
    const times = chunks.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
    expect(Math.abs((times.at(-1) ?? 0) / 1000 - Date.now())).toBeLessThan(600_000);
    const [{ width, height } = {}] = await decoder.decode(viewer);
    expect({ width, height }).toMatchObject({ width: 1280, height: 720 });
    expect(viewer.values('video')).toMatchObject([{ version: 1, width: 1280, height: 720, codedWidth: 1280 }]);
  });

  test('comes at once to who watches a page at rest, again when asked for, from the one encoder', async () => {
    const { page, watch } = await show(filled('rgb(40, 160, 70)'));
    const decoder = await Decoder.open(page.context().browser());
    const first = await watch({ query: QUERY });
    await untilColour(first, decoder, [40, 160, 70]);
    const late = await watch({ query: QUERY });
    await untilColour(late, decoder, [40, 160, 70]);
    expect(chunksOf(late)[0]?.isKey).toBe(true);
    const known = late.frames.length;
    late.send({ type: 'keyframe' });
    await late.until(viewer =>
      chunksOf(viewer)
        .slice(known)
        .some(({ isKey }) => isKey),
    );
    expect(encoders(page)).toHaveLength(1);
  });

  test('is as sharp as a JPEG once the page rests', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, index) =>
        `<p style="font: ${10 + (index % 5)}px sans-serif">${index} Small text with <a href="">a link</a>, figures such as 3,141.59 and <b>bold words</b></p>`,
    );
    const { page, viewer: jpeg, watch } = await show(`<body style="padding: 20px">${lines.join('')}`);
    const decoder = await Decoder.open(page.context().browser());
    const viewer = await watch({ query: QUERY });
    await viewer.until(({ frames }) => frames.length > 0);
    const png = await page.screenshot({ animations: 'allow', caret: 'initial' });
    const likeness = async () => {
      const like = await decoder.likeness(viewer, { png, jpeg: `${jpeg.frames.at(-1)}` });
      return like.video - like.jpeg;
    };
    await expect.poll(likeness, { timeout: 60_000 }).toBeGreaterThan(-0.0005);
  });

  test('takes another size when its viewers want one', async () => {
    const { page, watch } = await show(filled('rgb(90, 90, 200)'));
    const decoder = await Decoder.open(page.context().browser());
    const viewer = await watch({ query: `${QUERY}&maxWidth=1280` });
    await viewer.until(({ frames }) => frames.length > 0);
    const large = await watch({ query: `${QUERY}&maxWidth=1600` });
    await large.until(({ frames }) => frames.length > 0);
    await page.setViewportSize({ width: 801, height: 401 });
    await viewer.until(seen => seen.values('video').at(-1)?.width === 801);
    const known = chunksOf(viewer).findLastIndex(({ isKey }) => isKey);
    expect(known).toBeGreaterThan(0);
    viewer.frames.splice(0, known);
    await untilColour(viewer, decoder, [90, 90, 200]);
    // Chromium may show the page in between, while it takes its size.
    const size = async () => (await decoder.decode(viewer)).at(-1);
    await expect.poll(size, { timeout: 60_000 }).toMatchObject({ width: 801, height: 401 });
  });

  test.each([
    {
      how: 'grows and shrinks',
      sizes: [
        [640, 480],
        [900, 700],
        [500, 300],
        [1280, 720],
      ],
    },
    {
      how: 'changes by single pixels',
      sizes: [
        [801, 401],
        [802, 401],
        [802, 402],
        [801, 402],
      ],
    },
    {
      how: 'turns',
      sizes: [
        [400, 700],
        [700, 400],
        [400, 700],
      ],
    },
  ])('can be decoded from the first chunk of each size when it $how', async ({ sizes }) => {
    const { toolset, page, watch } = await show(filled('rgb(90, 90, 200)'));
    const decoder = await Decoder.open(page.context().browser());
    const viewer = await watch({ query: QUERY });
    await viewer.until(({ frames }) => frames.length > 0);
    for (const [width = 0, height = 0] of sizes) {
      await toolset.resize({ width, height }, 'one');
      await viewer.until(({ received }) => {
        const at = received.findLastIndex(message => 'video' in message && message.video.width === width);
        return at !== -1 && received.slice(at).some(message => 'frame' in message);
      });
    }
    const chunks = chunksOf(viewer);
    expect(await decoder.follow(viewer)).toHaveLength(chunks.length);
    expect(firstChunks(viewer).filter(({ isKey }) => !isKey)).toEqual([]);
  });

  test('takes an encoder that ends with its last viewer, and one that is lost is another', async () => {
    const { page, viewer: jpeg, watch } = await show(filled('rgb(250, 200, 0)'));
    const decoder = await Decoder.open(page.context().browser());
    const viewers = [await watch({ query: QUERY }), await watch({ query: QUERY })];
    for (const viewer of viewers) await untilColour(viewer, decoder, [250, 200, 0]);
    await encoders(page)[0]?.close();
    await page.evaluate(() => document.body.style.setProperty('background', 'rgb(0, 60, 120)'));
    for (const viewer of viewers) await untilColour(viewer, decoder, [0, 60, 120]);
    for (const viewer of viewers) await viewer.leave();
    await expect.poll(() => encoders(page)).toEqual([]);
    expect(jpeg.values('error')).toEqual([]);
  });

  test('goes on for others while one viewer does not read and another sends garbage', async () => {
    const { page, live, watch } = await show(
      `<canvas width="640" height="360"></canvas><script>
        const context = document.querySelector('canvas').getContext('2d');
        const paint = () => {
          const noise = context.createImageData(640, 360);
          for (let index = 0; index < noise.data.length; index += 1) noise.data[index] = Math.random() * 256;
          context.putImageData(noise, 0, 0);
          requestAnimationFrame(paint);
        };
        paint();
      </script>`,
    );
    const decoder = await Decoder.open(page.context().browser());
    const [slow, rude, fast] = [
      await watch({ query: QUERY }),
      await watch({ query: QUERY }),
      await watch({ query: QUERY }),
    ];
    slow.socket.pause();
    for (let count = 0; count < 1000; count += 1) {
      rude.sendRaw('{"type":"keyframe"');
      rude.send({ type: 'keyframe' });
    }
    await fast.until(({ frames }) => frames.length >= 20 && live.metrics().chunksSkipped > 0);
    expect((await decoder.decode(fast)).length).toBeGreaterThanOrEqual(20);
    expect(chunksOf(fast).filter(({ isKey }) => !isKey).length).toBeGreaterThan(0);
    slow.socket.resume();
    await slow.until(viewer => {
      const [last, newest] = [chunksOf(viewer).at(-1)?.sequence ?? 0, chunksOf(fast).at(-1)?.sequence ?? 0];
      return newest - last < 2;
    });
    expect((await decoder.decode(slow)).length).toBeGreaterThan(0);
  });
});

function chunkIn(frame: Buffer) {
  return decodeVideoMessage(frame) ?? expect.fail('it is a chunk');
}

describe('the viewer in the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const source = /```js\n(function watch[\s\S]*?)```/.exec(readme)?.[1] ?? '';

  async function open(url: string, stream = `${url.replace('http', 'ws')}/browser/web/stream?${QUERY}`) {
    // The browsers of toolsets reach addresses through proxies of their own.
    const browser = await chromium.launch({ executablePath: chromiumPath(), chromiumSandbox: false });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${url}/nothing`);
    await page.setContent('<canvas width="2" height="2"></canvas>');
    await page.addScriptTag({ content: `${source}; watch('${stream}', document.querySelector('canvas'));` });
    return page;
  }

  /** What the viewer has drawn in the middle of its canvas. */
  async function viewer(url: string, stream?: string) {
    const page = await open(url, stream);
    return () =>
      page.evaluate(() => {
        const canvas = document.querySelector('canvas') as HTMLCanvasElement;
        const { width, height } = canvas;
        return [...(canvas.getContext('2d')?.getImageData(width / 2, height / 2, 1, 1).data ?? [])].slice(0, 3);
      });
  }

  test('shows the video', async () => {
    const { page, url } = await show(filled('rgb(10, 200, 30)'));
    const drawn = await viewer(url);
    await expect.poll(async () => ((await drawn())[1] ?? 0) > 180 && ((await drawn())[0] ?? 255) < 40).toBe(true);
    await page.evaluate(() => document.body.style.setProperty('background', 'rgb(200, 20, 200)'));
    await expect.poll(async () => ((await drawn())[1] ?? 255) < 40 && ((await drawn())[0] ?? 0) > 180).toBe(true);
  });

  test.each([
    { what: 'a delta of another size', broken: (isKey: boolean) => !isKey, isAnew: true },
    { what: 'a delta without a key picture', broken: (isKey: boolean) => !isKey, isAnew: false },
    { what: 'a key picture that is none', broken: () => true, isAnew: true },
  ])('asks for a key picture once after $what, and goes on', async ({ broken, isAnew }) => {
    const { url, watch } = await show(filled('rgb(10, 200, 30)'));
    const real = await watch({ query: QUERY });
    await real.until(seen => chunksOf(seen).length > 1);
    const video = JSON.stringify({ video: real.values('video')[0] });
    const [key = Buffer.of(), delta = Buffer.of()] = real.frames as Buffer[];
    expect([key, delta].map(frame => decodeVideoMessage(frame)?.isKey)).toEqual([true, false]);
    const garbage = Buffer.from(encodeVideoMessage({ ...chunkIn(key), data: Buffer.alloc(99, 0xff) }));
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[WebSocket]>;
    const drawn = await viewer(url, `ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [socket] = await connected;
    let asked = 0;
    socket.on('message', () => {
      asked += 1;
    });
    const isGreen = async () => ((await drawn())[1] ?? 0) > 180;
    if (!isAnew || broken(true)) socket.send(video);
    else for (const message of [video, key, video]) socket.send(message);
    for (const message of broken(true) ? [garbage, delta, delta] : [delta, delta, delta]) socket.send(message);
    await expect.poll(() => asked).toBe(1);
    socket.send(key);
    await expect.poll(isGreen).toBe(true);
    socket.send(delta);
    await expect.poll(isGreen).toBe(true);
    expect(asked).toBe(1);
  });

  test('shows JPEG of a browser that cannot encode', async () => {
    const { browser, url } = await serveView();
    browser.open('one', 'https://shop.example/');
    const drawn = await viewer(url);
    await expect.poll(async () => Math.min(...(await drawn()))).toBeGreaterThan(50);
  });
});

test('no picture of a video shows a secret', async () => {
  const toolset = new OpenToolset({
    args: ['--no-sandbox'],
    secrets: { PASSWORD: { value: 'correct-horse-battery', domains: ['127.0.0.1'] } },
  });
  onTestFinished(() => toolset.close());
  const { watch } = await serveView({ source: toolset });
  const url = await servePage(`<style>b, input { color: red; font: bold 30px monospace; caret-color: black }</style>
    <input aria-label="Password" id="field"><b id="echo" style="position: absolute; left: 0; top: 200px"></b><script>
      let at = 0;
      setInterval(() => { echo.textContent = field.value; echo.style.left = (at = (at + 3) % 600) + 'px'; }, 16);
    </script>`);
  const session = toolset.session('one');
  const navigated = await session.navigate({ url });
  if (!navigated.success) throw new Error(JSON.stringify(navigated));
  const snapshot = await session.snapshot();
  const ref = /textbox "Password" (@e\d+)/.exec((snapshot.success && snapshot.tree) || '')?.[1] ?? '';
  const viewer = await watch({ query: QUERY });
  await viewer.until(({ frames }) => frames.length > 0);
  const typed = await session.type({ ref, text: '<secret>PASSWORD</secret>' });
  expect(typed.success).toBe(true);
  const page = await toolset.page('one');
  expect(await page.inputValue('#field')).toBe('correct-horse-battery');
  const known = viewer.frames.length;
  await viewer.until(({ frames }) => frames.length >= known + 40);
  const late = await watch({ query: QUERY });
  await late.until(({ frames }) => frames.length >= 5);
  const decoder = await Decoder.open(page.context().browser());
  for (const one of [viewer, late]) expect((await decoder.decode(one)).filter(({ red }) => red > 0)).toEqual([]);
});

test('a screencast of another browser cannot be encoded', async () => {
  const [one, other] = [new BrowserToolset({ args: ['--no-sandbox'] }), new BrowserToolset({ args: ['--no-sandbox'] })];
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
  const screencast = await one.startScreencast({ threadId: 'one' });
  const listener = { onChunk: () => undefined, onEnd: () => undefined };
  await expect(other.startVideo(screencast, listener)).rejects.toThrow(TypeError);
});
