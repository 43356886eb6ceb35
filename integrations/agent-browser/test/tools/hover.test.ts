import { expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const MENU = `<style>ul { display: none } nav:hover ul { display: block }</style>
  <nav style="position:absolute; left:100px; top:100px"><button>Products</button><ul><li><a href="#">Mugs</a></li></ul></nav>`;

test('hovering opens what shows on hover, and its refs can be clicked', async () => {
  const { session, ref, read } = await openPage(MENU);
  const result = expectSuccess(await session.hover({ ref: ref('button', 'Products') }));
  expect(result.element).toMatchObject({ role: 'button', name: 'Products', tag: 'button' });
  expect(result.changes).toMatch(/\+.*link "Mugs" @e\d+/);
  await read();
  expectSuccess(await session.click({ ref: ref('link', 'Mugs') }));
});

test('hovering at a point tells what is there', async () => {
  const { session, ref } = await openPage(MENU);
  const result = expectSuccess(await session.hover({ x: 120, y: 110 }));
  expect(result.element).toMatchObject({ ref: ref('button', 'Products'), role: 'button' });
  expect(result.changes).toContain('Mugs');
});

test('hovering works on what is full of other controls', async () => {
  const { session, ref } = await openPage(
    `<div role="button" tabindex="0" aria-label="Card" onmouseover="tip.textContent='Over'" style="width:100px">
      <a href="#" style="display:block; height:80px">Open</a></div><p id="tip" role="status"></p>`,
  );
  expect(expectSuccess(await session.hover({ ref: ref('button', 'Card') })).changes).toContain('Over');
});

test('hovering works on what is disabled, for its tooltip', async () => {
  const { session, ref } = await openPage(
    `<div onmouseover="tip.textContent='Not yet'"><button disabled>Pay</button></div><p id="tip" role="status"></p>`,
  );
  expect(expectSuccess(await session.hover({ ref: ref('button', 'Pay') })).changes).toContain('Not yet');
});

test('hovering over what is covered says by what', async () => {
  const { session, ref } = await openPage(
    '<button>Under</button><div style="position:fixed; inset:0" id="sheet">Sheet</div>',
  );
  const result = expectFailure(await session.hover({ ref: ref('button', 'Under') }), 'element_blocked');
  expect(result.message).toContain('Sheet');
});

test.each([
  ['hides', 'b.hidden = true; l.hidden = false'],
  ['removes', 'b.remove(); l.hidden = false'],
  ['renames and covers', `b.textContent = 'Open'; l.hidden = false; l.style = 'position: fixed; inset: 0'`],
])('hovering over what the page then %s has done what it was for', async (_, script) => {
  const { session, ref, evaluate } = await openPage(
    `<div onmouseenter="${script}"><button id="b">Layers</button><div id="l" hidden><label><input type="radio">A</label></div></div>`,
  );
  const result = expectSuccess(await session.hover({ ref: ref('button', 'Layers') }));
  expect(result.element).toMatchObject({ role: 'button', name: 'Layers' });
  expect(result.changes).toMatch(/\+ radio "A"/);
  expect(await evaluate('l.hidden')).toBe(false);
});

test('hovering outside the viewport is refused', async () => {
  const { session } = await openPage(MENU);
  expectFailure(await session.hover({ x: 10, y: 3_000 }), 'invalid_input');
});
