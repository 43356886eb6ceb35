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
  '/many': `<!doctype html><title>Many</title>${'<iframe src="/b"></iframe>'.repeat(40)}`,
});

/** Opens a page with frames of these addresses beside its own; the straight ways to all of its documents are known then. */
async function open(url: string, ...inner: string[]): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  for (const src of inner) {
    await page.evaluate(address => {
      const frame = Object.assign(document.createElement('iframe'), { src: address });
      const loaded = new Promise(resolve => {
        frame.onload = resolve;
      });
      document.body.append(frame);
      return loaded;
    }, src);
  }
  await new PageCapture(page, engine, new Worlds(page, engine.lines)).take(LIMITS);
  for (const frame of page.frames()) await expect.poll(() => engine.lines.get(frame)?.isOver).toBe(false);
  return page;
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
  const elsewhere = site.url('/b').replace('127.0.0.1', 'localhost');
  const otherOrigin = await servePages({ '/': '<!doctype html><title>Other origin</title>' });
  const page = await open(site.url(), otherOrigin.url(), elsewhere);
  const titles = ['Main', 'A', 'B', 'Nested', 'Other origin', 'B'].reverse();
  const frames = page.frames().reverse();
  expect(await Promise.all(frames.map(titleIn))).toEqual(titles);
  const sent = messagesTo(page);
  expect(await Promise.all(frames.map(titleIn))).toEqual(titles);
  expect(sent).toHaveLength(3);
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
