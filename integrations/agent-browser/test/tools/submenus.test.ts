import { describe, expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const LOG = `<p role="status" id="log"></p><script>const say = what => { log.textContent += what + ' ' }</script>`;
/** A menu whose item chooses on a press, and whose submenu opens while the mouse is over it. */
const STYLED = `<style>ul ul { display: none } li:hover > ul { display: block } li { width: 120px }</style>
  <ul role="menu"><li role="menuitem" tabindex="-1" aria-haspopup="true" onclick="say('chose ' + this.firstChild.data.trim())">Export
    <ul role="menu"><li role="menuitem" tabindex="-1" onclick="event.stopPropagation(); say('PDF')">PDF</li></ul></li></ul>`;

describe('a press of an item with a submenu opens it as the mouse does, and does not choose the item', () => {
  test('by style', async () => {
    const { session, ref } = await openPage(LOG + STYLED);
    const name = 'Export';
    const opened = expectSuccess(await session.click({ ref: ref('menuitem', name) }));
    expect(opened.hovered).toBe(true);
    expect(opened.changes).toMatch(/\+ .*menuitem "PDF" @e\d+/);
    const pdf = /menuitem "PDF" (@e\d+)/.exec(opened.changes ?? '')?.[1] ?? '';
    expect(expectSuccess(await session.click({ ref: pdf })).changes).toContain('"PDF');
  });

  test('by a script, after a while', async () => {
    const { session, ref } =
      await openPage(`${LOG}<div role="menu"><div role="menuitem" tabindex="-1" id="item" aria-haspopup="menu" aria-expanded="false"
      onclick="say('chose')" onmouseenter="setTimeout(() => { sub.hidden = false; item.setAttribute('aria-expanded', true) }, 200)">Share</div></div>
      <div role="menu" id="sub" hidden><div role="menuitem" tabindex="-1" onclick="say('Mail')">Mail</div></div>`);
    const opened = expectSuccess(await session.click({ ref: ref('menuitem', 'Share') }));
    expect([opened.hovered, opened.changes]).toEqual([true, expect.stringContaining('menuitem "Mail"')]);
    expect(opened.changes).not.toContain('chose');
  });

  test('beside a link of a menu bar, whose second press follows it', async () => {
    const { session, ref } =
      await openPage(`<style>.sub { display: none } li:hover > .sub { display: block } li { width: 150px }</style><ul role="menubar">
      <li role="none"><a role="menuitem" aria-haspopup="true" href="#products">Products</a><ul role="menu" class="sub"><li role="none"><a role="menuitem" href="#mugs">Mugs</a></li></ul></li></ul>`);
    const opened = expectSuccess(await session.click({ ref: ref('menuitem', 'Products') }));
    expect(opened.changes).toContain('menuitem "Mugs"');
    expect(opened.url).not.toContain('#products');
    expect(expectSuccess(await session.click({ ref: ref('menuitem', 'Products') })).url).toContain('#products');
  });
});

test('an item whose submenu opens only by a press is pressed', async () => {
  const { session, ref } =
    await openPage(`<div role="menubar"><div role="menuitem" tabindex="0" id="file" aria-haspopup="true" onclick="sub.hidden = false">File</div></div>
    <div role="menu" id="sub" hidden><div role="menuitem" tabindex="-1">New</div></div>`);
  const pressed = expectSuccess(await session.click({ ref: ref('menuitem', 'File') }));
  expect([pressed.hovered, pressed.changes]).toEqual([undefined, expect.stringContaining('menuitem "New"')]);
});
