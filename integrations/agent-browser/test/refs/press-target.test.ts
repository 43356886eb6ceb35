import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

/** Each press that reaches the page is told by name. */
const OUTPUT =
  '<p id="out" role="status" style="position: fixed; bottom: 0"></p><script>function say(text) { out.textContent += text + ";" }</script>';
const stop = (what: string): string => `onclick="event.stopPropagation(); say('${what}')"`;

describe('a press of what holds other things to press', () => {
  test('goes to the row of an expanded tree item, not to an item below it', async () => {
    const { session, ref } =
      await openPage(`${OUTPUT}<ul role="tree"><li role="treeitem" tabindex="0" aria-label="Documents"
      aria-expanded="true" ${stop('documents')}><span>Documents</span><ul role="group">
        <li role="treeitem" tabindex="-1" ${stop('taxes')}>Taxes</li><li role="treeitem" tabindex="-1" ${stop('wills')}>Wills</li>
        <li role="treeitem" tabindex="-1" ${stop('photos')}>Photos</li></ul></li></ul>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('treeitem', 'Documents') }));
    expect(changes).toContain('documents;');
    expect(changes).not.toMatch(/taxes|wills|photos/);
  });

  test('goes to the free part of a card with a button in its middle', async () => {
    const { session, ref } =
      await openPage(`${OUTPUT}<div role="link" tabindex="0" aria-label="Open Blue mug" ${stop('open')}
      style="width:300px; height:200px; display:grid; place-items:center; border:1px solid">
      <button style="width:120px; height:80px" ${stop('delete')}>Delete</button></div>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('link', 'Open Blue mug') }));
    expect(changes).toContain('open;');
    expect(changes).not.toContain('delete');
  });

  test.each([
    ['gridcell', 'July 22, 2026', '22'],
    ['gridcell', 'Seat 4 in row B, free', 'B4'],
    ['cell', 'Thursday', 'Th'],
  ])('goes to all that a %s holds, though that is pressed for itself: %s', async (role, name, text) => {
    const { session, ref } = await openPage(`${OUTPUT}<div role="grid"><div role="row">
      <div role="${role}" tabindex="0" aria-label="${name}" style="width:60px">
        <div style="cursor:pointer; width:60px; height:40px" ${stop('inside')}>${text}</div></div></div></div>`);
    const { changes } = expectSuccess(await session.click({ ref: ref(role, name) }));
    expect(changes).toContain('inside;');
  });

  test('is refused, and names what is there, when no part is free', async () => {
    const { session, ref, text } =
      await openPage(`${OUTPUT}<div role="link" tabindex="0" aria-label="Open Blue mug" ${stop('open')}
      style="width:120px"><button style="width:120px; height:80px; margin:0; display:block" ${stop('delete')}>Delete</button></div>`);
    const { message, recoveryHint } = expectFailure(
      await session.click({ ref: ref('link', 'Open Blue mug') }),
      'element_blocked',
    );
    expect(message).toContain(`${ref('button', 'Delete')} (button "Delete")`);
    expect(recoveryHint).toContain('its own ref');
    expect(await text()).not.toMatch(/open;|delete;/);
  });

  test('is kept from a button that comes under the mouse', async () => {
    const { session, ref, text } =
      await openPage(`${OUTPUT}<style>#card button { display: none; position: absolute; inset: 0; width: 100% } #card:hover button { display: block }</style>
      <div id="card" role="link" tabindex="0" aria-label="Open Blue mug" ${stop('open')} style="position: relative; width: 120px; height: 80px">
      Blue mug<button ${stop('delete')}>Delete</button></div>`);
    const result = await session.click({ ref: ref('link', 'Open Blue mug') });
    expect(result.success).toBe(false);
    expect(result.message).toContain('button "Delete"');
    expect(await text()).not.toMatch(/open;|delete;/);
  });

  test('goes around a button that comes under the mouse', async () => {
    const { session, ref, text } =
      await openPage(`${OUTPUT}<style>#h button { visibility: hidden; position: absolute; left: 80px; width: 40px } #h:hover button { visibility: visible }</style>
      <div role="row"><div id="h" role="columnheader" tabindex="0" ${stop('sorted')} style="position: relative; width: 200px">
      Age<button aria-label="Column menu" ${stop('menu')}>⋮</button></div></div>`);
    expectSuccess(await session.click({ ref: ref('columnheader', 'Age') }));
    expect(await text()).toContain('sorted;');
    expect(await text()).not.toContain('menu;');
  });

  test('goes to a card by a double click and with a key held, too', async () => {
    const { session, ref, text } =
      await openPage(`${OUTPUT}<div role="link" tabindex="0" aria-label="Open Blue mug" ${stop('open')}
      style="width:300px; height:200px; display:grid; place-items:center"><button style="width:120px; height:80px" ${stop('delete')}>Delete</button></div>`);
    expectSuccess(await session.click({ ref: ref('link', 'Open Blue mug'), clickCount: 2 }));
    expectSuccess(await session.click({ ref: ref('link', 'Open Blue mug'), modifiers: ['Shift'] }));
    expect(await text()).toContain('open;open;open;');
    expect(await text()).not.toContain('delete;');
  });

  test('scrolls to what is out of sight, and finds its free part in a frame as well', async () => {
    const card = `<div style="height: 1500px"></div><div role="link" tabindex="0" aria-label="Open Blue mug" ${stop('open')}
      style="width:300px; height:200px; display:grid; place-items:center"><button style="width:120px; height:80px" ${stop('delete')}>Delete</button></div>`;
    const { session, ref, text } = await openPage({
      '/': '<div style="height: 900px"></div><iframe src="/card" width="500" height="400"></iframe>',
      '/card': `${OUTPUT}${card}`,
    });
    expectSuccess(await session.click({ ref: ref('link', 'Open Blue mug') }));
    expect(await text()).toContain('open;');
    expect(await text()).not.toContain('delete;');
  });

  test.each([
    [
      'a button around a span with a listener',
      'button',
      'Save',
      `<button ${stop('save')}><span onclick="">Save</span></button>`,
    ],
    [
      'a label around its box',
      'checkbox',
      'Gift',
      `<label onclick="say('save')"><input type="checkbox" style="width:60px;height:60px"> Gift</label>`,
    ],
    [
      'an icon with a pointer in a button',
      'button',
      'Save',
      `<button aria-label="Save" style="cursor:default" ${stop('save')}><svg width="30" height="30" style="cursor:pointer"><rect width="30" height="30"/></svg></button>`,
    ],
  ])('goes through %s', async (_, role, name, html) => {
    const { session, ref } = await openPage(`${OUTPUT}${html}`);
    const { changes } = expectSuccess(await session.click({ ref: ref(role, name) }));
    expect(changes).toContain('save;');
  });
});

describe('a press that another document would take', () => {
  const routes = (script: string) => ({
    '/': `${OUTPUT}<style>#over { position: absolute; left: 0; top: 0; width: 300px; height: 300px; border: 0 }</style>
      <button style="width: 100px; height: 60px" onclick="say('bought')">Buy</button>${script}`,
    '/trap':
      '<body onmousedown="top.say(\'trapped\')" onclick="top.say(\'trapped\')" style="background: #fff">Trap</body>',
  });

  test('is kept from a frame that comes to lie under the mouse', async () => {
    const { session, ref, text } = await openPage(
      routes(`<iframe id="over" src="/trap" style="display: none"></iframe>
        <script>document.querySelector('button').onmouseover = () => { over.style.display = 'block' }</script>`),
    );
    const result = await session.click({ ref: ref('button', 'Buy') });
    expect(await text()).not.toContain('trapped');
    if (result.success) expect(await text()).toContain('bought');
    else expect(result.code).toBe('element_blocked');
  });

  test('is no success when a new frame has taken it', async () => {
    const { session, ref, text } = await openPage(
      routes(`<script>document.querySelector('button').onmouseover = () => {
        const over = document.createElement('iframe'); over.id = 'over'; over.srcdoc = 'Trap'; document.body.append(over) }</script>`),
    );
    const { message } = expectFailure(await session.click({ ref: ref('button', 'Buy') }), 'element_blocked');
    expect(message).toContain('iframe');
    expect(await text()).not.toContain('bought');
  });

  test('leaves frames open to people and to the next action', async () => {
    const { session, ref, text, read } = await openPage({
      '/': `${OUTPUT}<button onclick="say('bought')">Buy</button><iframe src="/inner"></iframe>`,
      '/inner': '<button onclick="top.say(\'inner\')">Inner</button>',
    });
    expectSuccess(await session.click({ ref: ref('button', 'Buy') }));
    await read();
    expectSuccess(await session.click({ ref: ref('button', 'Inner') }));
    expectSuccess(await session.click({ ref: ref('iframe', '') }));
    expect(await text()).toContain('bought;inner;');
  });
});

describe('a name that style sheets make', () => {
  test('is another name when another one of its texts is shown in its place', async () => {
    const { session, ref, text } =
      await openPage(`${OUTPUT}<style>.b { display: none } .sure .a { display: none } .sure .b { display: inline }</style>
      <button onmouseenter="this.className = 'sure'" ${stop('pressed')}><span class="a">Archive</span><span class="b">Delete for ever</span></button>`);
    const { message } = expectFailure(await session.click({ ref: ref('button', 'Archive') }), 'ref_changed');
    expect(message).toContain('Delete for ever');
    expect(await text()).not.toContain('pressed');
  });

  test('is the same with a tooltip that the mouse brings to light', async () => {
    const { session, ref } =
      await openPage(`${OUTPUT}<style>a span { display: none } a:hover span { display: inline }</style>
      <a href="#x" ${stop('pressed')}>Prices <span>per kilogram, with tax</span></a>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('link', 'Prices') }));
    expect(changes).toContain('pressed;');
  });
});

describe('a name that grows by what the action itself brings there', () => {
  const header = (onEnter: string): string => `${OUTPUT}<div role="row"><div role="columnheader" id="h"
    style="width: 400px; cursor: pointer" onclick="say('sorted')" onmouseenter="${onEnter}">Age</div></div>`;

  test('is the same with buttons that the mouse brings into a column header', async () => {
    const { session, ref, text } = await openPage(
      header(
        `this.insertAdjacentHTML('beforeend', '<button aria-label=Sort>↑</button><button aria-label=&quot;Age column menu&quot;>⋮</button>')`,
      ),
    );
    const { changes } = expectSuccess(await session.click({ ref: ref('columnheader', 'Age') }));
    expect(changes).toContain('Age column menu');
    expect(await text()).toContain('sorted;');
  });

  test('is the same with a calendar that the focus brings into the label of a field', async () => {
    const { session, ref, evaluate } = await openPage(`<label>Arrival <input id="i"><span id="s"></span></label><script>
      i.onfocus = () => { s.innerHTML = '<div role="dialog" aria-modal="true" aria-label="Choose Date"><button>1</button></div>' }
    </script>`);
    expectSuccess(await session.type({ ref: ref('textbox', 'Arrival'), text: '2026-03-01' }));
    expect(await evaluate('i.value')).toBe('2026-03-01');
  });

  test.each([
    ['rewrites', `this.textContent = 'Age of all'`],
    ['goes on with', `this.firstChild.data += ' of all'`],
    ['wraps and goes on with', `this.innerHTML = '<b>Age</b> <i>of all</i>'`],
  ])('is another one where the page %s its text', async (_, script) => {
    const { session, ref, text } = await openPage(header(script));
    expectFailure(await session.click({ ref: ref('columnheader', 'Age') }), 'ref_changed');
    expect(await text()).not.toContain('sorted');
  });
});

test('a document that was opened anew by a script is guarded again', async () => {
  const { session, read, ref, text } = await openPage(
    '<button onclick="rewrite()">Rewrite</button><script>function rewrite() { document.open(); document.write(\'<p id=out role=status></p><ul><li>Alpha <button onclick="out.textContent=this.parentNode.firstChild.data">Delete</button></li></ul>\'); document.close() }</script>',
  );
  expectSuccess(await session.click({ ref: ref('button', 'Rewrite') }));
  await read();
  expectSuccess(await session.click({ ref: ref('button', 'Delete') }));
  expect(await text()).toContain('Alpha');
});
