import { describe, expect, test } from 'vitest';
import type { BrowserSession } from '../../src/index.js';
import { expectSuccess, type Route, refOf, servePages } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openSession, newSession } = pageOpener();

async function open(page: Route): Promise<BrowserSession> {
  const site = await servePages({ '/': page });
  return openSession(site.url());
}

const PAGE = `<title>Hostile</title><h1>Hello</h1><ul><li>Alpha <button onclick="hit('alpha')">Delete</button></li><li>Beta <button onclick="hit('beta')">Delete</button></li></ul>
  <label>Name <input oninput="hit('typed ' + this.value)"></label><select aria-label="Size" onchange="hit('size ' + this.value)"><option>S<option>M</select>
  <div style="cursor:pointer" onclick="hit('card')">Card</div><input type="password" aria-label="Secret" value="hunter2">
  <script>const setTitle = Object.getOwnPropertyDescriptor(Document.prototype, 'title').set; const { apply } = Reflect; function hit(what) { apply(setTitle, document, [what]); }</script>`;

/** What a page can do to the language and to the document's own functions. */
const BROKEN: Record<string, string> = {
  JSON: "JSON.parse = JSON.stringify = () => { throw new Error('no JSON') }; window.JSON = null",
  'Map, Set, WeakMap and WeakRef': 'Map = Set = WeakMap = WeakSet = WeakRef = undefined',
  arrays:
    "for (const key of Object.getOwnPropertyNames(Array.prototype)) try { Array.prototype[key] = () => { throw new Error('no arrays') } } catch {} Array.prototype[Symbol.iterator] = null",
  'the setter of an index of every array':
    "Object.defineProperty(Array.prototype, 0, { set() { throw new Error('no') } })",
  objects:
    "Object.keys = Object.entries = Object.defineProperty = Object.freeze = () => { throw new Error('no') }; Object.prototype.toJSON = () => 'x'; Object.prototype.then = () => {}",
  functions:
    "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw new Error('no') }",
  elements:
    "for (const key of Object.getOwnPropertyNames(Element.prototype)) { const found = Object.getOwnPropertyDescriptor(Element.prototype, key); if (typeof found.value === 'function') Element.prototype[key] = () => { throw new Error('no') }; else if (found.get) Object.defineProperty(Element.prototype, key, { get() { throw new Error('no') }, configurable: true }) }",
  nodes:
    "for (const key of ['firstChild', 'nextSibling', 'parentNode', 'nodeType', 'textContent', 'isConnected']) Object.defineProperty(Node.prototype, key, { get: () => null })",
  events:
    "EventTarget.prototype.addEventListener = EventTarget.prototype.dispatchEvent = () => { throw new Error('no') }; Event.prototype.preventDefault = Event.prototype.stopImmediatePropagation = () => {}",
  styles: "window.getComputedStyle = () => ({ display: 'none', visibility: 'hidden', getPropertyValue: () => 'none' })",
  observers:
    "window.MutationObserver = class { constructor() { throw new Error('no') } }; window.requestAnimationFrame = () => 0",
  'strings and regular expressions':
    "String.prototype.replace = String.prototype.slice = String.prototype.trim = () => 'x'; RegExp.prototype.test = RegExp.prototype.exec = () => null",
  'promises and timers':
    'window.Promise = undefined; window.setTimeout = () => 0; window.queueMicrotask = undefined; window.scheduler = undefined',
  'the document':
    "document.querySelectorAll = document.getElementById = document.elementFromPoint = () => null; document.createElement = () => { throw new Error('no') }",
  'the ways to forms':
    "HTMLFormElement.prototype.submit = HTMLInputElement.prototype.focus = HTMLElement.prototype.focus = HTMLElement.prototype.click = () => { throw new Error('no') }",
};

describe('a page that breaks', () => {
  for (const [what, script] of Object.entries(BROKEN)) {
    test(`${what} is read and used like any other`, async () => {
      const session = await open(`<!doctype html>${PAGE}<script>${script}</script>`);
      const seen = expectSuccess(await session.snapshot());
      expect(Object.values(seen.refs ?? {}).map(({ role, name }) => `${role} ${name}`)).toEqual([
        'button Delete',
        'button Delete',
        'textbox Name',
        'combobox Size',
        'clickable Card',
        'textbox Secret',
      ]);
      expect(JSON.stringify(seen)).not.toContain('hunter2');
      expect(expectSuccess(await session.click({ ref: refOf(seen, 'button', 'Delete', 1) })).title).toBe('beta');
      expect(expectSuccess(await session.click({ ref: refOf(seen, 'clickable', 'Card') })).title).toBe('card');
      expect(expectSuccess(await session.type({ ref: refOf(seen, 'textbox', 'Name'), text: 'Ann' })).title).toBe(
        'typed Ann',
      );
      expect(expectSuccess(await session.select({ ref: refOf(seen, 'combobox', 'Size'), labels: ['M'] })).title).toBe(
        'size M',
      );
    });
  }
});

describe('a page with', () => {
  test('a document that changes in every frame is read, and what stays can be clicked', async () => {
    const session =
      await open(`<!doctype html><title>0</title><button onclick="document.title = 'clicked'">Stay</button><ul id="list"></ul>
      <script>let n = 0; (function step() { n++; list.innerHTML = '<li>Row ' + n + ' <a href="#">Link ' + n + '</a></li>'.repeat(50); document.body.dataset.n = n; requestAnimationFrame(step); })()</script>`);
    for (let i = 0; i < 5; i++) {
      const seen = expectSuccess(await session.snapshot());
      expect(expectSuccess(await session.click({ ref: refOf(seen, 'button', 'Stay') })).title).toBe('clicked');
    }
  });
});

const typed =
  (type: string, body: string | Buffer): Route =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('a document that is no HTML page is read all the same', () => {
  test('plain text', async () => {
    const session = await open(typed('text/plain', 'Hello text'));
    expect(expectSuccess(await session.snapshot({ interactiveOnly: false })).tree).toContain('Hello text');
  });

  test('XML', async () => {
    const session = await open(
      typed('text/xml', '<?xml version="1.0"?><root><item>One</item><button>Two</button></root>'),
    );
    expect(expectSuccess(await session.snapshot({ interactiveOnly: false })).tree).toContain('One');
  });

  test('XHTML', async () => {
    const session = await open(
      typed(
        'application/xhtml+xml',
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body><p>Text</p><button onclick="document.title = \'clicked\'">Go</button><div style="cursor:pointer">Card</div><input aria-label="Name"/></body></html>',
      ),
    );
    const seen = expectSuccess(await session.snapshot());
    expect(Object.values(seen.refs ?? {}).map(({ role, name }) => `${role} ${name}`)).toEqual([
      'button Go',
      'clickable Card',
      'textbox Name',
    ]);
    expect(expectSuccess(await session.click({ ref: refOf(seen, 'button', 'Go') })).title).toBe('clicked');
  });

  test('SVG', async () => {
    const session = await open(
      typed(
        'image/svg+xml',
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><a href="#x"><text y="40">Link in a picture</text></a></svg>',
      ),
    );
    expect(expectSuccess(await session.snapshot()).tree).toContain('link "Link in a picture" @e1');
  });

  test.each([
    ['a picture', typed('image/png', PIXEL)],
    ['JSON', typed('application/json', '{"a":1}')],
    ['nothing at all', typed('text/html', '')],
    ['a document without a body', typed('text/html', '<script>document.documentElement.remove()</script>')],
    [
      'a body that is removed',
      typed('text/html', '<title>x</title><script>onload = () => document.body.remove()</script>'),
    ],
    ['frames without content', typed('text/html', '<frameset cols="50%,50%"><frame><frame></frameset>')],
  ])('%s', async (_, route) => {
    const session = await open(route);
    expect(expectSuccess(await session.snapshot()).tree).toMatch(/^page /);
    expectSuccess(await session.snapshot({ interactiveOnly: false, diff: false }));
    expect(expectSuccess(await session.snapshot({ diff: true })).tree).toBe('(no change seen)');
  });

  test('a session that has gone nowhere yet', async () => {
    const session = newSession();
    expect(expectSuccess(await session.snapshot()).tree).toMatch(/^page about:blank/);
  });
});
