import type { Frame, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { Worlds } from '../../src/browser/tab/worlds.js';
import type { PingAnswer } from '../../src/page/answers.js';
import { PageCapture } from '../../src/snapshot/capture.js';
import { servePages } from '../fixtures.js';
import { launchForFile } from '../launched-engine.js';

const LIMITS = { timeout: 10_000 };

const { browser, engine } = await launchForFile('--site-per-process');

const site = await servePages({
  '/': '<!doctype html><title>Main</title><iframe name="browserToolsetEngines" src="/a"></iframe><iframe src="/b"></iframe>',
  '/a': '<!doctype html><title>A</title><iframe src="/nested"></iframe>',
  '/b': '<!doctype html><title>B</title>',
  '/nested': '<!doctype html><title>Nested</title><button>Deep</button>',
  '/around': '<!doctype html><title>Around</title><iframe src="/b"></iframe><iframe src="/c"></iframe>',
  '/c': '<!doctype html><title>C</title>',
  '/sandboxed': '<!doctype html><title>Sandboxed</title><iframe src="/b" sandbox="allow-scripts"></iframe>',
  '/long': `<!doctype html><title>Long</title>${'<button>More</button>'.repeat(40_000)}`,
  '/many': `<!doctype html><title>Many</title>${'<iframe src="/b"></iframe>'.repeat(40)}`,
});

/** The address of the same page on another site, which Chromium puts in another process. */
const elsewhere = (path: string) => site.url(path).replace('127.0.0.1', 'localhost');

const worldsOf = new WeakMap<Page, Worlds>();

/** Opens a page with frames of these addresses beside its own; the straight ways to all of its documents are known then. */
async function open(url: string, ...inner: string[]): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  for (const src of inner) await addFrame(page.mainFrame(), src);
  await captured(page);
  return page;
}

async function addFrame(around: Frame, src: string): Promise<void> {
  await around.evaluate(address => {
    const frame = Object.assign(document.createElement('iframe'), { src: address });
    const loaded = new Promise(resolve => {
      frame.onload = resolve;
    });
    document.body.append(frame);
    return loaded.then(() => undefined);
  }, src);
}

async function captured(page: Page): Promise<void> {
  const worlds = worldsOf.get(page) ?? new Worlds(page, engine.lines);
  worldsOf.set(page, worlds);
  await new PageCapture(page, engine, worlds).take(LIMITS);
  for (const frame of page.frames()) await expect.poll(() => engine.lines.get(frame)?.isOver).toBe(false);
}

const titleIn = async (frame: Frame) =>
  (await engine.ask<PingAnswer>(frame, { do: 'ping' }, { ...LIMITS, together: true })).title;

/** Notes the messages that go to the targets of a page's documents. */
function messagesTo(page: Page): string[] {
  const sent: string[] = [];
  for (const session of new Set(page.frames().flatMap(frame => engine.lines.get(frame)?.world.session ?? []))) {
    const send = session.send.bind(session) as (method: string, params?: object) => Promise<never>;
    session.send = (method: string, params?: object) => {
      sent.push(method);
      return send(method, params);
    };
  }
  return sent;
}

test('documents of one process answer one message, each for itself', async () => {
  const page = await open(site.url());
  const sent = messagesTo(page);
  expect(await Promise.all(page.frames().map(titleIn))).toEqual(['Main', 'A', 'B', 'Nested']);
  expect(sent).toEqual(['Runtime.callFunctionOn']);
  await page.close();
});

test('a document of another origin has a message of its own, as one of another process has', async () => {
  const otherOrigin = await servePages({ '/': '<!doctype html><title>Other origin</title>' });
  const page = await open(site.url(), otherOrigin.url(), elsewhere('/b'));
  const titles = ['Main', 'A', 'B', 'Nested', 'Other origin', 'B'].reverse();
  const frames = page.frames().reverse();
  expect(await Promise.all(frames.map(titleIn))).toEqual(titles);
  const sent = messagesTo(page);
  expect(await Promise.all(frames.map(titleIn))).toEqual(titles);
  expect(sent).toHaveLength(3);
  await page.close();
});

test('documents of one origin in another process answer one message, whatever target they are', async () => {
  const page = await open(site.url('/c'), elsewhere('/around'), elsewhere('/a'));
  // A document of the main one's origin inside one of another origin is a target as well.
  await addFrame(page.frames()[1] as Frame, site.url('/b'));
  await captured(page);
  const titles = async () => (await Promise.all(page.frames().map(titleIn))).toSorted();
  const sent = messagesTo(page);
  expect(await titles()).toEqual(['A', 'Around', 'B', 'B', 'C', 'C', 'Nested']);
  expect(sent).toHaveLength(2);
  expect(new Set(page.frames().map(frame => engine.lines.get(frame)?.world.session)).size).toBe(4);
  await page.close();
});

test('what a target is to count is asked there', async () => {
  const page = await open(site.url('/c'), elsewhere('/b'), elsewhere('/a'));
  const [, b, a] = page.frames() as [Frame, Frame, Frame];
  const sent = messagesTo(page);
  const counted = [a, b].map(frame => {
    const counts = engine.countsOf(frame) ?? expect.fail('there is no line to the frame');
    return counts.during(stamp =>
      engine.ask(frame, { do: 'capture', maxNodes: 10, stamp }, { ...LIMITS, together: true }),
    );
  });
  for (const { counts } of await Promise.all(counted)) expect(counts).toMatch(/LayoutCount \d+ RecalcStyleCount \d+$/);
  expect(sent.filter(method => method === 'Runtime.callFunctionOn')).toHaveLength(2);
  await page.close();
});

test('a document that is of another origin than its address says is asked alone from then on', async () => {
  const page = await open(site.url('/sandboxed'));
  const sent = messagesTo(page);
  const titles = () => Promise.all(page.frames().map(titleIn));
  expect(await titles()).toEqual(['Sandboxed', 'B']);
  sent.length = 0;
  expect(await titles()).toEqual(['Sandboxed', 'B']);
  expect(sent).toHaveLength(2);
  await page.close();
});

test('a document that was written anew in another process answers all the same', async () => {
  const page = await open(site.url('/c'), elsewhere('/b'), elsewhere('/c'));
  const [, b, c] = page.frames() as [Frame, Frame, Frame];
  await b.evaluate(() => {
    document.open();
    document.write('<title>Written</title>');
    document.close();
  });
  expect(await Promise.all([b, c].map(titleIn))).toEqual(['Written', 'C']);
  await page.close();
});

test('documents that take long do not wait for each other', async () => {
  const page = await open(site.url('/c'), site.url('/long'), site.url('/b'), site.url('/long'));
  const [main, long, b, longer] = page.frames() as [Frame, Frame, Frame, Frame];
  const sent = messagesTo(page);
  const look = (frame: Frame) =>
    engine.ask<{ capture?: { title: string } }>(
      frame,
      { do: 'capture', maxNodes: 100_000 },
      { ...LIMITS, together: true },
    );
  const answers = await Promise.all([long, longer, b, main].map(look));
  expect(answers.map(({ capture }) => capture?.title)).toEqual(['Long', 'Long', 'B', 'C']);
  expect(sent.length).toBeGreaterThan(1);
  await page.close();
});

test('what one of them refuses is refused to whoever asked it', async () => {
  const page = await open(site.url());
  const gone = { doc: 'another', id: 1, fingerprint: 1, lastId: 0 };
  const [main, a] = page.frames() as [Frame, Frame];
  const refused = engine.ask(a, { do: 'facts', target: gone }, { ...LIMITS, together: true }).catch(error => error);
  const [title, error] = await Promise.all([titleIn(main), refused]);
  expect(title).toBe('Main');
  expect(engine.refusalOf(error)).toMatchObject({ code: 'stale' });
  await page.close();
});

test('a document that goes meanwhile takes no answer of the others along', async () => {
  const page = await open(site.url());
  const [main, a, b] = page.frames() as [Frame, Frame, Frame];
  await page.evaluate(() => document.querySelector('iframe')?.remove());
  const asked = await Promise.allSettled([titleIn(a), titleIn(b), titleIn(main)]);
  expect(asked.map(answer => (answer.status === 'fulfilled' ? answer.value : 'gone'))).toEqual(['gone', 'B', 'Main']);
  await page.close();
});

test('many documents answer a few messages', async () => {
  const page = await open(site.url('/many'));
  const sent = messagesTo(page);
  const titles = await Promise.all(page.frames().map(titleIn));
  expect(titles).toEqual(['Many', ...Array.from({ length: 40 }, () => 'B')]);
  expect(sent).toHaveLength(3);
  await page.close();
});

test.each([
  ['hold', false],
  ['do not hold where one was looked at after them', true],
])('counts of when all documents were looked at %s', async (_, isLate) => {
  const page = await open(site.url());
  const [main, a] = page.frames() as [Frame, Frame];
  const world = engine.lines.get(a)?.world ?? expect.fail('there is no line to the frame');
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
