import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** Serves pages on loopback for a test file. Returns the address of one. */
export function site(pages: Record<string, string>): (path: string) => string {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? '/'];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><link rel="icon" href="data:,">${page ?? ''}`);
  });
  beforeAll(() => new Promise<void>(done => server.listen(0, '127.0.0.1', done)));
  afterAll(() => {
    server.closeAllConnections();
    return new Promise(done => server.close(done));
  });
  return path => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
}
