import { describe, expect, test } from 'vitest';
import { fillForm } from '../../src/tools/fill-form.js';
import { type } from '../../src/tools/type.js';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

describe('typing', () => {
  test.each([
    ['a text field', '<input aria-label="F" value="old">', 'textbox', 'new text'],
    ['a text area', '<textarea aria-label="F">old</textarea>', 'textbox', 'one\ntwo'],
    ['an email field', '<input type="email" aria-label="F" value="a@b.c">', 'textbox', 'ann@example.com'],
    ['a number field', '<input type="number" aria-label="F" value="1">', 'spinbutton', '42'],
    ['a date field', '<input type="date" aria-label="F">', 'textbox', '2026-11-22'],
    ['a time field', '<input type="time" aria-label="F">', 'textbox', '13:45'],
    ['a colour field', '<input type="color" aria-label="F">', 'textbox', '#a1b2c3'],
    ['a slider', '<input type="range" aria-label="F" min="0" max="10">', 'slider', '7'],
    ['an editable element', '<div contenteditable role="textbox" aria-label="F">old</div>', 'textbox', 'new text'],
  ])('replaces what %s holds and reads it back', async (_, html, role, text) => {
    const { session, ref } = await openPage(html);
    const result = expectSuccess(await session.type({ ref: ref(role, 'F'), text }));
    expect(result.value).toBe(text);
    expect(result.mismatch).toBeUndefined();
  });

  test.each([
    ['the page is loaded anew', 'location.reload()', 'the field is gone'],
    ['the page hangs', 'setTimeout(() => { for (;;); })', 'the page does not respond'],
  ])('says why it does not know what the field holds when %s', async (_, act, why) => {
    const { session, ref } = await openPage(`<input aria-label="F" oninput="${act}">`);
    const { value, valueUnknown } = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'x' }));
    expect([value, valueUnknown]).toEqual([undefined, why]);
  });

  test('tells where the field is', async () => {
    const { session, ref } = await openPage(
      '<input aria-label="F" style="position:absolute; left:100px; top:50px; width:200px; height:40px; box-sizing:border-box">',
    );
    expect(await session.type({ ref: ref('textbox', 'F'), text: 'x' })).toMatchObject({ x: 200, y: 70 });
  });

  test('tells where the field of a frame is in the page', async () => {
    const { session, ref } = await openPage({
      '/': '<iframe title="Card" src="/card" style="position:absolute; left:300px; top:100px; border:0"></iframe>',
      '/card':
        '<input aria-label="F" style="position:absolute; left:10px; top:20px; width:100px; height:30px; box-sizing:border-box">',
    });
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: '4111' }));
    expect(result).toMatchObject({ value: '4111', x: 360, y: 135 });
  });

  test('ten thousand characters puts them all in', async () => {
    const { session, ref } = await openPage('<textarea aria-label="F"></textarea>');
    const text = 'lorem ipsum '.repeat(834).slice(0, 10_000);
    expect(expectSuccess(await session.type({ ref: ref('textbox', 'F'), text })).value).toBe(text);
  });

  test.each([
    [
      'looks at its text when a key comes up',
      '<input aria-label="F" onkeyup="say(this.value + \';\')">',
      'pears',
      'pears;',
    ],
    [
      'has a page around it that does',
      `<input aria-label="F"><script>document.addEventListener('keyup', ({ target }) => say(target.value + ';'))</script>`,
      'plums',
      'plums;',
    ],
  ])('tells a field that %s of all of it', async (_, html, text, told) => {
    const { session, ref, evaluate } = await openPage(`${OUTPUT}${html}`);
    expectSuccess(await session.type({ ref: ref('textbox', 'F'), text }));
    expect(await evaluate('out.textContent')).toBe(told);
  });

  test('a key that comes up where the focus went writes nothing there', async () => {
    const { session, ref, evaluate } = await openPage(
      `<input aria-label="F" oninput="document.querySelector('[aria-label=G]').focus()"><input aria-label="G">`,
    );
    await session.type({ ref: ref('textbox', 'F'), text: 'pears' });
    expect(await evaluate(`[...document.querySelectorAll('input')].map(({ value }) => value)`)).toEqual(['pears', '']);
  });

  test('an empty text clears the field', async () => {
    const { session, ref } = await openPage('<input aria-label="F" value="old">');
    expect(expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: '' })).value).toBe('');
  });
});

describe('typing with clear false', () => {
  test.each([
    ['a text field', '<input aria-label="F" value="one">', 'textbox', ' two', 'one two'],
    ['an email field', '<input type="email" aria-label="F" value="ann@example">', 'textbox', '.com', 'ann@example.com'],
    ['a number field', '<input type="number" aria-label="F" value="12">', 'spinbutton', '34', '1234'],
    ['a text area', '<textarea aria-label="F">one\ntwo</textarea>', 'textbox', '!', 'one\ntwo!'],
    [
      'an editable element',
      '<div contenteditable role="textbox" aria-label="F"><p>one</p><p>two</p></div>',
      'textbox',
      '!',
      'one\n\ntwo!',
    ],
  ])('appends to %s, wherever the caret was', async (_, html, role, text, expected) => {
    const { session, ref } = await openPage(html);
    const field = ref(role, 'F');
    expectSuccess(await session.press({ ref: field, keys: ['Control+Home'] }));
    const result = expectSuccess(await session.type({ ref: field, text, clear: false }));
    expect(result.value).toBe(expected);
    expect(result.mismatch).toBeUndefined();
  });

  test('appends to a password', async () => {
    const { session, ref, text } = await openPage(
      `<input type="password" aria-label="F" value="hun"><button onclick="say(document.querySelector('input').value === 'hunter2')">Check</button>${OUTPUT}`,
    );
    expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'ter2', clear: false }));
    expectSuccess(await session.click({ ref: ref('button', 'Check') }));
    expect(await text()).toContain('true');
  });
});

describe('typing slowly', () => {
  test('sends every key, and characters that no keyboard has', async () => {
    const { session, ref, text } = await openPage(
      `<input aria-label="F" value="old" onkeydown="say(event.key)">${OUTPUT}`,
    );
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'aë漢字👩‍👩‍👧z', slowly: true }));
    expect(result.value).toBe('aë漢字👩‍👩‍👧z');
    expect(await text()).toMatch(/a.*z/);
  });

  test('breaks lines in a text area without pressing Enter', async () => {
    const { session, ref, text } = await openPage(
      `<form onsubmit="say('sent'); return false"><textarea aria-label="F" onkeydown="if (event.key === 'Enter') say('sent')"></textarea></form>${OUTPUT}`,
    );
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'one\ntwo', slowly: true }));
    expect(result.value).toBe('one\ntwo');
    expect(await text()).not.toContain('sent');
  });

  test.each([true, false])('sends no form by a line break in a field of one line (slowly: %s)', async slowly => {
    const { session, ref, text } = await openPage(
      `<form onsubmit="say('sent'); return false"><input aria-label="F"></form>${OUTPUT}`,
    );
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'one\ntwo', slowly }));
    expect(result.value).toBe('one two');
    expect(await text()).not.toContain('sent');
  });

  test.each([
    ['1234', undefined],
    ['123456', { expected: '123456', actual: '1' }],
  ])('moves on with a page that takes one digit a field: %s', async (digits, mismatch) => {
    const { session, ref, text } = await openPage(`${'<input maxlength="1" aria-label="Digit" value="9">'.repeat(4)}
      <button onclick="say(fields.map(field => field.value).join(''))">Check</button>${OUTPUT}
      <script>const fields = [...document.querySelectorAll('input')];
        fields.forEach((field, index) => { field.oninput = () => fields[index + 1]?.focus(); field.onfocus = () => field.select() })</script>`);
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'Digit', 0), text: digits, slowly: true }));
    expect([result.value, result.mismatch]).toEqual(['1', mismatch]);
    expectSuccess(await session.click({ ref: ref('button', 'Check') }));
    expect(await text()).toContain('1234');
  });

  test.each([
    ['a field', '<input aria-label="F" value="old">'],
    ['an editable element', '<div contenteditable role="textbox" aria-label="F">old <b>text</b></div>'],
  ])('replaces what %s holds, or clears it', async (_, html) => {
    const { session, ref } = await openPage(html);
    const field = ref('textbox', 'F');
    expect(await session.type({ ref: field, text: 'new', slowly: true })).toMatchObject({ value: 'new' });
    expect(await session.type({ ref: field, text: '', slowly: true })).toMatchObject({ value: '' });
  });

  test('appends behind what is there', async () => {
    const { session, ref } = await openPage('<input aria-label="F" value="one">');
    const result = await session.type({ ref: ref('textbox', 'F'), text: ' two', slowly: true, clear: false });
    expect(expectSuccess(result).value).toBe('one two');
  });
});

describe('a field that makes something else of the text', () => {
  test.each([
    ['cuts it', '<input aria-label="F" maxlength="4">', '123456', '1234'],
    [
      'groups it',
      `<input aria-label="F" oninput="this.value = this.value.replace(/(\\d{4})(?=\\d)/g, '$1 ')">`,
      '41111111',
      '4111 1111',
    ],
    ['keeps what it had', `<input aria-label="F" value="fixed" oninput="this.value = 'fixed'">`, 'other', 'fixed'],
  ])('says so: %s', async (_, html, text, actual) => {
    const { session, ref } = await openPage(html);
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text }));
    expect(result).toMatchObject({ value: actual, mismatch: { expected: text, actual } });
  });

  test('shows where a long text differs', async () => {
    const { session, ref } = await openPage('<textarea aria-label="F" maxlength="3000"></textarea>');
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'x'.repeat(5_000) }));
    expect(result.mismatch?.actual).toBe('x'.repeat(20));
    expect(result.mismatch?.expected).toHaveLength(1_000);
  });
});

describe('a password', () => {
  test.each([
    ['field', '<input type="password" aria-label="F">'],
    ['field that only looks like one', '<input aria-label="F" style="-webkit-text-security: disc">'],
    ['field that cuts it', '<input type="password" aria-label="F" maxlength="3">'],
  ])('never comes back: %s', async (_, html) => {
    const { session, ref } = await openPage(html);
    const field = ref('textbox', 'F');
    const typed = expectSuccess(await session.type({ ref: field, text: 'hunter2secret' }));
    expect(typed.value).toBe('••••••••');
    const filled = await session.fillForm({ fields: [{ ref: field, value: 'hunter2secret' }] });
    const results = JSON.stringify([typed, filled, await session.snapshot({ interactiveOnly: false })]);
    expect(results).not.toContain('hun');
  });
});

describe('an element that takes no text', () => {
  test.each([
    ['a read-only field', '<input aria-label="F" readonly value="x">', 'textbox', 'not_editable'],
    ['a disabled field', '<input aria-label="F" disabled>', 'textbox', 'element_disabled'],
    ['a button', '<button>F</button>', 'button', 'not_editable'],
    ['a drop-down list', '<select aria-label="F"><option>One<option>Two</select>', 'combobox', 'is_select'],
    ['a file input', '<input type="file" aria-label="F">', 'button', 'is_file_input'],
    ['a check box', '<input type="checkbox" aria-label="F">', 'checkbox', 'not_editable'],
  ] as const)('says so: %s', async (_, html, role, code) => {
    const { session, ref } = await openPage(html);
    expectFailure(await session.type({ ref: ref(role, 'F'), text: 'x' }), code);
  });

  test('names the options of a drop-down list', async () => {
    const { session, ref } = await openPage('<select aria-label="F"><option>One<option>Two</select>');
    const result = expectFailure(await session.type({ ref: ref('combobox', 'F'), text: 'Two' }), 'is_select');
    expect(result.message).toContain('"One" selected, "Two"');
  });

  test('asks for a number where a number is needed', async () => {
    const { session, ref } = await openPage('<input type="number" aria-label="F">');
    const result = expectFailure(await session.type({ ref: ref('spinbutton', 'F'), text: 'many' }), 'invalid_input');
    expect(result.message).toContain('expects a number');
  });
});

describe('a field that takes one kind of value', () => {
  test.each([
    ['date', '24 Dec 2026', '2026-12-24'],
    ['date', 'December 24, 2026', '2026-12-24'],
    ['date', 'Thu, 24th of December 2026', '2026-12-24'],
    ['date', '24.12.2026', '2026-12-24'],
    ['date', '12/24/2026', '2026-12-24'],
    ['date', '2026/3/4', '2026-03-04'],
    ['date', '05.05.2026', '2026-05-05'],
    ['date', '', ''],
    ['time', '2:05 pm', '14:05'],
    ['time', '12 am', '00:00'],
    ['time', '9:30', '09:30'],
    ['datetime-local', '24 Dec 2026, 2:05 pm', '2026-12-24T14:05'],
    ['datetime-local', '2026-12-24 14:05', '2026-12-24T14:05'],
    ['month', 'December 2026', '2026-12'],
    ['week', 'week 7, 2026', '2026-W07'],
    ['color', '#F80', '#ff8800'],
    ['color', 'rgb(255, 136, 0)', '#ff8800'],
    ['color', 'Navy', '#000080'],
    ['number', '1,299.50', '1299.50'],
    ['number', '1.299,50', '1299.50'],
    ['number', '12 000', '12000'],
    ['number', '3,5', '3.5'],
    ['range', '+40', '40'],
  ])('such as %s takes %j as %j', async (type, text, value) => {
    const { session, ref } = await openPage(`<label>F <input type="${type}" step="any" value="1"></label>`);
    const field = ref(type === 'number' ? 'spinbutton' : type === 'range' ? 'slider' : 'textbox', 'F');
    const result = expectSuccess(await session.type({ ref: field, text }));
    expect([result.value, result.mismatch]).toEqual([value, undefined]);
    const filled = expectSuccess(
      await session.fillForm({
        fields: [
          { ref: field, value: text },
          { ref: field, value: text },
        ],
      }),
    );
    expect(filled.fields?.map(each => [each.value, each.mismatch])).toEqual([
      [value, undefined],
      [value, undefined],
    ]);
  });

  test('takes it on a page that writes down each change', async () => {
    const { session, ref } = await openPage(
      '<label id="label">F <input type="date" onchange="label.title = this.value"></label>',
    );
    const field = ref('textbox', 'F');
    expect(expectSuccess(await session.type({ ref: field, text: '24.12.2026' })).value).toBe('2026-12-24');
    const filled = expectSuccess(await session.fillForm({ fields: [{ ref: field, value: '25.12.2026' }] }));
    expect(filled.fields?.map(({ value }) => value)).toEqual(['2026-12-25']);
  });

  test.each([
    ['date', 'tomorrow', 'expects YYYY-MM-DD'],
    ['date', '03/04/2026', 'expects YYYY-MM-DD'],
    ['date', '31 February 2026', 'expects YYYY-MM-DD'],
    ['time', '25:00', 'expects HH:MM'],
    ['datetime-local', '2026-12-24', 'expects YYYY-MM-DDTHH:MM'],
    ['month', '13/2026', 'expects YYYY-MM,'],
    ['week', '2026-12-24', 'expects YYYY-Www'],
    ['color', 'reddish', 'expects #rrggbb'],
    ['range', '55', 'expects a number from 0 to 50 in steps of 10'],
    ['range', '44', 'expects a number from 0 to 50 in steps of 10'],
    ['range', 'loud', 'expects a number from 0 to 50 in steps of 10'],
    ['number', '1,299', 'expects a number'],
  ])('such as %s says of %j what it needs, and keeps what it holds', async (type, text, needs) => {
    const { session, ref, read } = await openPage(
      `<input type="${type}" aria-label="F" min="0" max="50" step="10"><script>const field = document.querySelector('input'); field.oninput = () => { document.title = 'Changed' }</script>`,
    );
    const field = ref(type === 'number' ? 'spinbutton' : type === 'range' ? 'slider' : 'textbox', 'F');
    const result = expectFailure(await session.type({ ref: field, text }), 'invalid_input');
    expect(result.message).toContain(needs);
    const filled = expectFailure(await session.fillForm({ fields: [{ ref: field, value: text }] }), 'invalid_input');
    expect(filled.message).toContain(needs);
    expect(await read()).not.toContain('Changed');
  });
});

describe('submit', () => {
  test('presses Enter, and the value read back is the one before', async () => {
    const { session, site, ref } = await openPage({
      '/': '<form action="/found"><input type="search" name="q" aria-label="Search"></form>',
      '/found': '<h1>Results</h1>',
    });
    const result = expectSuccess(await session.type({ ref: ref('searchbox', 'Search'), text: 'mug', submit: true }));
    expect(result).toMatchObject({ value: 'mug', navigated: true, url: site.url('/found?q=mug') });
  });

  test('reads back before a chat clears its field', async () => {
    const { session, ref } = await openPage(
      `<textarea aria-label="Message" onkeydown="if (event.key === 'Enter') { say(this.value); this.value = ''; return false }"></textarea>${OUTPUT}`,
    );
    const result = expectSuccess(
      await session.type({ ref: ref('textbox', 'Message'), text: 'Hi there', submit: true }),
    );
    expect(result).toMatchObject({ value: 'Hi there', valueAfter: '' });
    expect(result.changes).toContain('Hi there');
    expect(type.headline(result)).toBe('The field held "Hi there" before Enter, and now ""');
  });
});

describe('an autocomplete', () => {
  const combobox = (
    delay: number,
  ): string => `<input role="combobox" aria-label="City" aria-expanded="false" aria-autocomplete="list"
      oninput="setTimeout(() => { cities.innerHTML = ['Oslo', 'Osaka'].map(city => '<li role=option tabindex=-1>' + city).join(''); }, ${delay})">
    <ul id="cities" role="listbox" aria-label="Cities" onclick="document.querySelector('input').value = event.target.textContent; cities.innerHTML = ''"></ul>`;

  test.each([0, 300])('offers suggestions whose refs can be clicked (%s ms late)', async delay => {
    const { session, ref } = await openPage(combobox(delay));
    const result = expectSuccess(await session.type({ ref: ref('combobox', 'City'), text: 'Os' }));
    expect(result.suggestions?.map(({ name }) => name)).toEqual(['Oslo', 'Osaka']);
    const osaka = result.suggestions?.[1]?.ref ?? '';
    expect(expectSuccess(await session.click({ ref: osaka })).changes).toContain('value="Osaka"');
  });

  test.each([
    ['marked as options', 'role=option tabindex=-1'],
    ['in a plain list', 'tabindex=0'],
  ])('that answers half a second after slow typing is told, %s', async (_, attributes) => {
    const { session, ref } = await openPage(
      `<input aria-label="City" oninput="clearTimeout(this.wait); this.wait = setTimeout(() => document.body.insertAdjacentHTML('beforeend',
        '<ul>' + ['Oslo', 'Osaka'].map(city => '<li ${attributes}>' + city).join('') + '</ul>'), 550)">`,
    );
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'City'), text: 'Os', slowly: true }));
    expect(result.suggestions?.map(({ name }) => name)).toEqual(['Oslo', 'Osaka']);
    expectSuccess(await session.click({ ref: result.suggestions?.[1]?.ref ?? '' }));
  });

  test('offers the items of a list that takes the focus and listens for them', async () => {
    const { session, ref } = await openPage(
      `<input aria-label="City" oninput="cities.innerHTML = ['Oslo', 'Osaka'].map(city => '<li><div tabindex=-1>' + city + '</div>').join(''); cities.hidden = false">
      <ul id="cities" tabindex="0" hidden></ul>
      <script>cities.addEventListener('click', event => { document.querySelector('input').value = event.target.textContent; cities.hidden = true })</script>`,
    );
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'City'), text: 'Os' }));
    expect(result.suggestions?.map(({ name }) => name)).toEqual(['Oslo', 'Osaka']);
    const chosen = expectSuccess(await session.click({ ref: result.suggestions?.[1]?.ref ?? '' }));
    expect(chosen.changes).toContain('value="Osaka"');
  });

  test('offers nothing that was there before', async () => {
    const { session, ref } = await openPage(
      `<input aria-label="F"><ul role="listbox" aria-label="L"><li role="option" tabindex="0">Old</ul>`,
    );
    expect(expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'x' })).suggestions).toBeUndefined();
  });
});

describe('a field that changes its text', () => {
  const formatting = (value: string): string =>
    `<input aria-label="F" oninput="this.value = '${value}'"><input aria-label="G">`;

  test.each([
    ['4111111111111111', '4111 1111 1111 1111'],
    ['5551234567', '(555) 123-4567'],
    ['12032026', '12/03/2026'],
    ['1234567', '$1,234,567'],
    ['DE89 3704', 'DE89-3704'],
    ['1250.5', '1,250.50'],
    ['12', '€12.00'],
    ['7,25', '7,2500'],
  ])('only by its mask formats it: %s as %s', async (text, value) => {
    const { session, ref } = await openPage(formatting(value));
    const typed = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text }));
    expect(type.headline(typed)).toBe(`The field holds "${value}" (the field formats its value)`);
    const fields = ['F', 'G'].map(name => ({ ref: ref('textbox', name), value: text }));
    const filled = expectSuccess(await session.fillForm({ fields }));
    expect(fillForm.headline(filled)).toContain(`${fields[0]?.ref} "${value}" (the field formats its value), `);
  });

  test.each([
    ['12345', '123'],
    ['15', '1.5'],
    ['1250.5', '1,250.55'],
    ['12', '120'],
    ['5', '-5'],
    ['-5', '5'],
    ['1234', '1,23,4'],
    ['5551234', '(555) 1235'],
  ])('otherwise holds something else: %s as %s', async (text, value) => {
    const { session, ref } = await openPage(formatting(value));
    const typed = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text }));
    expect(type.headline(typed)).toContain(`This differs from what was typed: "${text}"`);
    const filled = expectSuccess(await session.fillForm({ fields: [{ ref: ref('textbox', 'F'), value: text }] }));
    expect(fillForm.headline(filled)).toContain('which differs from what was entered');
  });
});
