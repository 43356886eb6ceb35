import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What the pages of a session have told of what was done to them: the truth that results are held against. */
interface Truth {
  adds: number;
  note: string;
  colour: string;
  flag: boolean;
  answers: number;
  drops: number;
  /** Name and size of what was uploaded last. */
  files: string;
  deleted: Set<string>;
}

export interface SoakSite {
  page(session: string): string;
  truth(session: string): Truth;
  /** What the download of a session holds. */
  file(session: string): string;
  /** Cuts every connection and refuses new ones for so many milliseconds. */
  outage(milliseconds: number): void;
  readonly isDown: boolean;
  close(): Promise<void>;
}

export const COLOURS = ['red', 'green', 'blue', 'grey'];

/** Serves one small application to each session, on loopback. */
export async function serveSite(): Promise<SoakSite> {
  const truths = new Map<string, Truth>();
  const told = new Set<string>();
  const sockets = new Set<Socket>();
  let downUntil = 0;
  let loads = 0;
  const isDown = () => performance.now() < downUntil;
  const truth = (session: string): Truth => {
    const known = truths.get(session);
    if (known !== undefined) return known;
    const fresh: Truth = {
      adds: 0,
      note: '',
      colour: 'red',
      flag: false,
      answers: 0,
      drops: 0,
      files: '',
      deleted: new Set(),
    };
    truths.set(session, fresh);
    return fresh;
  };
  const file = (session: string) => `${session}\n`.repeat(2_000);
  const server = createServer(async (request, response) => {
    const [, kind, session = ''] = new URL(request.url ?? '/', 'http://127.0.0.1').pathname.split('/');
    if (kind === 'tell') return hear(truth(session), { told, request, response });
    if (kind === 'file') {
      response.writeHead(200, {
        'content-type': 'text/csv',
        'content-disposition': `attachment; filename="${session}.csv"`,
      });
      return response.end(file(session));
    }
    if (kind === 'popup') return sendPage(response, `<title>Popup ${session}</title><p>A popup of ${session}</p>`);
    if (kind === 'app') return sendPage(response, appPage(session, { load: ++loads, note: truth(session).note }));
    response.writeHead(404).end();
  });
  server.on('connection', socket => {
    if (isDown()) return socket.destroy();
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    page: session => `${base}/app/${session}`,
    truth,
    file,
    outage(milliseconds) {
      downUntil = performance.now() + milliseconds;
      for (const socket of sockets) socket.destroy();
    },
    get isDown() {
      return isDown();
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Told {
  id: string;
  kind: 'add' | 'note' | 'colour' | 'flag' | 'answer' | 'delete' | 'drop' | 'files';
  value: string;
}

/** A page says something until it has an answer; what was heard already counts once. */
async function hear(
  truth: Truth,
  { told, request, response }: { told: Set<string>; request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  let text = '';
  try {
    for await (const part of request) text += part;
  } catch {
    // The connection was cut; the page tells again.
    return;
  }
  const { id, kind, value } = JSON.parse(text) as Told;
  if (!told.has(id)) {
    told.add(id);
    if (kind === 'add') truth.adds++;
    else if (kind === 'answer') truth.answers++;
    else if (kind === 'drop') truth.drops++;
    else if (kind === 'delete') truth.deleted.add(value);
    else if (kind === 'flag') truth.flag = value === 'true';
    else truth[kind] = value;
  }
  response.writeHead(204).end();
}

function sendPage(response: ServerResponse, html: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(`<!doctype html>${html}`);
}

function appPage(session: string, { load, note }: { load: number; note: string }): string {
  const rows = Array.from(
    { length: 15 },
    (_, at) => `<li>Row ${load}-${at} <button data-row="${load}-${at}">Delete ${load}-${at}</button></li>`,
  );
  return `<html lang="en"><title>App ${session}</title><h1>Session ${session}</h1>
    <button id="add">Add</button> <output id="count">0</output>
    <label>Note <input id="note" value="${note}"></label>
    <label><input type="checkbox" id="flag"> Flag</label>
    <select id="colour" aria-label="Colour">${COLOURS.map(colour => `<option>${colour}</option>`).join('')}</select>
    <button id="ask">Ask</button> <button id="popup">Popup</button> <button id="hang">Hang</button>
    <a href="/file/${session}">File</a>
    <input type="file" id="files" aria-label="Files">
    <div id="card" role="button" tabindex="0" draggable="true">Card</div>
    <div id="basket" role="button" tabindex="0">Basket</div>
    <ul>${rows.join('')}</ul><div style="height: 3000px"></div><p>The end</p>
    <script>
      const $ = id => document.getElementById(id);
      async function tell(kind, value) {
        const body = JSON.stringify({ id: Math.random().toString(36) + performance.now(), kind, value: String(value) });
        for (;;) {
          try {
            if ((await fetch('/tell/${session}', { method: 'POST', body, keepalive: true })).ok) return;
          } catch {}
          await new Promise(resolve => setTimeout(resolve, 50));
        }
      }
      $('add').onclick = () => { $('count').textContent = Number($('count').textContent) + 1; tell('add', 1); };
      $('note').onchange = () => tell('note', $('note').value);
      $('note').oninput = () => tell('note', $('note').value);
      $('flag').onchange = () => tell('flag', $('flag').checked);
      $('colour').onchange = () => tell('colour', $('colour').value);
      $('files').onchange = () => tell('files', [...$('files').files].map(({ name, size }) => name + ':' + size));
      $('basket').ondragover = event => event.preventDefault();
      $('basket').ondrop = event => { event.preventDefault(); tell('drop', 1); };
      console.info('page of ${session}');
      $('ask').onclick = () => { if (confirm('Sure?')) tell('answer', 1); };
      $('popup').onclick = () => open('/popup/${session}');
      $('hang').onclick = () => setTimeout(() => { for (;;); }, 20);
      document.querySelector('ul').onclick = event => {
        const { row } = event.target.dataset;
        if (!row) return;
        event.target.closest('li').remove();
        tell('delete', row);
      };
    </script>`;
}
