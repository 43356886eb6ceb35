import { expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

/** A consent banner that is fixed to the viewport, in the closed shadow root of a host without a box. */
const BANNER = `const banner = host => {
  host.attachShadow({ mode: 'closed' }).innerHTML = '<div style="position: fixed; left: 0; right: 0; bottom: 0; background: #fff">'
    + '<h2>Cookies</h2><p>We store cookies on your device.</p><button onclick="this.getRootNode().host.title = 1">Accept all</button></div>';
};`;

test.each([
  ['an empty element of the page', `<div id="host"></div>`, `banner(host)`],
  ['an element that holds nothing but a line break', `<section id="host">\n</section>`, `banner(host)`],
  ['a custom element', `<x-consent id="host"></x-consent>`, `banner(host)`],
  [
    'one that a script adds, in a wrapper without a size',
    '',
    `const host = document.createElement('span'); host.id = 'host';
     document.body.appendChild(document.createElement('div')).append(host); banner(host)`,
  ],
])('a banner without a box of its own is told, found, read and pressed: %s', async (_, html, script) => {
  const { session, ref, text, evaluate } = await openPage(
    `<h1>Shop</h1><p>Welcome to the shop.</p>${html}<script>${BANNER}${script}</script>`,
  );
  expect(await text()).toContain('We store cookies on your device.');
  expect(expectSuccess(await session.find({ text: 'store cookies' })).matches).toHaveLength(1);
  expect(expectSuccess(await session.read({ full: true })).content).toContain('We store cookies on your device.');
  expectSuccess(await session.click({ ref: ref('button', 'Accept all') }));
  expect(await evaluate('document.querySelector("#host").title')).toBe('1');
});
