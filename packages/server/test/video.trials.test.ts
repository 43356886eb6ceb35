import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedNote, trials } from '../../../scripts/testing/trials.js';
import { pageShower, servePage } from './chromium.js';
import { Decoder } from './decoder.js';
import { chunksOf } from './filmed-browser.js';
import type { TestViewer } from './viewing.js';

const show = pageShower();
const RUNS = trials.runs({ slice: 20, full: 200 });
const QUERY = 'threadId=one&frames=video';
const MOST_VIEWERS = 4;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ width: fc.integer({ min: 200, max: 1280 }), height: fc.integer({ min: 150, max: 720 }) }),
  },
  fc.constantFrom('switch' as const, 'join' as const, 'change' as const),
);

/** Whether what came since a place among the messages has a picture of a size. */
function showsSince({ received }: TestViewer, since: number, size: { width: number; height: number }): boolean {
  const isFrame = (message: object) => 'frame' in message;
  const at = received.findLastIndex(message => 'video' in message);
  const said = received[at];
  if (said === undefined || !('video' in said)) return false;
  const isSize = said.video.width === size.width && said.video.height === size.height;
  return isSize && received.slice(Math.max(at, since)).some(isFrame);
}

/** Long enough for a busy machine, and it names the step that a viewer waits for. */
const shows = (viewer: TestViewer, condition: () => boolean, note: string) =>
  expect
    .poll(condition, { message: `${note}; the last size was ${JSON.stringify(viewer.values('viewport').at(-1))}` })
    .toBe(true);

test(`a viewer of video sees the page through ${RUNS.numRuns} sizes, tabs and late viewers`, {
  timeout: trials.limit,
}, async () => {
  const { toolset, url, watch } = await show(
    '<title>One</title><body style="height: 100vh; background: rgb(200, 30, 60)">',
  );
  const decoder = await Decoder.open((await toolset.page('one')).context().browser());
  const tabs = async (body: object): Promise<{ tab: string; active: boolean }[]> => {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify({ threadId: 'one', ...body }) };
    const response = await fetch(`${url}/browser/web/tabs`, request);
    return ((await response.json()) as { tabs: { tab: string; active: boolean }[] }).tabs;
  };
  await tabs({ action: 'new', url: await servePage('<title>Two</title><body style="background: rgb(20, 120, 220)">') });
  const viewers = [await watch({ query: QUERY })];
  let slowest = 0;
  for (const [index, next] of fc.sample(step, RUNS).entries()) {
    if (next === 'join') {
      if (viewers.length === MOST_VIEWERS) await viewers.splice(1, 1)[0]?.leave();
      viewers.push(await watch({ query: QUERY }));
    }
    const marks = new Map(viewers.map(viewer => [viewer, viewer.received.length]));
    const began = performance.now();
    if (next === 'switch') {
      const other = (await tabs({ action: 'list' })).find(({ active }) => !active)?.tab;
      await tabs({ action: 'switch', tab: other });
    }
    const page = await toolset.page('one');
    if (next === 'change')
      await page.evaluate(hue => document.body.style.setProperty('background', `hsl(${hue} 80% 50%)`), index * 37);
    if (typeof next === 'object') await toolset.resize(next, 'one');
    const size = page.viewportSize() ?? expect.fail('it has a size');
    for (const [viewer, mark] of marks)
      await shows(
        viewer,
        () => showsSince(viewer, next === 'change' ? mark : 0, size),
        `${seedNote(RUNS.seed)}, step ${index}: ${JSON.stringify(next)}`,
      );
    slowest = Math.max(slowest, performance.now() - began);
  }
  if (process.env.TRIALS_REPORT) console.info(`the slowest picture came after ${Math.round(slowest)} ms`);
  for (const viewer of viewers) {
    const chunks = chunksOf(viewer);
    const pictures = await decoder.follow(viewer);
    expect(pictures, seedNote(RUNS.seed)).toHaveLength(chunks.length);
    expect(viewer.values('error')).toEqual([]);
  }
});
