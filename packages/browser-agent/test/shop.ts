import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Order {
  items: string[];
  name: string;
  email: string;
}

export interface ShopOptions {
  /** Other markup around the same things: classes, ids, wrappers, the order of fields, a banner. */
  changed?: boolean;
  /** Milliseconds until each page answers. */
  slow?: number;
  goods?: readonly [name: string, price: string][];
  /** Other pages, by path. */
  pages?: Record<string, string>;
  /** Paths that answer with 404. */
  missing?: readonly string[];
}

const GOODS: [string, string][] = [
  ['Blue mug', '$12.00'],
  ['Red mug', '$9.50'],
  ['Green bowl', '$20.00'],
];

/** A shop whose orders are the proof of what was done. */
export class Shop {
  readonly orders: Order[] = [];
  cart: string[] = [];
  /** Told of each request before it is answered. */
  onRequest: (path: string) => void = () => undefined;
  options: ShopOptions = {};
  readonly #server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop');
    let body = '';
    request.on('data', chunk => (body += chunk));
    request.on('end', () => {
      this.onRequest(`${request.method} ${url.pathname}`);
      const answer = this.#page(url, new URLSearchParams(body), request.method ?? 'GET');
      setTimeout(() => {
        if (typeof answer === 'string') {
          if (this.options.missing?.includes(url.pathname)) response.statusCode = 404;
          response.setHeader('content-type', 'text/html; charset=utf-8');
          response.end(`<!doctype html><link rel="icon" href="data:,">${answer}`);
        } else response.writeHead(303, { location: answer.to }).end();
      }, this.options.slow ?? 0);
    });
  });

  async start(): Promise<this> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  reset(options: ShopOptions = {}): void {
    this.orders.length = 0;
    this.cart = [];
    this.options = options;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(done => this.#server.close(done));
  }

  #page({ pathname, searchParams }: URL, form: URLSearchParams, method: string): string | { to: string } {
    const { changed = false, goods = GOODS, pages = {} } = this.options;
    const own = pages[pathname];
    if (own !== undefined) return own;
    const banner = changed ? '<div class="x9"><p>Summer sale!</p><button>Close</button></div>' : '';
    const frame = (title: string, main: string): string =>
      `<title>${title}</title>${banner}<nav><a href="/">Shop</a> <a href="/cart">Cart</a></nav><main${changed ? ' id="m2"' : ''}>${changed ? `<div><section class="q">${main}</section></div>` : main}</main>`;
    if (pathname === '/add' && method === 'POST') {
      this.cart.push(form.get('item') ?? '');
      return { to: '/cart' };
    }
    if (pathname === '/remove' && method === 'POST') {
      this.cart.splice(this.cart.indexOf(form.get('item') ?? ''), 1);
      return { to: '/cart' };
    }
    if (pathname === '/order' && method === 'POST') {
      this.orders.push({ items: this.cart, name: form.get('name') ?? '', email: form.get('email') ?? '' });
      this.cart = [];
      return { to: '/thanks' };
    }
    if (pathname === '/orders')
      return frame('Orders', `<h1>Your orders</h1><p>There are ${this.orders.length} orders.</p>`);
    if (pathname === '/thanks')
      return frame('Thanks', `<h1>Thank you</h1><p>Order ${this.orders.length} is on its way.</p>`);
    if (pathname === '/cart') {
      const items = this.cart.map(
        item =>
          `<li>${item} <form method="post" action="/remove"><input type="hidden" name="item" value="${item}"><button>Remove</button></form></li>`,
      );
      return frame(
        'Cart',
        `<h1>Your cart</h1><ul aria-label="Items">${items.join('')}</ul>${items.length > 0 ? '<a href="/checkout">Checkout</a>' : '<p>It is empty.</p>'}`,
      );
    }
    if (pathname === '/checkout') {
      const fields = [
        '<p><label>Full name <input name="name" required></label></p>',
        '<p><label>Email <input name="email" type="email" required></label></p>',
      ];
      return frame(
        'Checkout',
        `<h1>Checkout</h1><form method="post" action="/order">${(changed ? fields.toReversed() : fields).join('')}<button class="${changed ? 'btn-9' : 'buy'}">Place order</button></form>`,
      );
    }
    const query = searchParams.get('q')?.toLowerCase() ?? '';
    const list = goods
      .filter(([name]) => name.toLowerCase().includes(query))
      .map(
        ([name, price]) =>
          `<li><h2>${name}</h2><p>${price}</p><form method="post" action="/add"><input type="hidden" name="item" value="${name}"><button>Add to cart</button></form></li>`,
      );
    return frame(
      'Shop',
      `<h1>Shop</h1><form role="search"><input name="q" aria-label="Search"><button>Search</button></form><ul aria-label="Goods">${list.join('')}</ul>`,
    );
  }
}
