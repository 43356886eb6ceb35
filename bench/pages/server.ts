import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { articles } from './articles.ts';
import { catalog } from './catalog.ts';
import { Random } from './random.ts';
import { savedFile } from './saved.ts';
import { framePage } from './sites/frames.ts';

export interface PageServer {
  url(page: string): string;
  /** Of a saved article, by the first digits of its file's name. */
  article(file: string): string;
  close(): Promise<void>;
}

interface Answer {
  type: string;
  body: string | Buffer;
  policy?: string;
}

// Saved pages name hosts of a dozen years ago: nothing of them is fetched, none of their scripts run.
const savedPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/**
 * Serves every page of the catalog on loopback; pages are built once, at their first request. `/late/250` answers after 250 ms.
 */
export async function servePages(): Promise<PageServer> {
  const cache = new Map<string, Answer | undefined>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
    const [, late] = /^\/late\/(\d{1,4})$/.exec(path) ?? [];
    if (late !== undefined) return setTimeout(() => response.end('late'), Number(late));
    if (!cache.has(path)) cache.set(path, answer(path, port(server.address() as AddressInfo)));
    const found = cache.get(path);
    if (!found) return response.writeHead(404).end();
    const policy = found.policy ? { 'content-security-policy': found.policy } : {};
    return response
      .writeHead(200, { 'content-type': found.type, 'cache-control': 'no-store', ...policy })
      .end(found.body);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${port(server.address() as AddressInfo)}`;
  return {
    url: name => `${base}/page/${name}`,
    article: file => `${base}/article/${file}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

const port = (address: AddressInfo) => address.port;

function answer(path: string, serverPort: number): Answer | undefined {
  const origins = { same: `http://127.0.0.1:${serverPort}`, other: `http://localhost:${serverPort}` };
  const [, folder, name] = path.split('/');
  if (folder === 'frame' && name)
    return { type: 'text/html; charset=utf-8', body: framePage(new Random(name), name, origins) };
  if (folder === 'article' && name && name in articles)
    return { type: 'text/html', body: savedFile(name), policy: savedPolicy };
  const page = folder === 'page' ? catalog.find(candidate => candidate.name === name) : undefined;
  if (!page) return undefined;
  if (page.kind === 'saved') return { type: 'text/html', body: page.build(origins), policy: savedPolicy };
  return { type: 'text/html; charset=utf-8', body: page.build(origins) };
}
