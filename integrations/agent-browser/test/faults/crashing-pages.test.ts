import { expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectSuccess, pageOf, type Site, servePages, testToolset } from '../fixtures.js';

/** Chromium lays out elements by recursion: a page that nests this many ends its renderer. */
const nest = (when: string): string => `<!doctype html><title>Deep</title><h1>Deep</h1><script>
  const nest = () => { let at = document.body; for (let n = 0; n < 3500; n++) at = at.appendChild(document.createElement('div')) };
  ${when}</script>`;

const site: Promise<Site> = servePages({
  '/at-once': nest('nest()'),
  // Longer than the next call takes: a page that crashes again while a call runs ends that call, too.
  '/later': nest('setTimeout(nest, 3_000)'),
  '/other': '<title>Other</title><button>Go on</button>',
});

const calls: Record<string, (session: BrowserSession) => Promise<unknown>> = {
  snapshot: async session =>
    expect(expectSuccess(await session.snapshot()).recovered?.was).toContain('the page crashed'),
  navigate: async session => expectSuccess(await session.navigate({ url: (await site).url('/other') })),
  'list of tabs': async session => expectSuccess(await session.tabs({ action: 'list' })),
};

test.each([
  ['/at-once', 'snapshot'],
  ['/at-once', 'navigate'],
  ['/later', 'list of tabs'],
])(
  'a page that crashes whenever it is opened (%s) does not keep the next call from working: %s',
  async (path, next) => {
    const toolset = testToolset();
    const session = toolset.session('a');
    expectSuccess(await session.navigate({ url: (await site).url('/other') }));
    const crashed = (await pageOf(toolset, 'a')).waitForEvent('crash', { timeout: 120_000 });
    await Promise.all([crashed, session.navigate({ url: (await site).url(path) })]);
    await calls[next]?.(session);
    expect(expectSuccess(await session.navigate({ url: (await site).url('/other') })).title).toBe('Other');
    expect(expectSuccess(await session.snapshot()).tree).toContain('button "Go on"');
  },
);
