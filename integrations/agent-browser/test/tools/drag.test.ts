import { describe, expect, test } from 'vitest';
import { drag } from '../../src/tools/drag.js';
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

describe('the result of a drag', () => {
  /** Boxes that take cards by the mouse, as many libraries do it. */
  const BOARD = `<style>section { width: 200px; height: 200px; border: 1px solid } [tabindex] { width: 100px; height: 30px }</style>
    <section id="a" tabindex="0" aria-label="To do" role="group"><div tabindex="0">One</div><div tabindex="0">Two</div></section>
    <section id="b" tabindex="0" aria-label="Done" role="group"></section>`;
  const moves = (drop: string) => `<script>let held;
    onmousedown = ({ target }) => { held = target.closest('div') };
    onmouseup = ({ clientX, clientY }) => { const box = document.elementsFromPoint(clientX, clientY).find(each => each.tagName === 'SECTION'); if (held && box) { ${drop} } held = undefined }</script>`;

  test.each([
    ['in the goal', moves('box.append(held)'), 'now inside'],
    [
      'over the goal',
      moves('held.style.cssText = "position:absolute; left:" + (clientX - 50) + "px; top:" + (clientY - 15) + "px"'),
      'now inside',
    ],
    ['beside the goal', moves('held.style.cssText = "position:absolute; left:600px; top:10px"'), 'now outside'],
  ])('says where the element is: %s', async (_, script, words) => {
    const { session, ref } = await openPage(`${BOARD}${script}`);
    const done = ref('group', 'Done');
    const result = expectSuccess(await session.drag({ from: ref('clickable', 'One'), to: done }));
    expect(drag.headline(result)).toContain(`${words} ${done} group "Done".`);
  });

  test('says on which side of an item it is', async () => {
    const { session, read } = await openPage(SORTABLE);
    const [one = '', , three = ''] = [...(await read()).matchAll(/"(?:One|Two|Three)" (@e\d+)/g)].map(
      match => match[1] ?? '',
    );
    const result = expectSuccess(await session.drag({ from: one, to: three }));
    expect(drag.headline(result)).toMatch(/, now after @e\d+ listitem/);
  });

  test('says nothing of places for an element that is hidden then', async () => {
    const { session, ref } = await openPage(`${BOARD}${moves('held.style.display = "none"')}`);
    const result = expectSuccess(await session.drag({ from: ref('clickable', 'One'), to: ref('group', 'Done') }));
    expect(drag.headline(result)).toBe('Dragged.');
  });
});

describe('a page that takes its time for a drag', () => {
  /** Nothing but the end of animations is waited for. */
  const patient = pageOpener({}, { timings: { fading: 20_000 } });
  const LIST =
    '<style>li { height: 40px; user-select: none; list-style: none }</style><ul id="list"><li tabindex="0">One</li><li tabindex="0">Two</li><li tabindex="0">Three</li></ul>';
  const sort =
    'const over = [...list.children].find(item => item !== held && item.getBoundingClientRect().bottom > y && item.getBoundingClientRect().top < y);';

  test('because an element has to be held before it moves', async () => {
    const { session, read } = await openPage(`${LIST}<script>let held, timer;
      list.onmousedown = ({ target }) => { timer = setTimeout(() => { held = target; target.className = 'lifted' }, 250) };
      onmousemove = ({ clientY: y }) => { if (!held) return clearTimeout(timer); ${sort} if (over) over.after(held) };
      onmouseup = () => { clearTimeout(timer); held = undefined }</script>`);
    const [one = '', , three = ''] = [...(await read()).matchAll(/"(?:One|Two|Three)" (@e\d+)/g)].map(
      match => match[1] ?? '',
    );
    expectSuccess(await session.drag({ from: one, to: three }));
    expect(await read()).toMatch(/"Two"[\s\S]*"Three"[\s\S]*"One"/);
  });

  test.each([
    [
      'by a transition',
      `held.style.transition = 'transform 400ms'; held.getBoundingClientRect(); held.style.transform = 'translateY(5px)'; held.ontransitionend = ended`,
    ],
    [
      'by an animation',
      `held.animate([{ transform: 'none' }, { transform: 'translateY(5px)' }], 400).onfinish = ended`,
    ],
    [
      'by two, one after the other',
      `held.animate([{ left: 0 }, { left: '5px' }], 200).onfinish = () => { held.animate([{ top: 0 }, { top: '5px' }], 200).onfinish = ended }`,
    ],
  ])('because it drops %s: the result tells the end', async (_, animate) => {
    const { session, read } = await patient.openPage(`${LIST}<p id="out" role="status"></p><script>let held;
      list.onmousedown = ({ target }) => { held = target };
      onmouseup = () => { if (!held) return; out.textContent = 'dropping'; const ended = () => { list.append(held); held.style.transform = ''; out.textContent = 'dropped' }; ${animate} }</script>`);
    const [one = '', , three = ''] = [...(await read()).matchAll(/"(?:One|Two|Three)" (@e\d+)/g)].map(
      match => match[1] ?? '',
    );
    const result = expectSuccess(await session.drag({ from: one, to: three }));
    expect(result.changes).toContain('dropped');
    expect(await read()).toMatch(/"Two"[\s\S]*"Three"[\s\S]*"One"/);
  });

  test('because it slides on: a click right after it is not lost', async () => {
    const { session, ref, text } =
      await patient.openPage(`<style>#row { display: flex; width: 900px } #row button { flex: 0 0 300px; height: 100px }</style>
      <div style="width:300px; overflow:hidden"><div id="row"><button>One</button><button>Two</button><button>Three</button></div></div>${OUTPUT}<script>
      let from, sliding = false;
      row.onmousedown = ({ clientX }) => { from = clientX };
      onmouseup = ({ clientX }) => { if (!(from - clientX > 50)) return; from = undefined; sliding = true; row.style.transition = 'transform 400ms'; row.style.transform = 'translateX(-300px)' };
      row.ontransitionend = () => { sliding = false };
      onclick = ({ target }) => { if (!sliding && target.tagName === 'BUTTON') say('opened ' + target.textContent) }</script><button>Buy</button>`);
    expectSuccess(await session.drag({ from: { x: 250, y: 50 }, to: { x: 50, y: 50 } }));
    expectSuccess(await session.click({ ref: ref('button', 'Buy') }));
    expect(await text()).toContain('opened Buy');
  });
});
