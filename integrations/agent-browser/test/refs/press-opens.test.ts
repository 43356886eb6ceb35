import { describe, expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

const OUTPUT =
  '<p id="out" role="status" style="position: fixed; bottom: 0"></p><script>function say(text) { out.textContent += text + ";" }</script>';
/** Days that lie over a field once they are shown. */
const PANEL = `<table id="panel" style="display: none; position: absolute; left: 0; top: 0; width: 400px; height: 300px; background: #fff">
  <tr><td onclick="say('day')" onmouseup="say('release')">1</td></tr></table>`;
const field = (attributes: string): string =>
  `<input aria-label="Date" ${attributes} style="width: 200px; height: 30px">`;
const SHOW = "panel.style.display = 'table'";

describe('a panel that opens under the mouse because its field is pressed', () => {
  test.each([
    ['on mousedown', field(`onmousedown="${SHOW}"`)],
    ['when the field gets the focus', field(`onfocus="${SHOW}"`)],
    ['when the focus comes into its form', `<form onfocusin="${SHOW}">${field('')}</form>`],
    ['as soon as the press is over', field(`onfocus="setTimeout(() => { ${SHOW} })"`)],
    ['with the next frame', field(`onmousedown="requestAnimationFrame(() => { ${SHOW} })"`)],
    [
      'by a class around both',
      `<style>.open #panel { display: table !important }</style>${field(`onfocus="setTimeout(() => { document.body.className = 'open' })"`)}`,
    ],
    [
      'as a new element',
      field(
        `onfocus="Promise.resolve().then(() => document.body.append(Object.assign(panel.cloneNode(true), { style: panel.style.cssText.replace('none', 'table') })))"`,
      ),
    ],
  ])('%s is an effect of the click', async (_, html) => {
    const { session, ref, text } = await openPage(`${OUTPUT}<div style="position: relative">${html}${PANEL}</div>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('textbox', 'Date') }));
    expect(changes).toMatch(/cell "1" @e/);
    expect(await text()).not.toContain('day;');
  });

  test('brings no click to the card around both, which the field keeps out of its own', async () => {
    const { session, ref, text } =
      await openPage(`${OUTPUT}<div role="link" tabindex="0" aria-label="Card" onclick="say('card')"
      style="position: relative; width: 500px; height: 400px">${field(`onmousedown="${SHOW}" onclick="event.stopPropagation()"`)}${PANEL}</div>`);
    expectSuccess(await session.click({ ref: ref('textbox', 'Date') }));
    expect(await text()).not.toMatch(/card;|day;/);
  });
});

// Popups that open when the pointer goes down, and let no event of the mouse follow (Pointer Events, section 11).
test.for([
  ['which takes the mouse from the rest of the page', "document.body.style.pointerEvents = 'none'", 'top: 90px'],
  ['over what was pressed', '', 'top: 0'],
])('a menu %s opens upon the pointer alone', async ([, also, place]) => {
  const { session, ref, text } = await openPage(`${OUTPUT}<button id="file" aria-haspopup="menu">File</button>
    <div id="menu" role="menu" hidden style="position: fixed; ${place}; left: 0; width: 300px; background: #fff; pointer-events: auto">
      <div role="menuitem" tabindex="-1" onclick="say('new')">New</div></div>
    <script>file.onpointerdown = event => { event.preventDefault(); menu.hidden = false; ${also} }</script>`);
  const { changes } = expectSuccess(await session.click({ ref: ref('button', 'File') }));
  expect(changes).toContain('menuitem "New"');
  expect(await text()).not.toContain('new;');
});
