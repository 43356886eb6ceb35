import type { Frame } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { within } from '../../src/browser/deadline.js';
import type { PingAnswer } from '../../src/page/answers.js';
import { servePages } from '../fixtures.js';
import { launchForFile } from '../launched-engine.js';
import { FramedPage, type Inner } from './framed-page.js';

const LIMITS = { timeout: 10_000 };
/** What a frame that hangs is given, in milliseconds. */
const PATIENCE = 3_000;

const { browser, engine } = await launchForFile('--site-per-process');

const HANG = `<script>addEventListener('message', () => { for (;;); })</script>`;
const site = await servePages({
  '/': '<!doctype html><title>Main</title><iframe name="browserToolsetEngines" src="/a"></iframe><iframe src="/b"></iframe>',
  '/a': '<!doctype html><title>A</title><iframe src="/nested"></iframe>',
  '/b': '<!doctype html><title>B</title>',
  '/c': '<!doctype html><title>C</title>',
  '/d': '<!doctype html><title>D</title>',
  '/nested': '<!doctype html><title>Nested</title><button>Deep</button>',
  '/around': '<!doctype html><title>Around</title><iframe src="/b"></iframe><iframe src="/c"></iframe>',
  '/named': '<!doctype html><title>Named</title><iframe name="document" src="/b"></iframe>',
  '/hangs': `<!doctype html><title>Hangs</title>${HANG}`,
  '/away': `<!doctype html><title>Away</title><script>location = 'data:text/html,' + encodeURIComponent(${JSON.stringify(`<title>Hangs</title>${HANG}`).replaceAll('/', '\\/')})</script>`,
  '/long': `<!doctype html><title>Long</title>${'<button>More</button>'.repeat(40_000)}`,
  '/many': `<!doctype html><title>Many</title>${'<iframe src="/b"></iframe>'.repeat(40)}`,
});

/** The address of the same page on another site, which Chromium puts in another process. */
const elsewhere = (path: string) => site.url(path).replace('127.0.0.1', 'localhost');

const open = (url: string, ...inner: Inner[]) => FramedPage.open(browser, engine, url, ...inner);

const titleIn = async (frame: Frame, limits = LIMITS) =>
  (await engine.ask<PingAnswer>(frame, { do: 'ping' }, { ...limits, together: true })).title;

const titlesIn = (frames: readonly Frame[]) => Promise.all(frames.map(frame => titleIn(frame)));

test('documents of one process answer one message, each for itself', async () => {
  const { page, frames, messages } = await open(site.url());
  expect(await titlesIn(frames)).toEqual(['Main', 'A', 'B', 'Nested']);
  expect(messages).toHaveLength(1);
  await page.close();
});

test('a document of another origin has a message of its own, as one of another process has', async () => {
  const otherOrigin = await servePages({ '/': '<!doctype html><title>Other origin</title>' });
  const { page, frames, messages } = await open(site.url(), otherOrigin.url(), elsewhere('/b'));
  for (const order of [frames, frames.toReversed()]) {
    messages.length = 0;
    expect((await titlesIn(order)).toSorted()).toEqual(['A', 'B', 'B', 'Main', 'Nested', 'Other origin']);
    expect(messages).toHaveLength(3);
  }
  await page.close();
});

test('documents of one origin in another process answer one message, whatever target they are', async () => {
  const opened = await open(site.url('/c'), elsewhere('/around'), elsewhere('/a'));
  // A document of the main one's origin inside one of another origin is a target as well.
  await opened.add(site.url('/b'), await opened.frame('Around'));
  await opened.learn();
  const { page, frames, messages } = opened;
  expect((await titlesIn(frames)).toSorted()).toEqual(['A', 'Around', 'B', 'B', 'C', 'C', 'Nested']);
  expect(messages).toHaveLength(2);
  expect(new Set(frames.map(frame => engine.lines.get(frame)?.world.session)).size).toBe(4);
  await page.close();
});

test('what a target is to count is asked there', async () => {
  const { page, frames, messages } = await open(site.url('/c'), elsewhere('/b'), elsewhere('/d'));
  const counted = frames.slice(1).map(frame => {
    const counts = engine.countsOf(frame) ?? expect.fail('there is no line to the frame');
    return counts.during(stamp =>
      engine.ask(frame, { do: 'capture', maxNodes: 10, stamp }, { ...LIMITS, together: true }),
    );
  });
  for (const { counts } of await Promise.all(counted)) expect(counts).toMatch(/LayoutCount \d+ RecalcStyleCount \d+$/);
  expect(messages).toHaveLength(2);
  await page.close();
});

test('what the last one asks for comes last where all are of one target', async () => {
  const otherOrigin = await servePages({ '/': '<!doctype html><title>Other origin</title>' });
  const { page, messages, frames } = await open(site.url(), otherOrigin.url());
  const order = [...frames.slice(1), page.mainFrame()];
  await titlesIn(order);
  expect(messages.map(({ frames: asked }) => asked.includes(page.mainFrame()))).toEqual([false, true]);
  await page.close();
});

describe('a document that is of another origin than its address says', () => {
  const odd: [what: string, inner: Inner][] = [
    ['a sandboxed one', { src: site.url('/d'), sandbox: 'allow-scripts' }],
    ['one of a data: url', 'data:text/html,<title>D</title>'],
    ['one of a load that failed', 'http://127.0.0.1:1/'],
    ['a sandboxed one in place', { srcdoc: '<title>D</title>', sandbox: 'allow-scripts' }],
  ];

  test.each(odd)('is asked alone, and the others together: %s', async (_, inner) => {
    const { page, frames, messages } = await open(site.url(), inner);
    for (const order of [frames, frames.toReversed()]) {
      messages.length = 0;
      expect(await titlesIn(order)).toEqual(expect.arrayContaining(['Main', 'A', 'B', 'Nested']));
      expect(messages.map(({ frames: asked }) => asked.length).toSorted()).toEqual([1, 4]);
    }
    await page.close();
  });

  const hanging: [what: string, inner: Inner][] = [
    ['a sandboxed one', { src: site.url('/hangs'), sandbox: 'allow-scripts' }],
    ['one that went to a data: url from another site', elsewhere('/away')],
    ['one of another site', elsewhere('/hangs')],
  ];

  test.each(hanging)('hangs by itself: %s', async (_, inner) => {
    const opened = await open(site.url(), inner);
    await expect.poll(() => opened.frame('Hangs').then(Boolean, () => false)).toBe(true);
    const frame = await opened.frame('Hangs');
    await opened.learn();
    const { page, frames } = opened;
    await page.evaluate(() => [...document.querySelectorAll('iframe')].at(-1)?.contentWindow?.postMessage('', '*'));
    await expect.poll(() => within(PATIENCE, frame.evaluate('true'))).toBeUndefined();
    const answered = await Promise.all(frames.map(each => titleIn(each, { timeout: PATIENCE }).catch(() => 'hangs')));
    expect(answered).toEqual(frames.map(each => (each === frame ? 'hangs' : expect.any(String))));
    expect(answered.filter(title => title === 'hangs')).toHaveLength(1);
    await page.close();
  });
});

test('a frame with the name of what documents have lets the others answer', async () => {
  const { page, frames, messages } = await open(site.url('/c'), elsewhere('/named'), site.url('/b'));
  expect((await titlesIn(frames)).toSorted()).toEqual(['B', 'B', 'C', 'Named']);
  expect(messages).toHaveLength(2);
  await page.close();
});

test('a document of another target that was written anew answers as before', async () => {
  const { page, frames, messages } = await open(site.url('/c'), elsewhere('/b'), elsewhere('/d'));
  const inner = frames.slice(1);
  await inner[0]?.evaluate(() => {
    document.open();
    document.write('<title>Written</title>');
    document.close();
  });
  expect(await titlesIn(inner)).toEqual(['Written', 'D']);
  expect(messages).toHaveLength(1);
  await page.close();
});

test('documents that take long do not wait for each other', async () => {
  const inner = [site.url('/long'), site.url('/b'), site.url('/long')];
  const { page, frames, messages } = await open(site.url('/c'), ...inner);
  const [main, long, b, longer] = frames as [Frame, Frame, Frame, Frame];
  const capture = { do: 'capture', maxNodes: 100_000 } as const;
  const look = (frame: Frame) =>
    engine.ask<{ capture?: { title: string } }>(frame, capture, { ...LIMITS, together: true });
  const answers = await Promise.all([long, longer, b, main].map(look));
  expect(answers.map(answer => answer.capture?.title)).toEqual(['Long', 'Long', 'B', 'C']);
  expect(messages.length).toBeGreaterThan(1);
  await page.close();
});

test('what one of them refuses is refused to whoever asked it', async () => {
  const { page, frames } = await open(site.url());
  const gone = { doc: 'another', id: 1, fingerprint: 1, lastId: 0 };
  const [main, a] = frames as [Frame, Frame];
  const refused = engine.ask(a, { do: 'facts', target: gone }, { ...LIMITS, together: true }).catch(error => error);
  const [title, error] = await Promise.all([titleIn(main), refused]);
  expect(title).toBe('Main');
  expect(engine.refusalOf(error)).toMatchObject({ code: 'stale' });
  await page.close();
});

test('a document that goes meanwhile takes no answer of the others along', async () => {
  const { page, frames } = await open(site.url());
  const [main, a, b] = frames as [Frame, Frame, Frame];
  await page.evaluate(() => document.querySelector('iframe')?.remove());
  const asked = await Promise.allSettled([titleIn(a), titleIn(b), titleIn(main)]);
  expect(asked.map(answer => (answer.status === 'fulfilled' ? answer.value : 'gone'))).toEqual(['gone', 'B', 'Main']);
  await page.close();
});

test('a document whose frame was removed answers nobody where it was asked before', async () => {
  const { page, frames } = await open(site.url());
  const [main, , b] = frames.map(frame => engine.lines.get(frame) ?? expect.fail('a line is not known'));
  const { session, uniqueId } = main?.world ?? expect.fail('there is no main document');
  const tellB = async () => {
    const { result } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function(asked) { return this.browserToolsetEngines.tellAll(asked) }',
      arguments: [{ value: [[b?.doc, '{"do":"ping"}']] }],
      uniqueContextId: uniqueId,
      returnByValue: true,
    });
    return result.value;
  };
  expect(await tellB()).toEqual([{ text: expect.stringContaining('"B"') }]);
  await page.evaluate(() => document.querySelectorAll('iframe')[1]?.remove());
  expect(await tellB()).toEqual(['unreached']);
  await page.close();
});

test('many documents answer a few messages', async () => {
  const { page, frames, messages } = await open(site.url('/many'));
  expect(await titlesIn(frames)).toEqual(['Many', ...Array.from({ length: 40 }, () => 'B')]);
  expect(messages).toHaveLength(3);
  await page.close();
});

test.each([
  ['hold', false],
  ['do not hold where one was looked at after them', true],
])('counts of when all documents were looked at %s', async (_, isLate) => {
  const { page, frames } = await open(site.url());
  const [main, a] = frames as [Frame, Frame];
  const { world } = engine.lines.get(a) ?? expect.fail('there is no line to the frame');
  // As if the document that was to pass the question on had gone meanwhile.
  if (isLate) world.uniqueId = '1.1';
  const { counts } = await world.counts.during(async stamp => {
    const asked = titleIn(a);
    await Promise.resolve();
    await engine.ask(main, { do: 'capture', maxNodes: 10, stamp }, LIMITS);
    expect(await asked).toBe('A');
  });
  expect(counts === undefined).toBe(isLate);
  await page.close();
});
