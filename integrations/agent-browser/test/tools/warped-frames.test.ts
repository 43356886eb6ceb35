import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess, pageOf, servePages } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage, toolset } = pageOpener({ timeout: 3_000 });

const INNER = `<!doctype html><body style="margin: 0; height: 900px"><div style="height: 150px"></div>
  <button style="margin-left: 200px; width: 60px; height: 40px" onclick="this.textContent = 'Paid'"
    onmouseover="out.textContent = 'over'">Pay</button><button style="width: 60px; height: 40px" onclick="this.textContent = 'Oops'">Other</button>
  <div tabindex="0" id="goal" onmouseup="out.textContent += 'dropped'" style="margin: 40px 0 0 60px; width: 50px; height: 30px">Goal</div>
  <p id="out" role="status"></p>`;

/** A page with a frame of its own site, or of another one. */
async function framed({ frame = '', around = '', isForeign = false, over = '' }) {
  const other = await servePages({ '/': INNER });
  const src = isForeign ? other.url().replace('127.0.0.1', 'localhost') : '/inner';
  return openPage({
    '/': `<div style="${around}"><iframe src="${src}" style="width: 600px; height: 400px; border: 5px solid; padding: 10px; ${frame}"></iframe></div>${over}`,
    '/inner': INNER,
  });
}

describe.each([false, true])('an element in a frame (of another site: %s)', isForeign => {
  test.each<[string, { frame?: string; around?: string }]>([
    ['scaled by its style', { frame: 'transform: scale(.5)' }],
    ['scaled by what is around it, from a corner', { around: 'transform: scale(.5); transform-origin: 0 0' }],
    ['scaled by the property of that name', { frame: 'scale: .5 .7; rotate: 10deg' }],
    ['turned', { frame: 'transform: rotate(20deg)', around: 'padding: 200px' }],
    ['mirrored', { around: 'transform: scaleX(-1)' }],
    ['zoomed', { frame: 'zoom: .5' }],
    ['turned away in space', { frame: 'transform: rotateY(50deg)' }],
    ['scaled and far down', { around: 'margin-top: 2000px; transform: scale(.6)' }],
  ])('is clicked and hovered where it is: %s', async (_, styles) => {
    const { session, ref, text } = await framed({ ...styles, isForeign });
    expectSuccess(await session.hover({ ref: ref('button', 'Pay') }));
    expect(await text()).toContain('over');
    const clicked = expectSuccess(await session.click({ ref: ref('button', 'Pay') }));
    expect(clicked.changes).toContain('button "Paid"');
    const shifted = expectSuccess(await session.click({ ref: ref('button', 'Other'), modifiers: ['Shift'] }));
    expect(shifted.changes).toContain('button "Oops"');
  });

  test('is found by the point at which a picture shows it', async () => {
    const { session, ref } = await framed({ frame: 'scale: .5; transform: rotate(90deg)', isForeign });
    const page = await pageOf(toolset, session.threadId);
    const box = await page.locator('iframe').boundingBox();
    // Its middle stays where it is; what was to the right of it is below it now.
    const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
    const point = { x: x + width / 2 + (200 - 170) / 2, y: y + height / 2 + (230 - 300) / 2 };
    const clicked = expectSuccess(await session.click(point));
    expect(clicked.element).toMatchObject({ ref: ref('button', 'Pay'), name: 'Pay' });
    expect(clicked.changes).toContain('button "Paid"');
  });

  test('is told to be covered by what lies over its frame', async () => {
    const over = '<div style="position: fixed; inset: 0; background: #fff">Subscribe to our letter</div>';
    const { session, ref } = await framed({ frame: 'transform: scale(.5)', isForeign, over });
    const { message } = expectFailure(await session.click({ ref: ref('button', 'Pay') }), 'element_blocked');
    expect(message).toContain('Subscribe');
  });

  test('is dragged from and to', async () => {
    const { session, ref, text } = await framed({ frame: 'transform: scale(.5)', isForeign });
    expectSuccess(await session.drag({ from: ref('button', 'Other'), to: ref('clickable', 'Goal') }));
    expect(await text()).toContain('dropped');
  });
});
