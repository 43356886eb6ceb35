import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';
const SELECTED = `<script>document.onselectionchange = () => { out.textContent = '[' + getSelection() + ']' }</script>`;

describe('clickCount', () => {
  test.each([
    [2, '[Hello]'],
    [3, '[Hello there.'],
  ])('%s selects as a person does', async (clickCount, selected) => {
    const { session, text } = await openPage(`<p style="width: 90px">Hello there.</p>${OUTPUT}${SELECTED}`);
    const at = { x: 20, y: 24 };
    expectSuccess(await session.click({ ...at, clickCount }));
    expect(await text()).toContain(selected);
  });

  test('above three makes that many single clicks', async () => {
    const { session, ref, text } = await openPage(
      `<button onclick="say(event.detail)" ondblclick="say('double')">+</button>${OUTPUT}`,
    );
    const byRef = expectSuccess(await session.click({ ref: ref('button', '+'), clickCount: 20 }));
    expect(byRef.clicks).toBe(20);
    expect(await text()).toContain(`"${'1'.repeat(20)}"`);
    const byPoint = expectSuccess(await session.click({ x: 15, y: 15, clickCount: 4, modifiers: ['Shift'] }));
    expect([byPoint.clicks, byPoint.element?.name]).toEqual([4, '+']);
    expect(await text()).toContain(`"${'1'.repeat(24)}"`);
  });

  test.each([0, 21, 2.5])('of %s is refused', async clickCount => {
    const { session, ref } = await openPage('<button>+</button>');
    expectFailure(await session.click({ ref: ref('button', '+'), clickCount }), 'invalid_input');
  });

  const rows = `<ul><li>Alpha <button onclick="remove(this)">Delete</button></li><li>Beta <button onclick="remove(this)">Delete</button></li>
    <li>Gamma <button onclick="remove(this)">Delete</button></li></ul>
    <script>let left = 3; function remove(button) { say(button.parentNode.firstChild.data); if (--left === 1) button.parentNode.remove() }</script>${OUTPUT}`;

  test('stops where the element is gone, and tells how many were made', async () => {
    const { session, ref, text } = await openPage(rows);
    const result = expectFailure(await session.click({ ref: ref('button', 'Delete'), clickCount: 5 }), 'stale_ref');
    expect(result.message).toContain('2 of 5 clicks were made before that.');
    expect(await text()).toContain('Alpha Alpha');
    expect(await text()).not.toMatch(/"[^"]*(?:Alpha )+(?:Beta|Gamma)/);
  });

  test('at a point stops where something else stands there', async () => {
    const { session, text } =
      await openPage(`<style>button { display: block }</style><button onclick="say('a'); if (++n === 4) this.remove()">First</button>
      <button onclick="say('b')">Second</button><script>let n = 0</script>${OUTPUT}`);
    const result = expectFailure(await session.click({ x: 15, y: 15, clickCount: 9 }), 'element_blocked');
    expect(result.message).toBe(
      'Where button "First" was, there is button "Second" now. 4 of 9 clicks were made before that.',
    );
    expect(await text()).toContain('"aaaa"');
  });

  test('stops where something comes to cover the element', async () => {
    const { session, ref, text } =
      await openPage(`<button onclick="say('a'); if (++n === 5) over.hidden = false">More</button><script>let n = 0</script>
      <div id="over" hidden style="position: fixed; inset: 0; background: #fff" onclick="say('cover')">No more</div>${OUTPUT}`);
    const result = expectFailure(await session.click({ ref: ref('button', 'More'), clickCount: 8 }), 'element_blocked');
    expect(result.message).toContain('5 of 8 clicks were made before that.');
    expect(await text()).not.toContain('cover');
  });

  test('ends with the click that opens a dialog, also after it is answered', async () => {
    const { session, ref, text } = await openPage(
      `<button onclick="say('a'); if (++n === 2) confirm('More?')">More</button><script>let n = 0</script>${OUTPUT}`,
    );
    const result = expectSuccess(await session.click({ ref: ref('button', 'More'), clickCount: 6 }));
    expect([result.clicks, result.dialog?.message]).toEqual([2, 'More?']);
    expectSuccess(await session.dialog({ action: 'accept' }));
    expect(await text()).toContain('"aa"');
  });
});
