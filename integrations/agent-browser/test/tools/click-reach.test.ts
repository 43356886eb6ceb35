import { describe, expect, test } from 'vitest';
import { TIMINGS } from '../../src/timings.js';
import { expectFailure, expectSuccess, pageOf } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage, toolset } = pageOpener();
/** Whose actions outlast a test. */
const patient = pageOpener({ timeout: 60_000 });
const late = pageOpener({}, { timings: TIMINGS });

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';
const COVER = 'position:fixed; inset:0; background:#0008; z-index:9';

describe('a click on a covered element', () => {
  test('names the cover and the ref of the button that closes it, soon', async () => {
    const { session, ref } = await patient.openPage(`<button>Pay</button>
      <div style="${COVER}"><div role="dialog" aria-label="Cookies"><a href="#">Policy</a> <button>Accept all</button></div></div>`);
    const result = expectFailure(await session.click({ ref: ref('button', 'Pay') }), 'element_blocked');
    expect(result.message).toContain('dialog "Cookies"');
    expect(result.recoveryHint).toContain(`${ref('button', 'Accept all')} (button "Accept all")`);
  });

  test('gives the closing button a ref even when it came after the last snapshot', async () => {
    const { session, ref } = await openPage(`<button>Pay</button><script>
      setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<div style="${COVER}"><button>Close</button></div>'), 600)</script>`);
    await session.wait({ for: { seconds: 0.8 } });
    const result = expectFailure(await session.click({ ref: ref('button', 'Pay') }), 'element_blocked');
    expect(result.recoveryHint).toMatch(/@e\d+ \(button "Close"\)/);
  });

  test('clicks nothing', async () => {
    const { session, ref, text } = await openPage(
      `<button onclick="say('pressed')">Pay</button><div style="${COVER}" onclick="say('cover')"><button>Close</button></div>${OUTPUT}`,
    );
    expectFailure(await session.click({ ref: ref('button', 'Pay') }), 'element_blocked');
    expect(await text()).not.toMatch(/pressed|cover/);
  });

  test('waits for a loading indicator that goes away by itself', async () => {
    const { session, ref } = await openPage(`<button onclick="say('pressed')">Pay</button>${OUTPUT}
      <div id="busy" style="${COVER}" aria-busy="true">Please wait</div><script>setTimeout(() => busy.remove(), 2500)</script>`);
    const result = expectSuccess(await session.click({ ref: ref('button', 'Pay') }));
    expect(result.changes).toContain('pressed');
  });

  test('hits the part that is free', async () => {
    const { session, ref } =
      await openPage(`<button style="width:200px; height:40px; border:3px solid" onclick="say('pressed')">Pay</button>
      <span style="position:absolute; left:40px; top:0; width:140px; height:60px; background:red" onclick="say('badge')">New</span>${OUTPUT}`);
    const result = expectSuccess(await session.click({ ref: ref('button', 'Pay') }));
    expect(result.changes).toContain('pressed');
    expect(result.changes).not.toContain('badge');
  });

  const FACE = 'position: relative; width: 200px; height: 40px';
  const NATIVE = 'position: absolute; inset: 0; width: 100%; opacity: 0';
  test.each([
    [
      'a label',
      `<label style="display: block; ${FACE}"><button aria-label="Fruit" style="${NATIVE}" onclick="say('pressed')"></button><span style="position: absolute; inset: 0">Apple</span></label>`,
    ],
    [
      'a box that listens',
      `<div style="${FACE}" onclick="say('pressed')"><button style="${NATIVE}">Fruit</button><div style="position: absolute; inset: 0">Apple</div></div>`,
    ],
    [
      'a component',
      `<x-select></x-select><script>customElements.define('x-select', class extends HTMLElement {
        constructor() {
          super();
          this.attachShadow({ mode: 'open' }).innerHTML = '<div style="${FACE}"><button style="${NATIVE}">Fruit</button><div class="select-control" style="position: absolute; inset: 0">Apple</div></div>';
          this.addEventListener('click', () => say('pressed'));
        } })</script>`,
    ],
  ])('is a click on the part of the same control that shows it: %s', async (_, html) => {
    const { session, ref } = await openPage(OUTPUT + html);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Fruit') })).changes).toContain('pressed');
  });

  const SHAPE = 'tabindex="0" role="button" aria-label="Block" onclick="say(\'pressed\')"';
  test.each([
    ['a frame', `<path ${SHAPE} fill-rule="evenodd" d="M0 0H200V200H0Z M8 8H192V192H8Z"/>`],
    ['a mouth', `<g ${SHAPE}><path d="M0 0H200V20H14V180H200V200H0Z"/></g>`],
    [
      'a ring',
      `<circle ${SHAPE} cx="100" cy="100" r="94" fill="none" stroke="red" stroke-width="10" pointer-events="visiblePainted"/>`,
    ],
  ])('presses a shape where it is, beside its hole: %s', async (_, shape) => {
    const { session, ref } = await openPage(
      `${OUTPUT}<svg width="200" height="200" onclick="if (event.target === this) say('hole')">${shape}</svg>`,
    );
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Block') }));
    expect(changes).toContain('pressed');
    expect(changes).not.toContain('hole');
  });

  test('says that an element lets the mouse through', async () => {
    const { session, ref } = await openPage('<button style="pointer-events: none">Pay</button>');
    const result = expectFailure(await session.click({ ref: ref('button', 'Pay') }), 'element_blocked');
    expect(result.message).toContain('does not react to the mouse');
  });

  test('sees a cover over the frame that the element is in', async () => {
    const { session, ref } = await openPage(`<iframe title="Card" srcdoc="<button>Pay</button>"></iframe>
      <div id="banner" style="${COVER}">Subscribe to our letter</div>`);
    const result = expectFailure(await session.click({ ref: ref('button', 'Pay') }), 'element_blocked');
    expect(result.message).toContain('Subscribe');
  });

  test('names the button that closes what covers a frame', async () => {
    const { session, ref } = await openPage(`<iframe title="Card" srcdoc="<button>Pay</button>"></iframe>
      <div id="banner" style="${COVER}">Subscribe to our letter <button onclick="banner.remove()">No, thanks</button></div>`);
    const result = expectFailure(await session.click({ ref: ref('button', 'Pay') }), 'element_blocked');
    expect(result.recoveryHint).toBe(`To dismiss it, try ${ref('button', 'No, thanks')} (button "No, thanks").`);
  });
});

describe('a click on an element that cannot be clicked', () => {
  test.each([
    ['disabled', '<button disabled>Send</button>'],
    ['in a disabled fieldset', '<fieldset disabled><button>Send</button></fieldset>'],
    ['disabled for assistive technology', '<button aria-disabled="true">Send</button>'],
  ])('says that it is disabled: %s', async (_, html) => {
    const { session, ref } = await openPage(html);
    expectFailure(await session.click({ ref: ref('button', 'Send') }), 'element_disabled');
  });

  test('says that it is not visible any more', async () => {
    const { session, ref, script } = await openPage('<button id="b">Send</button>');
    await script(
      'b.style.width = b.style.padding = b.style.border = 0; b.style.overflow = "hidden"; b.style.height = 0',
    );
    expectFailure(await session.click({ ref: ref('button', 'Send') }), 'element_not_visible');
  });

  test('names the options of a drop-down list', async () => {
    const { session, ref } = await openPage('<select aria-label="Size"><option>Small<option value="l">Large</select>');
    const result = expectFailure(await session.click({ ref: ref('combobox', 'Size') }), 'is_select');
    expect(result.message).toContain('"Small" selected, "Large" ("l")');
  });

  test.each([
    ['a file input', '<input type="file" aria-label="Photo">'],
    ['a label for a hidden file input', '<label>Photo<input type="file" hidden></label>'],
  ])('says that %s takes files', async (_, html) => {
    const { session, ref } = await openPage(html);
    expectFailure(await session.click({ ref: ref('button', 'Photo') }), 'is_file_input');
  });
});

describe('a click reaches', () => {
  test.each([
    ['disabled', 'disabled', 'disabled = false'],
    ['disabled for assistive technology', 'aria-disabled="true"', 'ariaDisabled = null'],
  ])('what is %s when it comes and is enabled a moment later', async (_, attribute, enable) => {
    // The mouse that comes to it first tells the page that a click is about to follow.
    const { session, ref } =
      await late.openPage(`<button id="b" ${attribute} onclick="say('sent')">Send</button>${OUTPUT}
      <script>addEventListener('mousemove', () => setTimeout(() => { b.${enable} }, 900), { once: true })</script>`);
    const hovered = session.hover({ ref: ref('button', 'Send') });
    const clicked = session.click({ ref: ref('button', 'Send') });
    expectSuccess(await hovered);
    expect(expectSuccess(await clicked).changes).toContain('sent');
  });

  test('an element that never stands still, and that moves on afterwards', async () => {
    const { session, ref, evaluate } = await openPage(`<style>@keyframes sway { to { left: 900px } }</style>
      <button id="b" style="position:absolute; left:0; animation: sway .8s infinite alternate" onclick="say('caught')">Catch me</button>${OUTPUT}`);
    const result = expectSuccess(await session.click({ ref: ref('button', 'Catch me') }));
    expect(result.changes).toContain('caught');
    const place = () => evaluate('b.getBoundingClientRect().x');
    const before = await place();
    await expect.poll(place).not.toBe(before);
  });

  test('no other element than the one it chases', async () => {
    const { session, ref, text } = await openPage(`<style>@keyframes run { to { left: 900px } }</style>
      <div style="position:absolute; inset:0" onclick="say('wrong')"></div>
      <button style="position:absolute; width:4px; height:4px; padding:0; overflow:hidden; animation: run .15s infinite" aria-label="Fly" onclick="say('caught')"></button>${OUTPUT}`);
    const result = await session.click({ ref: ref('button', 'Fly') });
    expect(await text()).not.toContain('wrong');
    if (!result.success) expectFailure(result, 'element_blocked');
  });

  test('an element under a bar that stays where the page scrolls', async () => {
    const { session, ref, text, script } = await openPage(`<header onclick="say('bar')"
      style="position:fixed; top:0; left:0; right:0; height:120px; background:#ccc">Shop</header>
      <div style="height:900px"></div><button onclick="say('pressed')">Pay</button><div style="height:2000px"></div>${OUTPUT}`);
    await script("document.querySelector('button').scrollIntoView()");
    expectSuccess(await session.click({ ref: ref('button', 'Pay') }));
    expect(await text()).toContain('pressed');
    expect(await text()).not.toContain('bar');
  });

  test('an element under such a bar in which something moves without an end', async () => {
    const { session, ref, text, script } = await openPage(`<style>@keyframes pulse { to { opacity: .5 } }</style>
      <header onclick="say('bar')" style="position:fixed; top:0; left:0; right:0; height:120px; background:#ccc">Shop
      <b style="animation: pulse .3s infinite alternate">New</b></header>
      <div style="height:900px"></div><button onclick="say('pressed')">Pay</button><div style="height:2000px"></div>${OUTPUT}`);
    await script("document.querySelector('button').scrollIntoView()");
    expectSuccess(await session.click({ ref: ref('button', 'Pay') }));
    expect(await text()).toContain('pressed');
    expect(await text()).not.toContain('bar');
  });

  test('an element that a script takes away from under the mouse, once it stays', async () => {
    const { session, ref, text } = await openPage(
      `<div onclick="say('wrong')" style="position:absolute; inset:0"></div>
      <button id="b" style="position:absolute; left:0; width:40px" onclick="say('pressed')">Go</button>${OUTPUT}
      <script>let evaded = 0; b.onmousemove = () => { if (evaded < 4) b.style.left = ++evaded * 100 + 'px'; };</script>`,
    );
    expectSuccess(await session.click({ ref: ref('button', 'Go') }));
    expect(await text()).toContain('pressed');
    expect(await text()).not.toContain('wrong');
  });

  test('an area of an image that is larger than the viewport', async () => {
    const { session, ref } = await openPage(`<map name="m"><area alt="North" shape="rect" coords="0,0,80,40" href="#n">
      <area alt="South" shape="rect" coords="2900,2900,2990,2990" href="#s"></map>
      <img usemap="#m" alt="Plan" width="3000" height="3000" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">`);
    for (const [name, fragment] of [
      ['South', '#s'],
      ['North', '#n'],
    ] as const)
      expect(expectSuccess(await session.click({ ref: ref('link', name) })).url).toContain(fragment);
  });

  test('the part in sight of an element that no scrolling brings into view', async () => {
    const { session, ref } = await openPage(
      `<button style="position:fixed; left:-60px; width:100px" onclick="say('pressed')">Help</button>${OUTPUT}`,
    );
    expect(expectSuccess(await session.click({ ref: ref('button', 'Help') })).changes).toContain('pressed');
  });

  test('nothing of an element that stands outside the viewport for good', async () => {
    const { session, ref, script } = await openPage(
      '<button style="position:fixed; left:0; width:100px">Help</button>',
    );
    await script("document.querySelector('button').style.left = '-600px'");
    const { message } = expectFailure(await session.click({ ref: ref('button', 'Help') }), 'element_not_visible');
    expect(message).toContain('outside the viewport');
  });

  test('an element of a page that a person has enlarged', async () => {
    const { session, ref } = await openPage(
      `<div style="height:600px"></div><button onclick="say('pressed')">Pay</button>
      <iframe title="Card" srcdoc="<button onclick=&quot;this.textContent = 'Saved'&quot;>Save</button>"></iframe>${OUTPUT}`,
    );
    const page = await pageOf(toolset, session.threadId);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 });
    expect(expectSuccess(await session.click({ ref: ref('button', 'Pay') })).changes).toContain('pressed');
    expect(expectSuccess(await session.click({ ref: ref('button', 'Save') })).changes).toContain('Saved');
    await cdp.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
  });

  test('an element far down in scrollers within scrollers', async () => {
    const scroller = (inner: string): string =>
      `<div style="height:120px; overflow:auto"><div style="height:700px"></div>${inner}<div style="height:500px"></div></div>`;
    const { session, ref } = await openPage(
      `<div style="height:2000px"></div>${scroller(scroller(`<button onclick="say('deep')">Deep</button>`))}${OUTPUT}`,
    );
    expect(expectSuccess(await session.click({ ref: ref('button', 'Deep') })).changes).toContain('deep');
  });

  test.each(['open', 'closed'])('into an %s shadow root, scrolled out of sight', async mode => {
    const { session, ref } = await openPage(`<div style="height:2000px"></div><div id="host"></div><script>
      const root = host.attachShadow({ mode: '${mode}' });
      root.innerHTML = '<div style="height:100px; overflow:auto"><div style="height:900px"></div><button>Inside</button></div>';
      root.querySelector('button').onclick = event => { event.currentTarget.textContent = 'Pressed' };</script>`);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Inside') })).changes).toContain('Pressed');
  });

  test('into frames of another site within frames', async () => {
    const { session, ref } = await openPage({
      '/': '<div style="height:1500px"></div><iframe title="Middle" src="/middle" style="height:300px"></iframe>',
      '/middle': (request, response) => {
        const other = `http://localhost:${request.socket.localPort}/inner`;
        response.end(`<!doctype html><div style="height:900px"></div><iframe title="Inner" src="${other}"></iframe>`);
      },
      '/inner': '<div style="height:900px"></div><button onclick="this.textContent = \'Pressed\'">Far away</button>',
    });
    const result = expectSuccess(await session.click({ ref: ref('button', 'Far away') }));
    expect(result.changes).toContain('Pressed');
  });

  test.each([
    ['transparent', 'opacity:0; position:absolute'],
    ['clipped to a pixel', 'clip-path: inset(50%); width:1px; height:1px; position:absolute'],
    ['not displayed', 'display:none'],
  ])('a check box behind its label: %s', async (_, style) => {
    const { session, ref } = await openPage(
      `<label><input type="checkbox" style="${style}"><span style="display:inline-block; padding:9px">Agree</span></label>`,
    );
    const result = expectSuccess(await session.click({ ref: ref('checkbox', 'Agree') }));
    expect(result.changes).toMatch(/checkbox "Agree" @e\d+.* checked/);
  });

  test('the button of a frame that it removes', async () => {
    const { session, ref, read } = await openPage(
      `<iframe title="Ad" srcdoc="<button onclick='parent.document.querySelector(&quot;iframe&quot;).remove()'>Close ad</button>"></iframe>`,
    );
    expectSuccess(await session.click({ ref: ref('button', 'Close ad') }));
    expect(await read()).not.toContain('Close ad');
  });
});

describe('a click on a row that turns into another under the mouse', () => {
  const list = (recycle: string): string => `<ul id="list">
      <li><span>Alpha</span> <button onclick="say('deleted ' + this.parentNode.querySelector('span').textContent)">Delete</button></li>
      <li><span>Beta</span> <button>Delete</button></li></ul>${OUTPUT}
      <script>for (const type of ['pointermove', 'mousemove', 'mouseover', 'mouseenter']) list.addEventListener(type, () => { ${recycle} });</script>`;

  test('is refused, and nothing is clicked', async () => {
    const page = await openPage(list(`list.querySelector('span').textContent = 'Gamma'`));
    const result = expectFailure(await page.session.click({ ref: page.ref('button', 'Delete') }), 'ref_changed');
    expect(result.message).toMatch(/was button "Delete" in "Alpha.*" and is now button "Delete" in "Gamma/);
    expect(await page.text()).not.toContain('deleted');
  });

  test('can be repeated if that is what was meant', async () => {
    const page = await openPage(list(`list.querySelector('span').textContent = 'Gamma'`));
    expectFailure(await page.session.click({ ref: page.ref('button', 'Delete') }), 'ref_changed');
    const result = expectSuccess(await page.session.click({ ref: page.ref('button', 'Delete') }));
    expect(result.changes).toContain('deleted Gamma');
  });

  test('is refused for a double click, too', async () => {
    const page = await openPage(list(`list.querySelector('span').textContent = 'Gamma'`));
    expectFailure(await page.session.click({ ref: page.ref('button', 'Delete'), clickCount: 2 }), 'ref_changed');
    expect(await page.text()).not.toContain('deleted');
  });
});

describe('a field that is seen only by what stands around it takes a click there', () => {
  const UNSEEN = 'position: absolute; opacity: 0;';
  const BOX = 'position: relative; width: 200px; height: 32px; border: 1px solid';
  const OVER = 'position: absolute; left: 0; top: 0; width: 100%; height: 100%';

  test.for([
    [
      'an input under the text of its label',
      `<input type="checkbox" style="${UNSEEN} z-index: -1"><span style="padding: 10px; background: #eee">Agree</span>`,
    ],
    [
      'an input that the mouse goes through',
      `<input type="checkbox" style="${UNSEEN} pointer-events: none"><span style="padding: 8px; border: 1px solid"></span> Agree`,
    ],
    [
      'an input in a box of one pixel',
      `Agree<span style="position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%)"><input type="checkbox"></span>`,
    ],
  ])('%s', async ([, html]) => {
    const { session, ref, read } = await openPage(`<div style="padding: 20px"><label>${html}</label></div>`);
    const box = ref('checkbox', 'Agree');
    expectSuccess(await session.click({ ref: box }));
    expect(await read()).toMatch(/checkbox "Agree" .*\bchecked/);
    expectSuccess(await session.fillForm({ fields: [{ ref: box, value: false }] }));
    expect((await read()).match(/checkbox "Agree"/g)).toHaveLength(1);
    expect(await read()).not.toContain('checked');
  });

  test.for([
    [
      'under what it shows',
      `<input role="combobox" aria-label="City" readonly style="width: 100%"><div style="${OVER}">Select</div>`,
    ],
    [
      'under its own box',
      `<input role="combobox" aria-label="City" readonly style="${OVER}; opacity: 0; z-index: -1">`,
    ],
    [
      'that the mouse goes through',
      `<input role="combobox" aria-label="City" readonly style="${UNSEEN} width: 10px; pointer-events: none">Pick`,
    ],
  ])('a drop-down with its input %s', async ([, html]) => {
    const { session, ref } = await openPage(
      `${OUTPUT}<div style="${BOX}; background: #fff" onclick="say('opened')">${html}</div>`,
    );
    expect(expectSuccess(await session.click({ ref: ref('combobox', 'City') })).changes).toContain('opened');
  });

  test('a drop-down that is on its way when it is clicked', async () => {
    const { session, ref } = await openPage(`${OUTPUT}<style>@keyframes come { from { margin-left: 400px } }</style>
      <div style="${BOX}; background: #fff; animation: come 1s linear" onclick="say('opened')">
        <input role="combobox" aria-label="City" readonly style="${OVER}; opacity: 0; z-index: -1"></div>
      <button onclick="document.querySelector('div').style.animationName = 'none'; requestAnimationFrame(() => { document.querySelector('div').style.animationName = 'come' })">Again</button>`);
    expectSuccess(await session.click({ ref: ref('button', 'Again') }));
    expect(expectSuccess(await session.click({ ref: ref('combobox', 'City') })).changes).toContain('opened');
  });

  test.for([
    ['something that is pressed for itself', BOX, `<div style="${OVER}" onclick="say('wrong')">Over</div>`],
    ['something that belongs to another field too', BOX, `<div style="${OVER}">Over</div><input aria-label="Other">`],
    ['what shows that it loads', BOX, `<div class="loading" style="${OVER}">Over</div>`],
    ['something larger than its box', BOX, `<div style="position: absolute; inset: -300px">Over</div>`],
    ['a cover of a whole part of the page', 'position: relative; height: 400px', `<div style="${OVER}">Over</div>`],
  ])('but not under %s', async ([, box, html]) => {
    const { session, ref, text } = await openPage(
      `${OUTPUT}<div style="${box}" onclick="say('wrong')"><input type="checkbox" aria-label="Agree">${html}</div>`,
    );
    expectFailure(await session.click({ ref: ref('checkbox', 'Agree') }), 'element_blocked');
    expect(await text()).not.toContain('wrong');
  });
});
