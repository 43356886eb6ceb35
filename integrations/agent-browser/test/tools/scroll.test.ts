import { describe, expect, test } from 'vitest';
import { scroll } from '../../src/tools/scroll.js';
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

describe('a page that scrolls by the wheel alone', () => {
  const SECTIONS = `<style>html, body { margin: 0; height: 100%; overflow: hidden }</style><h1 id="now">Section 1</h1>
    <div style="height:3000px"></div><script>let at = 1; const turn = ({ deltaY }) => { now.textContent = 'Section ' + (at += Math.sign(deltaY)) };</script>`;

  test('goes on: it cancels the wheel, and answers without a position', async () => {
    const { session } = await openPage(
      `${SECTIONS}<script>addEventListener('wheel', event => { event.preventDefault(); turn(event) }, { passive: false })</script>`,
    );
    const result = expectSuccess(await session.scroll({ direction: 'down' }));
    expect(result).toMatchObject({ wheel: 'handled', changes: expect.stringContaining('Section 2') });
    expect(result.atBottom).toBeUndefined();
    expect(expectSuccess(await session.scroll({ direction: 'up' })).changes).toContain('Section 1');
  });

  test('goes on: it only listens', async () => {
    const { session, evaluate } = await openPage(
      `${SECTIONS}<script>addEventListener('wheel', turn, { passive: true })</script>`,
    );
    expect(expectSuccess(await session.scroll({ direction: 'down' })).changes).toContain('Section 2');
    expect(await evaluate('scrollY')).toBe(0);
  });

  test('goes on inside a frame, by its ref', async () => {
    const { session, ref } = await openPage({
      '/': '<div style="height:50px"></div><iframe title="Map" src="/map" style="height:300px"></iframe><div style="height:3000px"></div>',
      '/map': `<!doctype html>${SECTIONS}<script>addEventListener('wheel', event => { event.preventDefault(); turn(event) }, { passive: false })</script>`,
    });
    const result = expectSuccess(await session.scroll({ direction: 'down', ref: ref('iframe', 'Map') }));
    expect(result).toMatchObject({ wheel: 'handled', changes: expect.stringContaining('Section 2') });
  });

  test('is a map in a page that scrolls: it zooms by its ref, by what it is asked for, and the page stays', async () => {
    const { session, ref, evaluate } =
      await openPage(`<canvas tabindex="0" aria-label="Map" width="300" height="300"></canvas><div style="height:3000px"></div><script>
      const map = document.querySelector('canvas'), pen = map.getContext('2d'); let zoom = 0; pen.fillRect(0, 0, 20, 20);
      map.onwheel = event => { event.preventDefault(); zoom += event.deltaY; pen.fillRect(0, 0, 250, 250) }</script>`);
    const result = expectSuccess(await session.scroll({ direction: 'up', ref: ref('clickable', 'Map'), amount: 240 }));
    expect(result).toMatchObject({ wheel: 'handled', changes: expect.stringContaining('drawn: canvas "Map"') });
    expect(await evaluate('[zoom, scrollY]')).toEqual([-240, 0]);
  });

  test('is not one that nothing scrolls: the result says so', async () => {
    const { session } = await openPage('<button>Short</button>');
    const result = expectSuccess(await session.scroll({ direction: 'down' }));
    expect(result).toMatchObject({ wheel: 'turned', atTop: true, atBottom: true });
  });

  test('is not an element that leaves the wheel to its page, which scrolls as far as it is told', async () => {
    const { session, ref } = await openPage(`<button>Near</button>${TALL}`);
    const result = expectSuccess(await session.scroll({ direction: 'down', ref: ref('button', 'Near'), amount: 300 }));
    expect(result.position).toEqual({ x: 0, y: 300 });
  });
});

describe('boxes that scroll inside a page', () => {
  const PANES = `<style>body { margin: 0 } ul { position: fixed; top: 0; width: 250px; height: 300px; margin: 0; overflow: auto } li { height: 60px }</style>
    <ul id="left" style="left:0" aria-label="Folders">${'<li>Folder</li>'.repeat(30)}</ul>
    <ul id="right" style="right:0">${'<li>Mail</li>'.repeat(20)}</ul>`;

  test('are named where the page itself has nothing left, by refs that scroll them', async () => {
    const { session, evaluate } = await openPage(PANES);
    const result = expectSuccess(await session.scroll({ direction: 'down' }));
    expect(result.otherBoxes).toMatchObject([
      { ref: expect.stringMatching(/^@e\d+$/), what: expect.stringContaining('"Folders"'), pixelsBelow: 1500 },
      { what: expect.stringContaining('right'), pixelsBelow: 900 },
    ]);
    const right = result.otherBoxes?.[1]?.ref ?? '';
    const inner = expectSuccess(await session.scroll({ direction: 'down', ref: right, amount: 200 }));
    expect(inner).toMatchObject({ position: { y: 200 }, pixelsBelow: 700 });
    expect(await evaluate('[left.scrollTop, right.scrollTop]')).toEqual([0, 200]);
  });

  test('are named at the end of a page that does scroll, not before', async () => {
    const { session } = await openPage(`${PANES}<div style="height:2000px"></div>`);
    expect(expectSuccess(await session.scroll({ direction: 'down', amount: 100 })).otherBoxes).toBeUndefined();
    const end = expectSuccess(await session.scroll({ direction: 'down', amount: 100_000 }));
    expect(end.otherBoxes).toHaveLength(2);
    expect(scroll.headline(end)).toContain('These scroll on their own (ref): @e');
  });

  test('scroll after a page that is at its end, where they fill its middle, and are named', async () => {
    const { session } = await openPage(
      `<style>body { margin: 0 }</style><main style="height:700px; overflow:auto" aria-label="Feed" role="feed"><div style="height:3000px">Tall</div></main><div style="height:100px"></div>`,
    );
    expect(expectSuccess(await session.scroll({ direction: 'down' })).position?.y).toBe(80);
    const inner = expectSuccess(await session.scroll({ direction: 'down', amount: 400 }));
    expect(inner).toMatchObject({ position: { y: 400 }, box: { what: expect.stringContaining('"Feed"') } });
  });
});
