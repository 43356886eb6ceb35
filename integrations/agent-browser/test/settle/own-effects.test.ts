import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener({ snapshot: { changeTokens: 200 } });

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

describe('a name that typing changes', () => {
  /** An editor whose field is called after the row of the caret. */
  const editor = (when: string): string => `<p id="doc">Doc: [old]</p>
    <div style="position:relative; width:300px; height:60px"><div style="position:absolute; inset:0">four rows</div>
      <textarea aria-label="Cursor at row 1" style="position:absolute; width:1px; height:1px; opacity:0"></textarea></div>
    <script>const area = document.querySelector('textarea'); let row = 1, text = 'old', isAll = false;
      const move = () => { area.ariaLabel = 'Cursor at row ' + (row += 3) };
      const show = () => { doc.textContent = 'Doc: [' + text + ']' };
      area.onkeydown = event => { if (event.key === 'a' && event.ctrlKey) isAll = true; if (event.key === 'Enter') { event.preventDefault(); text += '!'; show() } };
      const take = more => { text = isAll ? more : text + more; isAll = false; area.value = ''; show() };
      area.onpaste = event => { event.preventDefault(); take(event.clipboardData.getData('text/plain')) };
      area.oninput = () => take(area.value);
      ${when}</script>`;

  test.each([
    ['the focus', 'area.onfocus = move'],
    ['each key', 'area.addEventListener("keydown", move)'],
    ['each key, a moment later', 'area.addEventListener("keydown", () => setTimeout(move, 5))'],
  ])('does not refuse the text: %s', async (_, when) => {
    const { session, ref, text } = await openPage(editor(when));
    const field = ref('textbox', 'Cursor at row 1');
    expectSuccess(await session.type({ ref: field, text: 'new', submit: true }));
    expect(await text()).toContain('Doc: [new!]');
    expectSuccess(await session.type({ ref: field, text: 'er'.repeat(50), slowly: true, clear: false, submit: true }));
    expect(await text()).toContain(`Doc: [new!${'er'.repeat(50)}!]`);
    expectSuccess(await session.fillForm({ fields: [{ ref: field, value: 'last' }] }));
    expect(await text()).toContain('Doc: [last]');
  });

  test('does not refuse the rest of a text, where it counts', async () => {
    const { session, ref } = await openPage(
      `<form onsubmit="say('sent'); return false"><input aria-label="Message, 0 letters" oninput="setTimeout(() => { this.ariaLabel = 'Message, ' + this.value.length + ' letters' }, 5)"></form>${OUTPUT}`,
    );
    const field = ref('textbox', 'Message, 0 letters');
    const typed = await session.type({ ref: field, text: 'abc'.repeat(50), slowly: true, submit: true });
    expect(expectSuccess(typed).changes).toContain('sent');
    expect(typed.value).toBe('abc'.repeat(50));
  });

  test('refuses the rest of a text, where another field is called so too', async () => {
    const { session, ref } = await openPage(
      `<input id="f" aria-label="Room 1" oninput="setTimeout(() => { this.ariaLabel = 'Room ' + ++room }, 5)"> <input aria-label="Room 2"><script>let room = 2</script>`,
    );
    const typed = await session.type({ ref: ref('textbox', 'Room 1'), text: 'a'.repeat(200), slowly: true });
    expect(expectFailure(typed, 'ref_changed').message).toContain('only partly');
  });

  test('leaves a text out altogether that is refused: nothing is pasted either', async () => {
    const { session, ref, text } = await openPage(
      `${editor('area.onfocus = () => setTimeout(() => { area.ariaLabel = "Password" })')}`,
    );
    const field = ref('textbox', 'Cursor at row 1');
    const refused = expectFailure(await session.type({ ref: field, text: 'new' }), 'ref_changed');
    expect(refused.message).toContain('Nothing was done');
    expect(await text()).toContain('Doc: [old]');
  });
});

describe('a name that a click changes', () => {
  const rows = Array.from({ length: 60 }, (_, index) => `<tr><td>Row ${index} of a long table</td></tr>`).join('');
  const SORTED = `<button aria-label="Name: Activate to sort" onclick="sort()">Name</button><table><tbody>${rows}</tbody></table>
    <script>let turns = 0; function sort() {
      turns++;
      const body = document.querySelector('tbody');
      body.replaceChildren(...[...body.rows].reverse());
      document.querySelector('button').ariaLabel = 'Name: Activate to ' + (turns % 2 ? 'invert sorting' : 'sort');
    }</script>`;

  test('does not refuse the next click, however much else has changed', async () => {
    const { session, ref, evaluate } = await openPage(SORTED);
    const sort = ref('button', 'Name: Activate to sort');
    expectSuccess(await session.click({ ref: sort }));
    expectSuccess(await session.click({ ref: sort }));
    expectSuccess(await session.click({ ref: sort, clickCount: 5 }));
    expect(await evaluate('turns')).toBe(7);
  });

  test('does not refuse the button that sends the form', async () => {
    const { session, ref, text } = await openPage(
      `<input aria-label="Amount" oninput="pay.textContent = 'Pay ' + this.value; tip.ariaLabel = 'Tip for ' + this.value"><input id="tip" aria-label="Tip">
      <button id="pay" onclick="say('paid ' + this.textContent)">Pay nothing</button>${OUTPUT}`,
    );
    const fields = [
      { ref: ref('textbox', 'Amount'), value: 'twenty' },
      { ref: ref('textbox', 'Tip'), value: 'two' },
    ];
    const filled = await session.fillForm({ fields, submit: ref('button', 'Pay nothing') });
    expect(expectSuccess(filled).fields?.map(({ value }) => value)).toEqual(['twenty', 'two']);
    expect(await text()).toContain('paid Pay twenty');
  });

  test('refuses the button that was another one before the form was filled', async () => {
    const { session, ref, script, text } = await openPage(
      `<input aria-label="Amount"><button id="pay" onclick="say('paid')">Save draft</button>${OUTPUT}`,
    );
    await script("pay.textContent = 'Publish'");
    const fields = [{ ref: ref('textbox', 'Amount'), value: '20' }];
    expectFailure(await session.fillForm({ fields, submit: ref('button', 'Save draft') }), 'ref_changed');
    expect(await text()).not.toContain('paid');
  });
});

describe('a control that each click draws anew', () => {
  const MONTHS =
    'const months = ["July", "June", "May", "April", "March", "February", "January", "December"]; let at = 0;';
  const calendars = {
    'in the head of a calendar': `<div id="cal"></div><script>${MONTHS}
      const draw = () => { cal.innerHTML = '<div><a title="Prev" style="cursor: pointer"><span>Prev</span></a> <span>' + months[at] + '</span></div><a href="#1">1</a>';
        cal.querySelector('a').addEventListener('click', () => { at++; draw() }) }; draw()</script>`,
    'in a row with the month': `<table id="cal"></table><script>${MONTHS}
      const draw = () => { cal.innerHTML = '<thead><tr><th class="prev" style="cursor: pointer" onclick="at++; draw()">Prev</th><th>' + months[at] + '</th></tr><tr><th>Mo</th><th>Tu</th></tr></thead>' };
      draw()</script>`,
    'as a button that replaces itself': `<p id="month"></p><button onclick="at++; draw(this)">Prev</button><script>${MONTHS}
      const draw = button => { month.textContent = months[at]; button?.replaceWith(button.cloneNode(true)) }; draw()</script>`,
  };

  test.each(Object.entries(calendars))('takes all clicks that were asked for: %s', async (_, html) => {
    for (const clickCount of [3, 7]) {
      const { session, read, evaluate } = await openPage(html);
      const prev = /(?:clickable|button|columnheader|link)[^\n]*"Prev"[^\n]*?(@e\d+)/.exec(await read())?.[1] ?? '';
      expectSuccess(await session.click({ ref: prev, clickCount }));
      expect(await evaluate('at')).toBe(clickCount);
    }
  });

  test.each([3, 6])('is not the next item of a list that is drawn anew: %s clicks', async clickCount => {
    const { session, ref, evaluate } = await openPage(`<ul id="list"></ul><script>
      let items = ['Alpha', 'Beta', 'Gamma', 'Delta'];
      const draw = () => { list.innerHTML = items.map(item => '<li>' + item + ' <button onclick="items.shift(); draw()">Delete</button></li>').join('') };
      draw()</script>`);
    const result = await session.click({ ref: ref('button', 'Delete'), clickCount });
    expect(result.success).toBe(false);
    expect(await evaluate('items.length')).toBe(3);
  });
});

describe('a try that fails', () => {
  const CALENDAR = `<p id="cal" hidden>August <button>15</button></p>
    <script>const offer = field => { cal.hidden = false; field.disabled = true; };</script>`;

  test.each([
    ['is disabled by its focus', `<input aria-label="Date" onfocus="offer(this)">${CALENDAR}`],
    [
      'hands its focus on',
      `<input aria-label="Date" onfocus="cal.hidden = false; cal.querySelector('button').focus()">${CALENDAR}`,
    ],
    [
      'opens a calendar and keeps no focus',
      `<input aria-label="Date" onfocus="cal.hidden = false; this.blur()">${CALENDAR}`,
    ],
  ])('says what it has changed: a field that %s', async (_, html) => {
    const { session, ref } = await openPage(html);
    const fields = [{ ref: ref('textbox', 'Date'), value: '2026-08-15' }];
    const result = expectFailure(await session.fillForm({ fields }), 'not_focusable');
    expect(result.changes).toContain('button "15"');
  });

  test('says what typing and pressing have changed, too', async () => {
    const page = `<input aria-label="Date" onfocus="offer(this)">${CALENDAR}`;
    const typing = await openPage(page);
    const typed = await typing.session.type({ ref: typing.ref('textbox', 'Date'), text: 'x' });
    expect(expectFailure(typed, 'not_focusable').changes).toMatch(
      /button "15"[\s\S]*disabled|disabled[\s\S]*button "15"/,
    );
    const pressing = await openPage(page);
    const pressed = await pressing.session.press({ ref: pressing.ref('textbox', 'Date'), keys: 'a' });
    expect(expectFailure(pressed, 'not_focusable').changes).toContain('button "15"');
  });

  test('says nothing more where nothing has changed', async () => {
    const { session, ref } = await openPage('<button>Go</button>');
    const result = expectFailure(await session.type({ ref: ref('button', 'Go'), text: 'x' }), 'not_editable');
    expect(result.changes).toBeUndefined();
  });
});
