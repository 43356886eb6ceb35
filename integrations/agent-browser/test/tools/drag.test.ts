import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text + " "; };</script>';

const NATIVE = `<div draggable="true" tabindex="0" id="card" ondragstart="event.dataTransfer.setData('text', 'card'); drop.textContent = 'Drop it here'">Card</div>
  <div style="height:300px"></div>
  <div tabindex="0" id="drop" style="height:80px; border:1px solid" ondragover="event.preventDefault()"
    ondrop="event.preventDefault(); say('dropped ' + event.dataTransfer.getData('text'))">Basket</div>${OUTPUT}`;

/** A list that is sorted by the mouse alone, as many libraries do it. */
const SORTABLE = `<style>li { height: 40px; user-select: none }</style><ul id="list"><li tabindex="0">One</li><li tabindex="0">Two</li><li tabindex="0">Three</li></ul>
  <script>let held, from;
    list.onmousedown = ({ target, clientY }) => { held = target; from = clientY };
    onmousemove = ({ clientY }) => { if (!held || Math.abs(clientY - from) < 5) return;
      const over = [...list.children].find(item => item !== held && item.getBoundingClientRect().bottom > clientY && item.getBoundingClientRect().top < clientY);
      if (over) list.insertBefore(held, clientY > from ? over.nextSibling : over); };
    onmouseup = () => { held = undefined }</script>`;

describe('dragging', () => {
  test('with native drag and drop carries its data, though the goal changes what it says', async () => {
    const { session, ref } = await openPage(NATIVE);
    const result = await session.drag({ from: ref('clickable', 'Card'), to: ref('clickable', 'Basket') });
    expect(expectSuccess(result).changes).toContain('dropped card');
  });

  test('reaches a goal that has to be scrolled to', async () => {
    const { session, ref } = await openPage(NATIVE.replace('height:300px', 'height:1800px'));
    const result = await session.drag({ from: ref('clickable', 'Card'), to: ref('clickable', 'Basket') });
    expectSuccess(result);
    expect((await session.snapshot({ interactiveOnly: false })).tree).toContain('dropped card');
  });

  test('by the mouse alone sorts a list', async () => {
    const { session, read } = await openPage(SORTABLE);
    const [one, , three] = [...(await read()).matchAll(/"(?:One|Two|Three)" (@e\d+)/g)].map(match => match[1] ?? '');
    expectSuccess(await session.drag({ from: one ?? '', to: three ?? '' }));
    expect(await read()).toMatch(/"Two"[\s\S]*"Three"[\s\S]*"One"/);
  });

  test('from a point to a point moves a slider', async () => {
    const { session, read } = await openPage(
      '<input type="range" min="0" max="100" value="0" aria-label="Volume" style="position:absolute; left:0; top:0; width:500px; height:30px; margin:0">',
    );
    expectSuccess(await session.drag({ from: { x: 8, y: 15 }, to: { x: 400, y: 15 } }));
    expect(Number(/value="(\d+)"/.exec(await read())?.[1])).toBeGreaterThan(60);
  });
});

describe('a drag that cannot be made', () => {
  test('because the goal is gone presses nothing', async () => {
    const { session, ref, text, script } =
      await openPage(`<button onmousedown="say('pressed')" onclick="say('clicked')">Card</button>
      <button id="goal">Goal</button>${OUTPUT}`);
    await script('goal.remove()');
    expectFailure(await session.drag({ from: ref('button', 'Card'), to: ref('button', 'Goal') }), 'stale_ref');
    expect(await text()).not.toMatch(/pressed|clicked/);
  });

  test('because the start is covered says by what', async () => {
    const { session, ref } = await openPage(
      `<button>Card</button><div style="position:fixed; inset:0 0 300px 0">Sheet</div><button style="position:fixed; bottom:0">Goal</button>`,
    );
    const result = await session.drag({ from: ref('button', 'Card'), to: ref('button', 'Goal') });
    expect(expectFailure(result, 'element_blocked').message).toContain('Sheet');
  });

  test('because the row turns into another under the mouse is refused', async () => {
    const { session, ref, text } =
      await openPage(`<ul id="list" onmousemove="list.querySelector('b').textContent = 'Gamma'">
      <li><b>Alpha</b> <button onmousedown="say('pressed')">Handle</button></li><li><b>Beta</b> <button>Handle</button></li></ul>${OUTPUT}`);
    const result = await session.drag({ from: ref('button', 'Handle', 0), to: ref('button', 'Handle', 1) });
    expectFailure(result, 'ref_changed');
    expect(await text()).not.toContain('pressed');
  });

  test('because a point is outside the viewport is refused', async () => {
    const { session } = await openPage(NATIVE);
    expectFailure(await session.drag({ from: { x: 1, y: 1 }, to: { x: 1, y: 9_000 } }), 'invalid_input');
  });
});

test('a thing that is dropped at a free place tells where it went', async () => {
  const { session, ref } =
    await openPage(`<div id="box" role="button" tabindex="0" style="position:absolute;left:20px;top:40px;width:80px;height:40px">Box</div><script>
    let from; box.onpointerdown = event => { from = event; box.setPointerCapture(event.pointerId) };
    box.onpointermove = event => { if (!from) return; box.style.left = 20 + event.clientX - from.clientX + 'px'; box.style.top = 40 + event.clientY - from.clientY + 'px' };
    box.onpointerup = () => { from = undefined };</script>`);
  const result = expectSuccess(await session.drag({ from: ref('button', 'Box'), to: { x: 360, y: 260 } }));
  expect(result.moved).toEqual({ from: { x: 60, y: 60 }, to: { x: 360, y: 260 } });
});

test('a thing that stays where it was tells no move', async () => {
  const { session, ref } = await openPage('<div role="button" tabindex="0">Box</div><script></script>');
  const result = expectSuccess(await session.drag({ from: ref('button', 'Box'), to: { x: 360, y: 260 } }));
  expect(result.moved).toBeUndefined();
});
