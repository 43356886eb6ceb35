import { expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { TIMINGS } from '../../src/timings.js';
import { expectSuccess, refOf, servePages } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openSession } = pageOpener({}, { timings: TIMINGS });

async function open(body: string): Promise<BrowserSession> {
  const site = await servePages({
    '/': `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>${body}`,
  });
  return openSession(site.url());
}

async function click(session: BrowserSession, role: string, name: string): Promise<string | undefined> {
  const ref = refOf(expectSuccess(await session.snapshot()), role, name);
  return expectSuccess(await session.click({ ref })).changes;
}

const FAR = '<div style="height:3000px"></div><h2 id="far">Far away</h2>';

test.each([
  ['at once', '<button onclick="far.scrollIntoView()">Go</button>', 'button'],
  ['by a link', '<a href="javascript:far.scrollIntoView()">Go</a>', 'link'],
])('a page that scrolls itself when it is pressed is told where to: %s', async (_, control, role) => {
  const session = await open(`<h1>Near</h1>${control}${FAR}<div style="height:2000px"></div>`);
  expect(await click(session, role, 'Go')).toMatch(/^~ scrolled to heading "Far away" \(\d+%\)$/);
});

test('a page that scrolls smoothly is told to have scrolled', async () => {
  const session = await open(
    `<h1>Near</h1><button onclick="far.scrollIntoView({ behavior: 'smooth' })">Go</button>${FAR}<div style="height:2000px"></div>`,
  );
  expect(await click(session, 'button', 'Go')).toMatch(/^~ scrolled to /);
});

test('what brings the element into view to press it is no change, what the page does then is one', async () => {
  const session = await open(
    `<h1>Near</h1>${FAR}<button>Nothing</button><button onclick="window.scrollTo(0, 0)">Back to top</button>`,
  );
  expect(await click(session, 'button', 'Nothing')).toBe('(no change seen)');
  expect(await click(session, 'button', 'Back to top')).toBe('~ scrolled to heading "Near" (0%)');
  // It is told once.
  expect(expectSuccess(await session.snapshot({ diff: true })).tree).toBe('(no change seen)');
  expect(expectSuccess(await session.scroll({ direction: 'down' })).changes).toBe('(no change seen)');
});

test('where a page scrolled to is not told beside what else changed', async () => {
  const session = await open(
    `<h1>Near</h1><p id="out"></p><button onclick="far.scrollIntoView(); out.textContent = 'Done'">Go</button>${FAR}<div style="height:2000px"></div>`,
  );
  expect(await click(session, 'button', 'Go')).toBe('+ text "Done"');
});
