import { encodeVideoMessage } from '@browser-toolset/core/protocol';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from '../page/fixtures.js';
import { AGENT_DRIVES, type LiveServer, VIEWPORT } from '../page/live-server.js';

type Colour = [red: number, green: number, blue: number];

const RED: Colour = [200, 30, 60];
const BLUE: Colour = [20, 120, 220];
const GREEN: Colour = [40, 160, 70];

const CODEC = 'vp09.00.31.08';
const SIZE = { width: 640, height: 360, codedWidth: 640, codedHeight: 360 };
const VIDEO = { video: { version: 1, codec: CODEC, ...SIZE } };
const BEGIN = [{ status: 'streaming' }, { viewport: VIEWPORT }, AGENT_DRIVES];

/** A picture of each colour, as WebCodecs encodes them: the first is a key picture. */
async function encoded(page: Page, colours: Colour[]): Promise<Buffer[]> {
  const pictures = await page.evaluate(
    async ([codec, all]) => {
      const chunks: { isKey: boolean; data: number[] }[] = [];
      const encoder = new VideoEncoder({
        output: chunk => {
          const data = new Uint8Array(chunk.byteLength);
          chunk.copyTo(data);
          chunks.push({ isKey: chunk.type === 'key', data: [...data] });
        },
        error: error => {
          throw error;
        },
      });
      encoder.configure({ codec, width: 640, height: 360, latencyMode: 'realtime' });
      const canvas = new OffscreenCanvas(640, 360);
      const context = canvas.getContext('2d');
      for (const [index, colour] of all.entries()) {
        if (context === null) throw new Error('no canvas');
        context.fillStyle = `rgb(${colour})`;
        context.fillRect(0, 0, 640, 360);
        const frame = new VideoFrame(canvas, { timestamp: index * 1000 });
        encoder.encode(frame, { keyFrame: index === 0 });
        frame.close();
        await encoder.flush();
      }
      encoder.close();
      return chunks;
    },
    [CODEC, colours] as const,
  );
  return pictures.map(({ isKey, data }, sequence) => chunk({ isKey, sequence, data: Uint8Array.from(data) }));
}

function chunk(given: { isKey: boolean; sequence: number; data: Uint8Array }): Buffer {
  return Buffer.from(encodeVideoMessage({ ...given, timestamp: 1_000_000 + given.sequence * 1000 }));
}

/** Waits until the canvas shows a colour in its middle, about. */
async function untilShown(page: Page, colour: Colour): Promise<void> {
  await page.waitForFunction(wanted => {
    const canvas = document.querySelector('canvas');
    const { width = 0, height = 0 } = canvas ?? {};
    const shown = canvas?.getContext('2d')?.getImageData(width / 2, height / 2, 1, 1).data ?? [];
    return wanted.every((value, index) => Math.abs(value - (shown[index] ?? -1000)) < 40);
  }, colour);
}

const keysAsked = (server: LiveServer): number => server.messages.filter(({ type }) => type === 'keyframe').length;

async function figures(page: Page): Promise<string> {
  await page.locator('summary').click();
  return (await page.locator('.bt-figures').textContent()) ?? '';
}

describe('video', () => {
  test('is asked for and drawn where the window can decode it, and the details say so', async ({
    page,
    server,
    mount,
  }) => {
    const [red = Buffer.of(), blue = Buffer.of()] = await encoded(page, [RED, BLUE]);
    server.greeting = [...BEGIN, VIDEO, red];
    await mount();
    await untilShown(page, RED);
    server.say(blue);
    await untilShown(page, BLUE);
    expect(server.streams.every(url => url.endsWith('&frames=video'))).toBe(true);
    expect(await figures(page)).toMatch(/^Video · \d+ KB\/s · \d+ fps$/);
  });

  test('is not drawn again before a key picture that is asked for, when a chunk is missing', async ({
    page,
    server,
    mount,
  }) => {
    const [red = Buffer.of(), blue = Buffer.of(), green = Buffer.of()] = await encoded(page, [RED, BLUE, GREEN]);
    server.greeting = [...BEGIN, VIDEO, red];
    await mount();
    await untilShown(page, RED);
    const asked = keysAsked(server);
    server.say(green);
    await server.until(() => keysAsked(server) > asked);
    // A picture that builds on the missing one would show wrong colours.
    server.say(red, blue);
    await untilShown(page, BLUE);
  });

  test('that cannot be decoded twice gives way to JPEG in a new connection', async ({ page, server, mount, frame }) => {
    server.greeting = [...BEGIN, VIDEO, frame];
    await mount();
    const garbage = (sequence: number) =>
      chunk({ isKey: true, sequence, data: Uint8Array.from({ length: 99 }, () => 0xff) });
    const asked = keysAsked(server);
    server.say(garbage(0));
    await server.until(() => keysAsked(server) > asked);
    server.say(garbage(1));
    await server.until(() => server.streams.at(-1)?.endsWith('&frames=binary') === true && server.viewers === 1);
    await page.getByRole('status', { name: 'Live view: Live' }).waitFor();
    expect(await figures(page)).toMatch(/^JPEG · /);
  });

  test('that failed is shown again, however often, as long as pictures come in between', async ({
    page,
    server,
    mount,
  }) => {
    const [red = Buffer.of(), blue = Buffer.of()] = await encoded(page, [RED, BLUE]);
    server.greeting = [...BEGIN, VIDEO, red];
    await mount();
    await untilShown(page, RED);
    const garbage = chunk({ isKey: true, sequence: 0, data: Uint8Array.from({ length: 99 }, () => 0xff) });
    for (let time = 0; time < 4; time += 1) {
      const asked = keysAsked(server);
      server.say(garbage);
      await server.until(() => keysAsked(server) > asked);
      server.say(red, blue);
      await untilShown(page, BLUE);
      server.say(red);
      await untilShown(page, RED);
    }
    expect(server.streams.filter(url => !url.endsWith('&frames=video'))).toEqual([]);
  });

  test('of another size is not drawn before a key picture, which is asked for', async ({ page, server, mount }) => {
    const [red = Buffer.of(), blue = Buffer.of(), green = Buffer.of()] = await encoded(page, [RED, BLUE, GREEN]);
    server.greeting = [...BEGIN, VIDEO, red];
    await mount();
    await untilShown(page, RED);
    for (let time = 0; time < 3; time += 1) {
      const asked = keysAsked(server);
      server.say({ video: { ...VIDEO.video } }, blue, green);
      await server.until(() => keysAsked(server) > asked);
      server.say(red, blue);
      await untilShown(page, BLUE);
      server.say(red);
      await untilShown(page, RED);
    }
    expect(server.streams.filter(url => !url.endsWith('&frames=video'))).toEqual([]);
  });

  test('that the server has not gives way to JPEG without a word', async ({ page, server, mount, frame }) => {
    server.greeting = [...BEGIN, { error: 'video_not_supported', message: 'There is no video.' }, frame];
    await mount();
    expect(await figures(page)).toMatch(/^JPEG · /);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(server.streams.at(-1)).toContain('frames=video');
  });

  test('is not asked for by who wants JPEG', async ({ server, mount }) => {
    await mount({ stream: { frames: 'jpeg' } });
    expect(server.streams.at(-1)).toContain('frames=binary');
  });
});
