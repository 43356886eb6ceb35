import { FakeBrowserToolset } from '@browser-toolset/core/testing';
import { describe, expect, test } from 'vitest';
import type { ActionDetail } from '../../src/server/api.js';
import { Thumbnails } from '../../src/server/thumbnails.js';

function action(id: string, status: ActionDetail['status'], isReadOnly = false): ActionDetail {
  const call = { id, threadId: 't', tool: 'browser_click', by: 'agent' as const, isReadOnly, status };
  return { ...call, startedAt: 0, effects: [], gist: '', words: { sentence: '', lines: [] }, input: {}, pictures: [] };
}

const frame = (name: string) => ({
  data: Buffer.from(name).toString('base64'),
  viewport: { width: 1280, height: 720 },
});

/** A thread whose browser shows frames, once its camera runs. */
async function filmed(): Promise<{ browser: FakeBrowserToolset; thumbnails: Thumbnails }> {
  const browser = new FakeBrowserToolset();
  const thumbnails = new Thumbnails(browser);
  browser.open('t', 'https://shop.example/');
  thumbnails.follow(action('first', 'running'));
  await expect.poll(() => browser.streamCount('t')).toBe(1);
  return { browser, thumbnails };
}

describe('thumbnails', () => {
  test('show the last frame before the next action changes the page', async () => {
    const { browser, thumbnails } = await filmed();
    thumbnails.follow(action('first', 'done'));
    browser.emitFrame('t', frame('after first'));
    thumbnails.follow(action('look', 'running', true));
    browser.emitFrame('t', frame('a little later'));
    thumbnails.follow(action('second', 'running'));
    browser.emitFrame('t', frame('after second'));
    expect(String(await thumbnails.of('first'))).toBe('a little later');
    expect(String(await thumbnails.of('look'))).toBe('a little later');
    thumbnails.dispose();
    expect(String(await thumbnails.of('second'))).toBe('after second');
  });

  test('wait for a frame of what was done when the next action begins before there is one', async () => {
    const { browser, thumbnails } = await filmed();
    browser.emitFrame('t', frame('before'));
    thumbnails.follow(action('first', 'done'));
    thumbnails.follow(action('second', 'running'));
    browser.emitFrame('t', frame('after first'));
    thumbnails.follow(action('second', 'done'));
    thumbnails.follow(action('third', 'running'));
    browser.emitFrame('t', frame('after second'));
    expect(String(await thumbnails.of('first'))).toBe('after first');
    thumbnails.dispose();
    expect(String(await thumbnails.of('second'))).toBe('after second');
  });

  test('start no browser', async () => {
    const browser = new FakeBrowserToolset();
    const thumbnails = new Thumbnails(browser);
    thumbnails.follow(action('first', 'running'));
    thumbnails.follow(action('first', 'failed'));
    expect(await thumbnails.of('first')).toBeUndefined();
    expect(browser.isBrowserRunning('t')).toBe(false);
    thumbnails.dispose();
  });

  test('go on when the browser was closed and comes back', async () => {
    const { browser, thumbnails } = await filmed();
    browser.closeThread('t');
    browser.open('t', 'https://shop.example/');
    await expect.poll(() => browser.streamCount('t')).toBe(1);
    thumbnails.dispose();
    await expect.poll(() => browser.streamCount('t')).toBe(0);
  });
});
