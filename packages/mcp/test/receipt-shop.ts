import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the receipt of an order holds. */
export const RECEIPT = 'Receipt: one Red mug, $9.50';

/** A shop with a checkout and a receipt to download. Its orders are the proof of what clients did. */
export class ReceiptShop {
  readonly orders: { item: string; name: string; visitor: string }[] = [];
  #visitors = 0;
  readonly #server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    const visitor = /visitor=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? `v${++this.#visitors}`;
    response.setHeader('set-cookie', `visitor=${visitor}`);
    let body = '';
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      if (pathname === '/receipt') {
        response.setHeader('content-type', 'text/plain');
        response.setHeader('content-disposition', 'attachment; filename="receipt.txt"');
        return response.end(RECEIPT);
      }
      if (pathname === '/order') {
        const form = new URLSearchParams(body);
        this.orders.push({ item: 'Red mug', name: form.get('name') ?? '', visitor });
        return response.writeHead(303, { location: '/thanks' }).end();
      }
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><link rel="icon" href="data:,">${PAGES[pathname] ?? '<title>Nothing here</title>'}`);
    });
  });

  async start(): Promise<void> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(done => this.#server.close(done));
  }
}

const PAGES: Readonly<Record<string, string>> = {
  '/': '<title>Shop</title><h1>Shop</h1><p>Blue mug, $12.00</p><p>Red mug, $9.50</p><a href="/checkout">Buy the Red mug</a>',
  '/checkout':
    '<title>Checkout</title><h1>Checkout</h1><form method="post" action="/order"><label>Full name <input name="name" required></label><button>Place order</button></form>',
  '/thanks': '<title>Thanks</title><h1>Thank you</h1><a href="/receipt" download>Get the receipt</a>',
};
