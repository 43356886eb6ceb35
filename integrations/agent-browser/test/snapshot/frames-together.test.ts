import { expect, test } from 'vitest';
import { servePages } from '../fixtures.js';
import { launchForFile } from '../launched-engine.js';
import { FramedPage, type Inner } from '../page/framed-page.js';

const { browser, engine } = await launchForFile('--site-per-process');

const site = await servePages({
  '/': '<!doctype html><title>Main</title><button>Go</button>',
  '/large': `<!doctype html><title>Large</title>${'<p>Line</p>'.repeat(6_000)}`,
  '/a': '<!doctype html><title>A</title><button>In A</button>',
  '/b': '<!doctype html><title>B</title><button>In B</button>',
  '/list': `<!doctype html><title>List</title>${'<button>Item</button>'.repeat(200)}`,
});
const otherOrigin = await servePages({ '/': '<!doctype html><title>Other</title><button>In other</button>' });
const elsewhere = (path: string) => site.url(path).replace('127.0.0.1', 'localhost');

/** Opens a page with these frames, and looks at it until its targets have counted for all documents that they count for. */
async function open(url: string, ...inner: Inner[]): Promise<FramedPage> {
  const opened = await FramedPage.open(browser, engine, url, ...inner);
  for (let looks = 0; looks < 2; looks++) await opened.look({ atRest: true });
  opened.messages.length = 0;
  return opened;
}

const titlesAsked = async ({ messages }: FramedPage) =>
  Promise.all(messages.map(async ({ frames }) => (await Promise.all(frames.map(frame => frame.title()))).join(' ')));

test.each([true, false])('a look asks the main document with its frames (at rest: %s)', async atRest => {
  const opened = await open(site.url(), site.url('/a'), site.url('/b'));
  await opened.look({ atRest });
  expect(await titlesAsked(opened)).toEqual(['Main A B']);
  await opened.page.close();
});

test('a large main document is asked by itself, after its frames', async () => {
  const opened = await open(site.url('/large'), site.url('/a'), site.url('/b'));
  await opened.look({ atRest: true });
  expect(await titlesAsked(opened)).toEqual(['A B', 'Large']);
  await opened.page.close();
});

test('a frame of another origin in the same target is asked before the main document', async () => {
  const opened = await open(site.url(), site.url('/a'), otherOrigin.url());
  await opened.look({ atRest: true });
  expect(await titlesAsked(opened)).toEqual(['Other', 'Main A']);
  await opened.page.close();
});

test('small documents of other targets go with others of their origin, uncounted', async () => {
  const opened = await open(site.url(), elsewhere('/a'), elsewhere('/b'), elsewhere('/list'));
  await opened.look({ atRest: true });
  expect((await titlesAsked(opened)).toSorted()).toEqual(['A B List', 'Main']);
  const [, a, b, list] = opened.frames.map(frame => engine.countsOf(frame)?.session);
  const asked = opened.messages.map(({ session }) => session);
  expect(asked).toContain(list);
  expect(asked).not.toContain(a);
  expect(asked).not.toContain(b);
  await opened.page.close();
});

test('a change without a mutation in a small document of another target is seen', async () => {
  const opened = await open(site.url(), { src: elsewhere('/a'), width: '300' });
  const frame = await opened.frame('A');
  await frame.addStyleTag({ content: '@media (max-width: 200px) { button { display: none } }' });
  const names = async () => JSON.stringify((await opened.look({ atRest: true })).roots);
  expect(await names()).toContain('In A');
  await opened.page.evaluate(() => document.querySelector('iframe')?.setAttribute('width', '150'));
  await expect.poll(names).not.toContain('In A');
  await opened.page.close();
});

test('frames that are added and go between two looks leave the others as they are', async () => {
  const opened = await open(site.url(), site.url('/a'), elsewhere('/b'));
  const text = async () => JSON.stringify((await opened.look({ atRest: true })).roots);
  await opened.add(elsewhere('/a'));
  expect((await text()).match(/In A/g)).toHaveLength(2);
  await opened.page.evaluate(() => document.querySelector('iframe')?.remove());
  const left = await text();
  expect(left.match(/In A/g)).toHaveLength(1);
  expect(left).toContain('In B');
  await opened.page.close();
});
