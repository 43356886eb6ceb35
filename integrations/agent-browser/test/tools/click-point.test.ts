import { expect, test } from 'vitest';
import { expectFailure, expectSuccess, pageOf } from '../fixtures.js';
import { enlarge } from '../live/two-fingers.js';
import { pageOpener } from './open-page.js';

const { openPage, toolset } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';
const AT = 'position:absolute; margin:0; left:100px; top:200px; width:200px; height:50px';

test('a click at a point tells the element there, with its ref', async () => {
  const { session, ref } = await openPage(`<button style="${AT}" onclick="say('hit')"><b>Buy</b></button>${OUTPUT}`);
  const result = expectSuccess(await session.click({ x: 150, y: 220 }));
  expect(result.element).toEqual({ ref: ref('button', 'Buy'), role: 'button', name: 'Buy', tag: 'button' });
  expect(result.changes).toContain('hit');
});

test('a click at a point of a frame tells the element inside the frame', async () => {
  const { session, ref } = await openPage({
    '/': `<iframe title="Outer" style="${AT}; height:300px; border:5px solid; padding:7px" src="/frame"></iframe>`,
    '/frame': `<body style="margin:0"><button style="${AT}; left:20px; top:30px" onclick="this.textContent='Hit'">Inner</button>`,
  });
  const result = expectSuccess(await session.click({ x: 100 + 12 + 30, y: 200 + 12 + 40 }));
  expect(result.element).toEqual({ ref: ref('button', 'Inner'), role: 'button', name: 'Inner', tag: 'button' });
  expect(result.changes).toContain('Hit');
});

test('a click at a point where nothing can be acted on tells what stands there', async () => {
  const { session } = await openPage(`<p style="${AT}">Just words</p>`);
  const result = expectSuccess(await session.click({ x: 150, y: 220 }));
  expect(result.element).toMatchObject({ tag: 'p' });
  expect(result.element?.ref).toBeUndefined();
});

test('a click at a point can be double, with another button and with modifier keys', async () => {
  const { session, text } = await openPage(`<div style="${AT}" ondblclick="say('double' + event.shiftKey)"
    oncontextmenu="say('menu'); return false">Target</div>${OUTPUT}`);
  expectSuccess(await session.click({ x: 150, y: 220, clickCount: 2, modifiers: ['Shift'] }));
  expectSuccess(await session.click({ x: 150, y: 220, button: 'right' }));
  expect(await text()).toContain('doubletruemenu');
});

test('a click at a point of a page that a person has enlarged goes to what a screenshot shows there', async () => {
  const { session } = await openPage(`<button style="${AT}; width:40px; height:20px" onclick="say('hit')">Buy</button>
    <iframe style="${AT}; left:300px; width:300px" srcdoc="<button onclick='this.textContent=&quot;Hit&quot;'>Inner</button>"></iframe>${OUTPUT}`);
  const page = await pageOf(toolset, session.threadId);
  await enlarge(toolset, session.threadId, page);
  const onPicture = async (selector: string, [dx, dy]: [number, number]) =>
    page.evaluate<{ x: number; y: number }>(`(() => {
      const { left, top } = document.querySelector('${selector}').getBoundingClientRect();
      const { offsetLeft, offsetTop, scale } = visualViewport;
      return { x: (left - offsetLeft + ${dx}) * scale, y: (top - offsetTop + ${dy}) * scale };
    })()`);
  const hit = expectSuccess(await session.click(await onPicture('button', [35, 15])));
  expect(hit.element).toMatchObject({ role: 'button', name: 'Buy' });
  expect(hit.changes).toContain('hit');
  const inner = expectSuccess(await session.click(await onPicture('iframe', [20, 20])));
  expect(inner.element).toMatchObject({ role: 'button', name: 'Inner' });
  expect(inner.changes).toContain('Hit');
});

const came = (
  what: string,
  when: string,
) => `<div id="place"><button style="${AT}" onclick="say('next')">Next</button></div>${OUTPUT}
  <script>addEventListener('${when}', () => { place.innerHTML = \`${what}\`; }, { once: true })</script>`;
const OTHER = `<button style="${AT}" onclick="say('deleted')" onmousedown="say('deleted')">Delete</button>`;

test.each([
  ['another button came there with the mouse', came(OTHER, 'mousemove')],
  [
    'the button is called otherwise once the mouse is there',
    `<button style="${AT}" onclick="say('deleted')"
    onmousemove="this.textContent = 'Delete'">Next</button>${OUTPUT}`,
  ],
  [
    'a button came over it with the mouse',
    `<button style="${AT}">Next</button>${OUTPUT}
    <div id="place"></div><script>addEventListener('mousemove', () => { place.innerHTML = \`${OTHER}\`; })</script>`,
  ],
])('a click at a point does nothing where %s', async (_, page) => {
  const { session, text } = await openPage(page);
  const result = expectFailure(await session.click({ x: 150, y: 220 }), 'element_blocked');
  expect(result.message).toBe('Where button "Next" was, there is <button> button "Delete" now. Nothing was done.');
  expect(await text()).not.toContain('deleted');
});

test.each([
  [
    'another button without a name comes there',
    `<style>button { width: 200px; height: 50px; position: absolute; left: 100px; top: 200px } .away { left: 500px }</style>
    <button onclick="say('first')"><svg width="9" height="9"></svg></button><button class="away" onclick="say('deleted')"><svg width="9" height="9"></svg></button>
    <script>addEventListener('mousemove', () => { for (const each of document.querySelectorAll('button')) each.classList.toggle('away'); }, { once: true })</script>`,
  ],
  [
    'the label of another box comes there',
    `<style>label { position: absolute; left: 100px; top: 200px; width: 200px; height: 50px } .away { top: 400px }</style>
    <label>First <input type="checkbox"></label><label class="away">Second <input type="checkbox" onchange="say('deleted')"></label>
    <script>addEventListener('mousemove', () => { for (const each of document.querySelectorAll('label')) each.classList.toggle('away'); }, { once: true })</script>`,
  ],
  [
    'a page of an advertisement comes over it',
    `<p style="${AT}">Words</p><div id="place"></div><script>addEventListener('mousemove', () => {
      const over = Object.assign(document.createElement('div'), { style: 'position: fixed; inset: 0' });
      over.addEventListener('click', () => say('deleted'));
      place.append(over);
    }, { once: true })</script>`,
  ],
  [
    'a frame comes under the mouse',
    `<button style="${AT}" onclick="say('first')" onmousemove="frame.style.left = '100px'">Next</button>
    <iframe id="frame" style="${AT}; left: 900px; border: 0" srcdoc="<body style='height: 100vh' onmousedown='parent.out.textContent += &quot;deleted&quot;'>"></iframe>`,
  ],
])('a click at a point presses nothing else where %s', async (_, page) => {
  const { session, text } = await openPage(`${OUTPUT}${page}`);
  expectFailure(await session.click({ x: 150, y: 220 }), 'element_blocked');
  expect(await text()).not.toMatch(/first|deleted/);
});

test('a click at a point of a disabled button says so', async () => {
  const { session } = await openPage(`<button style="${AT}" disabled>Pay</button>`);
  const result = expectFailure(await session.click({ x: 150, y: 220 }), 'element_disabled');
  expect(result.message).toBe('button "Pay" is disabled. It received no click.');
});

test.each([
  ['button', 'button "Save"', ''],
  ['thing that a script makes one', 'clickable "Save"', ' cursor: pointer'],
])('a click at a point of a %s that the press itself moves away says so', async (_, name, style) => {
  const tag = style === '' ? 'button' : 'div';
  const { session } = await openPage(
    `<${tag} id="save" style="${AT};${style}" onmousedown="save.style.top = '400px'" onclick="say('saved')">Save</${tag}>${OUTPUT}`,
  );
  const result = expectFailure(await session.click({ x: 150, y: 220 }), 'element_blocked');
  expect(result.message).toContain(`${name} moved away from under the mouse during the click. It received no click.`);
  expect((await session.snapshot()).tree).not.toContain('saved');
});

test('the click of a press that moves a button away is kept from the card around both', async () => {
  const { session } = await openPage(
    `<div style="position:absolute; inset:0; cursor:pointer" onclick="say('opened the card')">
      <button id="save" style="${AT}" onmousedown="save.style.top = '400px'" onclick="say('saved')">Save</button></div>${OUTPUT}`,
  );
  expectFailure(await session.click({ x: 150, y: 220 }), 'element_blocked');
  expect((await session.snapshot()).tree).not.toMatch(/opened|saved/);
});

test.each([
  ['stays under the mouse', "knob.style.left = '120px'"],
  ['is put out of all reach', "knob.style.left = '-9999px'"],
  ['is hidden', "knob.style.display = 'none'"],
  ['moves away, and prevents what else the press would do', "event.preventDefault(); knob.style.left = '400px'"],
])('a click at a point of what takes its press and then %s is one', async (_, then) => {
  const { session } = await openPage(
    `<div id="knob" role="switch" aria-checked="false" aria-label="Alarm" style="${AT}"
      onpointerdown="say('switched'); ${then}"></div>${OUTPUT}`,
  );
  expect(expectSuccess(await session.click({ x: 150, y: 220 })).changes).toContain('switched');
});

test('a click at a point of a label reaches its field, though the label then moves away', async () => {
  const { session } = await openPage(
    `<label id="label" for="news" style="${AT}" onclick="label.style.top = '400px'">News</label><input id="news" type="checkbox">`,
  );
  expect(expectSuccess(await session.click({ x: 150, y: 220 })).changes).toContain('checked');
});

test('a double click at a point reaches a control that its first press renames', async () => {
  const { session, text } = await openPage(
    `<button style="${AT}" onclick="textContent = 'Pressed ' + event.detail; say(event.detail)">Play</button>${OUTPUT}`,
  );
  expectSuccess(await session.click({ x: 150, y: 220, clickCount: 2 }));
  expect(await text()).toContain('12');
});

test('a click at a point where nothing could be pressed does nothing once a button came there', async () => {
  const { session, text } = await openPage(`<p style="${AT}">Words</p>${OUTPUT}
    <div id="place"></div><script>addEventListener('mousemove', () => { place.innerHTML = \`${OTHER}\`; })</script>`);
  const result = expectFailure(await session.click({ x: 150, y: 220 }), 'element_blocked');
  expect(result.message).toContain('there is <button> button "Delete" now.');
  expect(await text()).not.toContain('deleted');
});

test('a click at a point of a frame does nothing where a button came over the frame with the mouse', async () => {
  const { session, text } = await openPage({
    '/': `<iframe title="Outer" style="${AT}; border:0" src="/frame"></iframe><div id="place"></div>${OUTPUT}
      <script>function cover() { place.innerHTML = \`${OTHER}\`; }</script>`,
    '/frame': `<body style="margin:0" onmousemove="parent.cover()"><button style="width:200px; height:50px">Inner</button>`,
  });
  expectFailure(await session.click({ x: 150, y: 220 }), 'element_blocked');
  expect(await text()).not.toContain('deleted');
});

test('the second press of a double click at a point is kept from what the first one opened', async () => {
  const { session, text } =
    await openPage(`<button style="${AT}" onclick="place.innerHTML = document.querySelector('template').innerHTML">Next</button>${OUTPUT}
    <div id="place"></div><template>${OTHER}</template>`);
  const result = expectFailure(await session.click({ x: 150, y: 220, clickCount: 2 }), 'element_blocked');
  expect(result.message).toContain('The action was only partly performed.');
  expect(await text()).not.toContain('deleted');
});

test.each([
  [
    'draws its parts anew at each move of the mouse',
    `<div id="place" onclick="say('hit')" style="${AT}"></div>
    <script>const draw = () => { place.innerHTML = '<svg width="200" height="50"><rect width="200" height="50"/></svg>'; };
    draw(); addEventListener('mousemove', draw)</script>${OUTPUT}`,
  ],
  [
    'draws its button anew at each move of the mouse',
    `<div id="place"></div>
    <script>const draw = () => { place.innerHTML = \`<button style="${AT}" onclick="say('hit')">Next</button>\`; };
    draw(); addEventListener('mousemove', draw)</script>${OUTPUT}`,
  ],
  [
    'shows a tip over the point that lets the mouse through',
    `<button style="${AT}" onclick="say('hit')" onmousemove="tip.hidden = false">Next</button>
    <div id="tip" hidden style="${AT}; pointer-events: none">What it does</div>${OUTPUT}`,
  ],
  [
    'opens something with the press',
    `<button style="${AT}" onmousedown="say('hit'); over.hidden = false">Next</button>
    <div id="over" hidden style="position: fixed; inset: 0">Menu</div>${OUTPUT}`,
  ],
  [
    'covers itself once the pointer is down',
    `<button style="${AT}" onpointerdown="say('hit'); over.hidden = false; document.body.style.pointerEvents = 'none'">Next</button>
    <div id="over" hidden style="position: fixed; inset: 0">Menu</div>${OUTPUT}`,
  ],
  [
    'renames its button once the pointer is down',
    `<button style="${AT}" onpointerdown="textContent = 'Recording'" onclick="say('hit')">Hold</button>${OUTPUT}`,
  ],
  [
    'writes where the mouse is beside its map',
    `<div tabindex="0" style="${AT}" onmousemove="where.textContent = event.clientX" onclick="say('hit')">
    <canvas width="200" height="50"></canvas><i id="where"></i></div>${OUTPUT}`,
  ],
  [
    'shows by the cursor what is under the mouse',
    `<style>p:hover { cursor: pointer }</style><div tabindex="0" style="${AT}" onclick="say('hit')"><p style="margin: 0; height: 50px">Open</p></div>${OUTPUT}`,
  ],
  [
    'shows it in a frame that is turned',
    `<iframe style="${AT}; border: 0; transform: perspective(600px) rotateY(40deg)" srcdoc="<body style='height: 100vh' onclick='parent.out.textContent += &quot;hit&quot;'>"></iframe>${OUTPUT}`,
  ],
  [
    'draws a cross of lines under the mouse',
    `<svg style="${AT}" viewBox="0 0 200 50" onclick="say('hit')"><rect width="200" height="50"/><path id="cross" d="M0 0" stroke="red" stroke-width="6"/></svg>
    <script>addEventListener('mousemove', event => cross.setAttribute('d', 'M' + (event.clientX - 100) + ' 0 V 50'))</script>${OUTPUT}`,
  ],
  [
    'draws its control anew with the press',
    `<div id="place"><button style="${AT}" onmousedown="place.innerHTML = place.innerHTML; say('hit')">Next</button><a href="#">Below</a></div>
    <script>addEventListener('mouseup', () => say('up'))</script>${OUTPUT}`,
  ],
  [
    'closes with the press what was over another control',
    `<button style="${AT}">Below</button><div style="${AT}" role="menuitem" onmousedown="this.remove(); say('hit')">Choice</div>${OUTPUT}`,
  ],
  [
    'shows by its cursor that rows take presses, once the mouse is there',
    `<style>p:hover { cursor: pointer }</style><p style="${AT}">Row</p><script>document.addEventListener('click', () => say('hit'))</script>${OUTPUT}`,
  ],
  [
    'moves a thumb under the mouse with the press',
    `<div tabindex="0" style="${AT}" onmousedown="thumb.style.left = '30px'; say('hit')"><i id="thumb" tabindex="0"
    style="position: absolute; left: 150px; width: 40px; height: 50px; background: red"></i></div>${OUTPUT}`,
  ],
  [
    'counts beside the ground of its board',
    `<div style="${AT}; cursor: grab" tabindex="0" onclick="say('hit')"><i id="count" style="position: absolute; left: 180px">0</i></div>
    <script>addEventListener('mousemove', () => { count.textContent++; })</script>${OUTPUT}`,
  ],
  [
    'disables its button with a press that it handles by the pointer',
    `<button style="${AT}" onpointerdown="event.preventDefault()" onclick="this.disabled = true; say('hit')">Undo</button>${OUTPUT}`,
  ],
])('a click at a point reaches a page that %s', async (_, page) => {
  const { session, text } = await openPage(page);
  expectSuccess(await session.click({ x: 150, y: 220 }));
  expect(await text()).toContain('hit');
});

test('a drag from a point begins nothing where another thing came with the mouse', async () => {
  const { session, text } = await openPage(came(OTHER, 'mousemove'));
  const result = expectFailure(
    await session.drag({ from: { x: 150, y: 220 }, to: { x: 400, y: 400 } }),
    'element_blocked',
  );
  expect(result.message).toBe('Where button "Next" was, there is <button> button "Delete" now. Nothing was done.');
  expect(await text()).not.toContain('deleted');
});

test('a click outside the viewport is refused with the size of the viewport', async () => {
  const { session } = await openPage('<p>Small</p>');
  const result = expectFailure(await session.click({ x: 5_000, y: 10 }), 'invalid_input');
  expect(result.message).toContain('1280 x 720');
});

test('a click at a point of a drop-down list or a file input says which tool it takes', async () => {
  const { session } = await openPage(
    `<select style="${AT}"><option>One</select><input type="file" style="${AT}; top:400px">`,
  );
  expectFailure(await session.click({ x: 150, y: 220 }), 'is_select');
  expectFailure(await session.click({ x: 150, y: 420 }), 'is_file_input');
});

test('a click at a point of a page that hangs ends in time', async () => {
  const { session, site } = await pageThatHangs();
  const result = await session.click({ x: 150, y: 220 });
  expectFailure(result, 'timeout');
  expectSuccess(await session.navigate({ url: site.url('/other') }));
});

const hasty = pageOpener({ timeout: 2_000, navigationTimeout: 5_000 });

async function pageThatHangs() {
  const page = await hasty.openPage({
    '/': `<button style="${AT}" onclick="for (;;);">Hang</button>`,
    '/other': '<h1>Other</h1>',
  });
  await page.session.click({ ref: page.ref('button', 'Hang') });
  return page;
}
