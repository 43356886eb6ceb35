import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess, PATIENT } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();
const late = pageOpener({}, { timings: PATIENT });

const TALL = '<body style="margin:0"><div style="height:3000px; width:2000px">Tall</div>';

describe('scrolling the page', () => {
  test('goes by nearly a page, and tells where that is', async () => {
    const { session } = await openPage(TALL);
    const result = expectSuccess(await session.scroll({ direction: 'down' }));
    expect(result.position?.y).toBeGreaterThan(600);
    expect(result.position?.y).toBeLessThan(720);
    expect(result).toMatchObject({ atTop: false, atBottom: false, pixelsAbove: result.position?.y });
  });

  test.each([
    [{ direction: 'down', amount: 100 } as const, { x: 0, y: 100 }],
    [{ direction: 'right', amount: 50 } as const, { x: 50, y: 0 }],
    [{ direction: 'up', amount: 100 } as const, { x: 0, y: 0 }],
    [{ direction: 'down', amount: 0 } as const, { x: 0, y: 0 }],
  ])('by %j leads to %j', async (input, position) => {
    const { session } = await openPage(TALL);
    expect(expectSuccess(await session.scroll(input)).position).toEqual(position);
  });

  test('by half a page goes half as far', async () => {
    const { session } = await openPage(TALL);
    const half = expectSuccess(await session.scroll({ direction: 'down', amount: 'half' }));
    expect(half.position?.y).toBeGreaterThan(340);
    expect(half.position?.y).toBeLessThan(380);
  });

  test('by a huge number ends at the bottom, and up again at the top', async () => {
    const { session } = await openPage(TALL);
    const down = expectSuccess(await session.scroll({ direction: 'down', amount: 1_000_000 }));
    expect(down).toMatchObject({ atBottom: true, atTop: false, pixelsBelow: 0 });
    const up = expectSuccess(await session.scroll({ direction: 'up', amount: 1_000_000 }));
    expect(up).toMatchObject({ atTop: true, pixelsAbove: 0, position: { x: 0, y: 0 } });
  });

  test('is there at once where the page asks for smooth scrolling', async () => {
    const { session } = await openPage(`<style>html { scroll-behavior: smooth }</style>${TALL}`);
    expect(expectSuccess(await session.scroll({ direction: 'down', amount: 500 })).position?.y).toBe(500);
  });

  test.each([
    [
      'the body',
      '<style>html, body { height: 100%; margin: 0 } html { overflow: hidden } body { overflow: auto }</style><div style="height:3000px">Tall</div>',
    ],
    [
      'an element that fills the page',
      '<style>html, body { height: 100%; margin: 0; overflow: hidden } main { height: 100%; overflow: auto }</style><main><div style="height:3000px">Tall</div></main>',
    ],
    [
      'a modal over a locked page',
      '<style>body { overflow: hidden }</style><div style="height:5000px">Page</div><div role="dialog" aria-modal="true" style="position:fixed; inset:100px; overflow:auto; background:#fff"><div style="height:3000px">Tall</div></div>',
    ],
  ])('scrolls what does scroll: %s', async (_, html) => {
    const { session } = await openPage(html);
    const result = expectSuccess(await session.scroll({ direction: 'down', amount: 400 }));
    expect(result).toMatchObject({ position: { y: 400 }, atTop: false });
  });

  test('tells what a list adds a moment after its end has come near', async () => {
    const { session } =
      await late.openPage(`<style>li { height: 100px }</style><ul>${'<li><a href="#old">Old</a>'.repeat(15)}</ul>
      <script>onscroll = () => setTimeout(() => { document.querySelector('ul').innerHTML += '<li><a href="#late">Late thing</a>' }, 300)</script>`);
    const { changes } = expectSuccess(await session.scroll({ direction: 'down' }));
    expect(changes).toContain('+ listitem  link "Late thing"');
  });

  test('tells what a page loads when it is scrolled', async () => {
    const { session } = await openPage({
      '/': `<div style="height:2000px">Tall</div><p id="more">Loading</p><script>new IntersectionObserver(async ([entry], observer) => {
        if (entry.isIntersecting) { observer.disconnect(); more.textContent = await (await fetch('/more')).text(); } }).observe(more)</script>`,
      '/more': (_, response) => void setTimeout(() => response.end('Ten more things'), 200),
    });
    const result = expectSuccess(await session.scroll({ direction: 'down', amount: 5_000 }));
    expect(result.changes).toContain('Ten more things');
  });
});

describe('scrolling inside an element', () => {
  const LIST = `<div style="height:200px; overflow:auto" role="listbox" aria-label="List" tabindex="0">
    <button>First</button><div style="height:1500px"></div><button>Last</button></div><div style="height:3000px"></div>`;

  test('goes by lengths of that element, not of the page', async () => {
    const { session, read } = await openPage(LIST);
    const list = /listbox "List" (@e\d+)/.exec(await read())?.[1] ?? '';
    const result = expectSuccess(await session.scroll({ direction: 'down', ref: list }));
    expect(result.position?.y).toBeGreaterThan(150);
    expect(result.position?.y).toBeLessThan(200);
  });

  test('scrolls the box around an element that does not scroll itself', async () => {
    const { session, ref } = await openPage(LIST);
    const result = expectSuccess(await session.scroll({ direction: 'down', ref: ref('button', 'First'), amount: 300 }));
    expect(result).toMatchObject({ position: { y: 300 }, atBottom: false });
  });

  test('scrolls the document in a frame, by the ref of the frame or of what is in it', async () => {
    const { session, ref } = await openPage({
      '/': '<iframe title="Terms" src="/terms" style="height:200px"></iframe>',
      '/terms': '<button>Top</button><div style="height:2000px"></div>',
    });
    expect(await session.scroll({ direction: 'down', ref: ref('iframe', 'Terms'), amount: 100 })).toMatchObject({
      position: { y: 100 },
    });
    expect(await session.scroll({ direction: 'down', ref: ref('button', 'Top'), amount: 100 })).toMatchObject({
      position: { y: 200 },
    });
  });
});

describe('scrolling to an element', () => {
  test('brings it into view, within other scrollers too', async () => {
    const { session, ref } =
      await openPage(`<style>html { scroll-behavior: smooth }</style><div style="height:2000px"></div>
      <div style="height:150px; overflow:auto"><div style="height:900px"></div><button style="height:20px">Far</button></div><div style="height:2000px"></div>`);
    const result = expectSuccess(await session.scroll({ to: ref('button', 'Far') }));
    expect(result.position?.y).toBeGreaterThan(1_000);
    const seen = await session.snapshot({ scope: 'viewport' });
    expect(seen.tree).toContain('Far');
  });

  test('leaves a page alone that shows it already', async () => {
    const { session, ref } = await openPage(`<button>Near</button>${TALL}`);
    expect(expectSuccess(await session.scroll({ to: ref('button', 'Near') })).position).toEqual({ x: 0, y: 0 });
  });

  test('goes where the element is, whatever the direction says', async () => {
    const { session, ref } = await openPage(`${TALL}<button>Far</button>`);
    const far = ref('button', 'Far');
    const result = expectSuccess(await session.scroll({ direction: 'up', to: far }));
    expect(result.position?.y).toBeGreaterThan(1_000);
  });

  test('cannot be combined with an amount, and one of element and direction is needed', async () => {
    const { session } = await openPage(TALL);
    const both = expectFailure(await session.scroll({ to: '@e1', amount: 100 }), 'invalid_input');
    expect(both.message).toContain('to: cannot be combined with ref or amount');
    const none = expectFailure(await session.scroll({}), 'invalid_input');
    expect(none.message).toContain('direction');
  });
});
