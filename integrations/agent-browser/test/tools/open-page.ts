import { afterAll, afterEach } from 'vitest';
import type { BrowserSession, BrowserToolsetConfig } from '../../src/index.js';
import type { Timings } from '../../src/timings.js';
import {
  expectSuccess,
  pageOf,
  type Route,
  refOf,
  type Site,
  type Snapshot,
  servePages,
  sharingToolset,
} from '../fixtures.js';

/** A page that a session of its own has open and has read. */
export interface OpenPage {
  session: BrowserSession;
  site: Site;
  /** The ref of the element with this role and name in the latest snapshot taken here; of several the one at `index`. */
  ref(role: string, name: string, index?: number): string;
  /** Takes a new snapshot and answers with its text. */
  read(): Promise<string>;
  /** All that a person can read, as one text. */
  text(): Promise<string>;
  /** Runs a script in the page without the session. */
  script(code: string): Promise<void>;
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
}

interface OpenerOptions {
  /**
   * Gives each test a session of its own, which takes three times as long: for tests of what a session remembers, its
   * tabs, cookies, history and logs. Else the page of a test opens where that of the test before was.
   */
  ownSession?: boolean;
  /** Waits other than those of most tests, such as `PATIENT`. */
  timings?: Partial<Timings>;
}

/** Opens pages in sessions of one toolset, which is closed after the last test of the file. */
export function pageOpener(config: BrowserToolsetConfig = {}, { ownSession = false, timings }: OpenerOptions = {}) {
  const toolset = sharingToolset(config, timings);
  const open: BrowserSession[] = [];
  const free: BrowserSession[] = [];
  let count = 0;
  afterEach(async () => {
    await Promise.all(
      open.splice(0).map(async session => {
        if (!ownSession && toolset.liveTabs(session.threadId).length === 1) free.push(session);
        else await session.close();
      }),
    );
  });
  afterAll(() => toolset.close());

  const newSession = (): BrowserSession => {
    count++;
    const session = toolset.session(`test-${count}`);
    open.push(session);
    return session;
  };
  const openSession = async (url: string): Promise<BrowserSession> => {
    const before = free.pop();
    if (before !== undefined) {
      const { success, dialog } = await before.navigate({ url });
      // A page that holds on, or hangs, is left with its session.
      if (success && dialog === undefined) {
        open.push(before);
        return before;
      }
      await before.close();
    }
    const session = newSession();
    expectSuccess(await session.navigate({ url }));
    return session;
  };

  const openPage = async (page: string | Record<string, Route>, path = '/'): Promise<OpenPage> => {
    const routes = typeof page === 'string' ? { '/': asDocument(page) } : withDocuments(page);
    const site = await servePages(routes);
    const session = await openSession(site.url(path));
    let latest: Snapshot = expectSuccess(await session.snapshot());
    return {
      session,
      site,
      ref: (role, name, index) => refOf(latest, role, name, index),
      async read() {
        latest = expectSuccess(await session.snapshot());
        return latest.tree ?? '';
      },
      async text() {
        const { tree } = expectSuccess(await session.snapshot({ interactiveOnly: false }));
        return tree ?? '';
      },
      async script(code) {
        await (await pageOf(toolset, session.threadId)).evaluate(code);
      },
      async evaluate(expression) {
        return (await pageOf(toolset, session.threadId)).evaluate(expression);
      },
    };
  };
  return { openPage, openSession, newSession, toolset };
}

function withDocuments(routes: Record<string, Route>): Record<string, Route> {
  return Object.fromEntries(
    Object.entries(routes).map(([path, route]) => [path, typeof route === 'string' ? asDocument(route) : route]),
  );
}

function asDocument(html: string): string {
  if (html.startsWith('<!doctype')) return html;
  const title = html.includes('<title>') ? '' : '<title>Test page</title>';
  return `<!doctype html><meta charset="utf-8">${title}${html}`;
}
