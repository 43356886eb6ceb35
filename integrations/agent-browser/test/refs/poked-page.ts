import type { BrowserSession } from '../../src/index.js';
import { expectSuccess, type Route, refOf, type Site, type Snapshot, servePages } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';
import { Signals } from './signals.js';

/** Gives pages `hear(what)`, which adds to the title, and calls their `change()` when the test says so. */
const SCRIPT = `<link rel="icon" href="data:,"><script>
  document.title = '';
  const hear = what => { document.title += what + ';'; };
  const signals = new EventSource('/signals');
  signals.onmessage = ({ data }) => { window[data](); fetch('/done', { method: 'POST', keepalive: true }); };
  signals.onopen = () => fetch('/done', { method: 'POST', keepalive: true });
</script>`;

/** A page that changes between what the agent reads and what it does. */
export interface PokedPage {
  session: BrowserSession;
  site: Site;
  /** The snapshot that the test began with. */
  seen: Snapshot;
  ref(role: string, name: string, index?: number): string;
  /** Calls a function of the page behind the agent's back. */
  poke(name?: string): Promise<void>;
  /** What the page has heard so far. */
  heard(): Promise<string>;
}

/** Opens such pages for the tests of a file. */
export function pokedPages() {
  const { openSession } = pageOpener();

  /** In the session of an earlier page, or else in the next one of the file. */
  const openPoked = async (
    html: string,
    routes: Record<string, Route> = {},
    earlier?: BrowserSession,
  ): Promise<PokedPage> => {
    const signals = new Signals();
    const site = await servePages({ '/': `<!doctype html>${SCRIPT}${html}`, ...signals.routes, ...routes });
    const ready = signals.isDone();
    if (earlier !== undefined) expectSuccess(await earlier.navigate({ url: site.url() }));
    const session = earlier ?? (await openSession(site.url()));
    await ready;
    const seen = expectSuccess(await session.snapshot());
    return {
      session,
      site,
      seen,
      ref: (role, name, index) => refOf(seen, role, name, index),
      async poke(name = 'change') {
        await signals.send(name);
      },
      async heard() {
        const { tree } = expectSuccess(await session.snapshot());
        return /^page "((?:[^"\\]|\\.)*)"/.exec(tree ?? '')?.[1] ?? '';
      },
    };
  };
  return { openPoked };
}
