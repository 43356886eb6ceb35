import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { BrowserSession } from '../../src/index.js';
import { expectSuccess, type Route, refOf, type Site, type Snapshot, servePages } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

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

const { openSession } = pageOpener({}, { sharesSession: true });

export async function openPoked(html: string, routes: Record<string, Route> = {}): Promise<PokedPage> {
  const done = new EventEmitter();
  let stream: ServerResponse | undefined;
  const site = await servePages({
    '/': `<!doctype html>${SCRIPT}${html}`,
    '/signals': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': open\n\n');
      stream = response;
    },
    '/done': (_request, response) => {
      response.end();
      done.emit('done');
    },
    ...routes,
  });
  const ready = once(done, 'done');
  const session = await openSession(site.url());
  await ready;
  const seen = expectSuccess(await session.snapshot());
  return {
    session,
    site,
    seen,
    ref: (role, name, index) => refOf(seen, role, name, index),
    async poke(name = 'change') {
      const answered = once(done, 'done');
      stream?.write(`data: ${name}\n\n`);
      await answered;
    },
    async heard() {
      const { tree } = expectSuccess(await session.snapshot());
      return /^page "((?:[^"\\]|\\.)*)"/.exec(tree ?? '')?.[1] ?? '';
    },
  };
}
