import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const page = (title: string, body: string) =>
  `<!doctype html><title>${title}</title><link rel="icon" href="data:,"><main><h1>${title}</h1>${body}</main>`;

const home = (visitor: string | undefined) =>
  page(
    'Mug shop',
    `<p>${visitor === undefined ? '<a href="/sign-in">Sign in</a>' : `Signed in as ${visitor}`}</p>
    <ul><li><a href="/mugs/blue">Blue mug</a> <li><a href="/mugs/red">Red mug</a></ul>`,
  );

const mug = (colour: string) =>
  page(
    `${colour} mug`,
    `<label>How many <input type="number" value="1"></label>
    <button onclick="status.textContent = document.querySelector('input').value + ' in the cart'">Add to cart</button>
    <p id="status" role="status"></p>`,
  );

const signIn = page(
  'Sign in',
  '<form action="/signed-in"><label>Name <input name="name"></label> <button>Sign in</button></form>',
);

/** A small shop on this machine, for examples that are run without a url. It ends with the process. */
export async function demoShop(): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (pathname === '/signed-in') {
      const name = encodeURIComponent(searchParams.get('name') ?? '');
      response.writeHead(303, { location: '/', 'set-cookie': `visitor=${name}; Max-Age=3600; Path=/` }).end();
    } else if (pathname === '/sign-in') response.end(signIn);
    else if (pathname.startsWith('/mugs/')) response.end(mug(pathname === '/mugs/red' ? 'Red' : 'Blue'));
    else response.end(home(/visitor=([\w%]+)/.exec(request.headers.cookie ?? '')?.[1]));
  });
  server.unref();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
