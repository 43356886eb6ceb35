import { afterAll, afterEach } from 'vitest';
import { type BrowserSession, BrowserToolset, type BrowserToolsetConfig } from '../../src/index.js';
import { expectSuccess, pageOf, type Route, refOf, type Site, type Snapshot, servePages } from '../fixtures.js';

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
   * Opens the page of each test where that of the test before was, which takes a third of the time. For tests that ask
   * nothing of what a session remembers: its tabs, cookies, history and logs.
   */
  sharesSession?: boolean;
}

/** Opens pages in sessions of one toolset, which is closed after the last test of the file. */
export function pageOpener(config: BrowserToolsetConfig = {}, { sharesSession = false }: OpenerOptions = {}) {
  const toolset = new BrowserToolset(config);
  const open: BrowserSession[] = [];
  const blank: BrowserSession[] = [];
  let count = 0;
  // Chromium ends with its last session: this one keeps it from one test to the next.
  let keeper: Promise<unknown> | undefined;
  afterEach(async () => {
    await Promise.all(
      open.splice(0).map(async session => {
        if (sharesSession && (await isLeftBlank(toolset, session))) blank.push(session);
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
  const sharedSession = (): BrowserSession => {
    const session = blank.pop();
    if (session === undefined) return newSession();
    open.push(session);
    return session;
  };

  const openSession = async (url: string): Promise<BrowserSession> => {
    keeper ??= toolset.session('keeps-chromium').navigate({ url: 'about:blank' });
    await keeper;
    const session = sharedSession();
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

/** Whether the session could leave its page, and has no other. */
async function isLeftBlank(toolset: BrowserToolset, session: BrowserSession): Promise<boolean> {
  if (toolset.liveTabs(session.threadId).length !== 1) return false;
  return (await session.navigate({ url: 'about:blank' })).success;
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
