import { describe, expect, test } from 'vitest';
import { NO_CHANGE } from '../../src/diff/write.js';
import { TIMINGS } from '../../src/timings.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener({}, { timings: TIMINGS });

/** A carousel of which one slide is in view; `move(n)` brings another one there. */
const carousel = (move: string, style = '') => `<style>
  .view { width: 200px; overflow: hidden; margin-left: 500px } .row { display: flex; ${style} } .row > * { flex: 0 0 200px; height: 80px }</style>
  <div class="carousel"><div class="view"><div class="row" id="row"><div><h3>One</h3></div><div><h3>Two</h3></div><div><img alt="Three" width="90" height="60"></div></div></div>
    <div class="controls"><button onclick="move(n - 1)">Previous</button><button onclick="move(n + 1)">Next</button><button>Nothing</button></div></div>
  <script>let n = 0; const move = to => { n = to; ${move} }</script>`;

describe('a carousel that is moved tells what is in view', () => {
  test.each([
    ['by a transform', carousel(`row.style.transform = 'translateX(' + -200 * n + 'px)'`)],
    ['slowly', carousel(`row.style.transform = 'translateX(' + -200 * n + 'px)'`, 'transition: transform 300ms')],
    [
      'by its style sheet',
      carousel(`document.styleSheets[0].cssRules[1].style.setProperty('transform', 'translateX(' + -200 * n + 'px)')`),
    ],
    ['by scrolling', carousel(`row.parentElement.scrollLeft = 200 * n`)],
    ['a moment later', carousel(`setTimeout(() => { row.style.marginLeft = -200 * n + 'px' }, 250)`)],
  ])('%s', async (_, page) => {
    const { session, ref } = await openPage(page);
    const click = async (name: string) => expectSuccess(await session.click({ ref: ref('button', name) })).changes;
    expect(await click('Next')).toBe('~ slid into view: "Two" (out of view: "One")');
    expect(await click('Next')).toBe('~ slid into view: "Three" (out of view: "Two")');
    expect(await click('Previous')).toBe('~ slid into view: "Two" (out of view: "Three")');
    expect(await click('Nothing')).toBe(NO_CHANGE);
  });

  test('and not what was scrolled to press something in it', async () => {
    const items = Array.from({ length: 20 }, (_, n) => `<p><button>Item ${n}</button></p>`).join('');
    const { session, ref } = await openPage(`<div style="height: 100px; overflow: auto">${items}</div>`);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Item 15') })).changes).toBe(NO_CHANGE);
  });

  test('and nothing twice', async () => {
    const { session, ref } = await openPage(
      carousel(`row.style.transform = 'translateX(' + -200 * n + 'px)'; row.children[n].append(' is new')`),
    );
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Next') }));
    expect(changes).toContain('is new');
    expect(changes).not.toContain('slid');
  });
});

const canvas = (script: string) => `<canvas id="c" width="400" height="200" aria-label="Chart"></canvas>
  <button onclick="draw(++n)">Draw</button><button>Nothing</button>
  <script>let n = 0; const context = c.getContext('2d'); const draw = n => { ${script} }</script>`;

describe('a canvas that is drawn is told', () => {
  test.each([
    ['at once', canvas(`context.fillRect(9 * n, 20, 4, 4)`)],
    ['late', canvas(`setTimeout(() => context.fillRect(9 * n, 20, 4, 4), 300)`)],
    [
      'with the next frame',
      canvas(`requestAnimationFrame(() => { context.moveTo(0, 9 * n); context.lineTo(400, 9 * n); context.stroke() })`),
    ],
  ])('%s', async (_, page) => {
    const { session, ref } = await openPage(page);
    const click = async (name: string) => expectSuccess(await session.click({ ref: ref('button', name) })).changes;
    expect(await click('Draw')).toBe('~ drawn: canvas "Chart"');
    expect(await click('Nothing')).toBe(NO_CHANGE);
    expect(await click('Draw')).toBe('~ drawn: canvas "Chart"');
    expect(expectSuccess(await session.snapshot({ diff: true })).tree).toBe(NO_CHANGE);
  });

  test('where it was itself pressed', async () => {
    const { session } = await openPage(
      `<canvas id="c" width="400" height="200"></canvas><script>c.onclick = ({ offsetX, offsetY }) => c.getContext('2d').fillRect(offsetX, offsetY, 5, 5)</script>`,
    );
    expect(expectSuccess(await session.click({ x: 100, y: 100 })).changes).toBe('~ drawn: canvas');
  });

  test('beside nothing else that changed, and not where it moves by itself', async () => {
    const { session, ref } = await openPage(
      canvas(`document.title = n; context.fillRect(9 * n, 20, 4, 4); document.body.append('Done')`),
    );
    expect(expectSuccess(await session.click({ ref: ref('button', 'Draw') })).changes).not.toContain('drawn');
    const moving = await openPage(
      `${canvas('')}<script>let t = 0; setInterval(() => context.fillRect(t++ % 400, 0, 1, 200), 5)</script>`,
    );
    const click = { ref: moving.ref('button', 'Nothing') };
    expect(expectSuccess(await moving.session.click(click)).changes).toBe(NO_CHANGE);
  });
});
