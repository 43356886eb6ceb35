import type { JSHandle, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import type { Answer, Asked, Question } from '../src/engine.js';
import { PAGE_ENGINE_SOURCE } from '../src/generated/page-engine.js';
import type { GuardReport, RawNode } from '../src/protocol.js';
import { plainChromium } from './chromium.js';

/** What a press meets between its parts is a matter of a millisecond, so here the test itself moves the mouse. */
let page: Page;

afterEach(() => page.close());

interface Guarded {
  /** What became of the press. */
  report(): Promise<Omit<GuardReport, 'acted'>>;
}

/** A page whose first button is guarded and has the mouse over it. */
async function guard(html: string): Promise<Guarded> {
  page = await (await plainChromium()).newPage();
  await page.setContent(`<script>heard = []; const hear = what => heard.push(what);</script>${html}`);
  const engine = await page.evaluateHandle(PAGE_ENGINE_SOURCE);
  const { capture } = await ask(engine, 'capture', { maxNodes: 1000 });
  const node = capture?.nodes.find(([, , role]) => role === 'button') as RawNode;
  const target = { doc: capture?.doc ?? '', id: node[1], fingerprint: node[6], lastId: capture?.lastId ?? 0 };
  await ask(engine, 'aim', { target, purpose: { to: 'click' } });
  await page.hover('button');
  return {
    report: async () => {
      const { acted, ...press } = await ask(engine, 'guard', {});
      return press;
    },
  };
}

async function ask<Name extends Question>(engine: JSHandle, name: Name, asked: Asked<Name>): Promise<Answer<Name>> {
  return JSON.parse((await select(engine, { do: name, ...asked })) ?? '');
}

/** The text of what a selector of the engine stands for. */
function select(engine: JSHandle, request: object): Promise<string | null> {
  return engine.evaluate(
    (made, selector) =>
      (made as { query(root: Node, selector: string): Element }).query(document, selector).textContent,
    encodeURIComponent(JSON.stringify(request)),
  );
}

/** Something happens in the page a little later, as by a timer. */
const later = (script: string): Promise<unknown> =>
  page.evaluate(`new Promise(done => setTimeout(() => { ${script}; done() }, 20))`);

const heard = (): Promise<string[]> => page.evaluate('heard');

const ROWS =
  `<ul onclick="hear('list')"><li><b>Alpha</b> <button onmousedown="hear('press')" onclick="hear(this.parentNode.firstChild.data)">Delete</button></li>
  <li><b>Beta</b> <button onclick="hear('beta')">Delete</button></li></ul>`
    .replaceAll('<b>', '')
    .replaceAll('</b>', '');

test('lets a press and its click through', async () => {
  const { report } = await guard(ROWS);
  await page.mouse.down();
  await page.mouse.up();
  expect(await heard()).toEqual(['press', 'Alpha ', 'list']);
  expect(await report()).toEqual({ landed: true });
});

test('keeps the press from an element that has become another', async () => {
  const { report } = await guard(ROWS);
  await page.evaluate("document.querySelector('li').firstChild.data = 'Gamma '");
  await page.mouse.down();
  await page.mouse.up();
  expect(await heard()).toEqual([]);
  expect(await report()).toMatchObject({ blocked: { role: 'button', name: 'Delete', row: 'Gamma' } });
});

test('keeps the click from an element that becomes another after the press', async () => {
  const { report } = await guard(ROWS);
  await page.mouse.down();
  await later("document.querySelector('li').firstChild.data = 'Gamma '");
  await page.mouse.up();
  expect(await heard()).toEqual(['press']);
  expect(await report()).toMatchObject({ blocked: { row: 'Gamma' } });
});

test('keeps the click from what moves under the mouse after the press, and from what is around both', async () => {
  const { report } = await guard(ROWS);
  await page.mouse.down();
  await later("document.querySelector('ul').append(document.querySelector('li'))");
  await page.mouse.up();
  expect(await heard()).toEqual(['press']);
  expect(await report()).toEqual({
    landed: true,
    missed: { by: { id: expect.any(Number), what: '<ul>' }, begun: true },
  });
});

test('tells of a click that never came because the page took the element out and put it back', async () => {
  const { report } = await guard(ROWS);
  await page.mouse.down();
  await later("document.querySelector('ul').prepend(document.querySelector('li'))");
  await page.mouse.up();
  expect(await heard()).not.toContain('Alpha ');
  expect(await report()).toEqual({ landed: true, missed: { begun: true, unclicked: 'replaced' } });
});

test('tells of a click that never came to an element that is gone by now', async () => {
  const { report } = await guard(ROWS);
  await page.mouse.down();
  await later("document.querySelector('ul').prepend(document.querySelector('li'))");
  await page.mouse.up();
  await page.evaluate("document.querySelector('li').remove()");
  expect(await heard()).not.toContain('Alpha ');
  expect(await report()).toEqual({ landed: true, missed: { begun: true, unclicked: 'replaced' } });
});

test('knows a click that came although the page moved everything around the element', async () => {
  const { report } = await guard(ROWS);
  await page.mouse.down();
  await later("document.querySelector('ul').append(document.createElement('li')); document.title = 'Later'");
  await page.mouse.up();
  expect(await heard()).toEqual(['press', 'Alpha ', 'list']);
  expect(await report()).toEqual({ landed: true });
});

test('keeps the press from what lies under the mouse in place of the element', async () => {
  const { report } = await guard(ROWS);
  await page.evaluate("document.querySelector('ul').append(document.querySelector('li'))");
  await page.mouse.down();
  await page.mouse.up();
  expect(await heard()).toEqual([]);
  expect(await report()).toEqual({ missed: { by: { id: expect.any(Number), what: '<ul>' } } });
});

test('takes what the press itself makes of the element for its effect', async () => {
  const { report } = await guard(
    `<button onmousedown="this.textContent = 'Pause'" onclick="hear('click')">Play</button>`,
  );
  await page.mouse.down();
  await later('');
  await page.mouse.up();
  expect(await heard()).toEqual(['click']);
  expect(await report()).toEqual({ landed: true });
});

test('takes what the release makes of the element for its effect', async () => {
  const { report } = await guard(
    `<button onpointerup="this.textContent = 'Pause'" onclick="hear('click')">Play</button>`,
  );
  await page.mouse.down();
  await page.mouse.up();
  expect(await heard()).toEqual(['click']);
  expect(await report()).toEqual({ landed: true });
});

test('lets a press open a menu in the place of its button', async () => {
  const { report } = await guard(`<div><button onmousedown="this.replaceWith(menu)">Open</button></div>
    <script>menu = document.createElement('p'); menu.textContent = 'Menu'; document.onclick = () => hear('outside')</script>`);
  await page.mouse.down();
  await page.mouse.up();
  expect(await report()).toEqual({ landed: true });
});

test('keeps the second press of a double click from what moved into the place of the element', async () => {
  const { report } =
    await guard(`<ul><li>Alpha <button onclick="hear('alpha'); this.parentNode.remove()">Delete</button></li>
    <li>Beta <button onclick="hear('beta')">Delete</button></li></ul>`);
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  expect(await heard()).toEqual(['alpha']);
  expect(await report()).toEqual({
    landed: true,
    missed: { by: { id: expect.any(Number), what: '<button> button "Delete"' }, begun: true },
  });
});

test('takes a name that changes only because the mouse is there for the same', async () => {
  const { report } =
    await guard(`<style>button:hover::after { content: ' now' } i { display: none } button:hover i { display: inline }</style>
    <button onclick="hear('click')">Buy <i>this mug</i></button>`);
  await page.mouse.down();
  await page.mouse.up();
  expect(await heard()).toEqual(['click']);
  expect(await report()).toEqual({ landed: true });
});

const OPENS = `<div onclick="hear('around')"><button onclick="hear('click')" style="position: relative; width: 90px">Open</button>
  <p style="display: none; position: absolute; left: 0; top: 0; width: 300px; height: 300px" onclick="hear('panel')">Panel</p></div>
  <aside popover="manual" style="margin: 0; inset: 0; width: 300px; height: 300px" onclick="hear('panel')">Panel</aside>`;
const PANEL = "document.querySelector('p')";

test.each([
  ['is shown by its style', `${PANEL}.style.display = 'block'`],
  [
    'is shown by a class around it',
    "document.head.append(Object.assign(document.createElement('style'), { textContent: '.open p { display: block !important }' })); document.body.className = 'open'",
  ],
  [
    'is put into the page',
    `const copy = ${PANEL}.cloneNode(true); copy.style.display = 'block'; document.body.append(copy)`,
  ],
  ['is a popover', "document.querySelector('aside').showPopover()"],
])('takes what %s over the element after the press for its effect', async (_, script) => {
  const { report } = await guard(OPENS);
  await page.mouse.down();
  await later(script);
  await page.mouse.up();
  expect(await heard()).not.toContain('panel');
  expect(await report()).toEqual({ landed: true });
});

test.each([
  ['by its style', "document.querySelector('i').style.left = '0'"],
  ['by a script that puts it elsewhere', "document.querySelector('div').append(document.querySelector('i'))"],
])('keeps the click from what moves over the element %s after the press', async (_, script) => {
  const { report } =
    await guard(`<style>i { position: absolute; left: 300px; top: 0; width: 200px; height: 200px } div > i { left: 0 }</style>
    <div onclick="hear('around')"><button onclick="hear('click')">Buy</button></div><i onclick="hear('other')">Other</i>`);
  await page.mouse.down();
  await later(script);
  await page.mouse.up();
  expect(await heard()).toEqual([]);
  expect(await report()).toMatchObject({ missed: { begun: true } });
});

test('keeps the click that Chromium makes of a press and a release on two elements from a widget around both', async () => {
  const { report } = await guard(
    `<article tabindex="0" role="link" onclick="hear('card')"><button onmousedown="menu.hidden = false" onclick="event.stopPropagation()" style="width: 90px">Open</button>
    <p id="menu" hidden style="position: absolute; inset: 0">Menu</p></article>`,
  );
  await page.mouse.down();
  await later('');
  await page.mouse.up();
  expect(await heard()).toEqual([]);
  expect(await report()).toEqual({ landed: true });
});
