import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener({}, { timings: { enabled: 20_000 } });
const { openPage: openHasty } = pageOpener({}, { timings: { enabled: 100 } });

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';
const SEND = `<button id="send" disabled onclick="say('sent')">Send</button>${OUTPUT}`;

describe('a button that is enabled when the last field is left', () => {
  const pages = {
    change: `<input aria-label="F" onchange="send.disabled = false">${SEND}`,
    blur: `<input aria-label="F" onblur="send.disabled = false">${SEND}`,
    'focusout, a moment later': `<form onfocusout="setTimeout(() => { send.disabled = false }, 100)"><input aria-label="F"></form>${SEND}`,
    'a change in a frame': `<iframe title="Card" srcdoc="<input aria-label='F' onchange='parent.send.disabled = false'>"></iframe>${SEND}`,
  };

  test.each(Object.entries(pages))('is pressed: %s', async (_, html) => {
    const { session, ref } = await openPage(html);
    const fields = [{ ref: ref('textbox', 'F'), value: 'x' }];
    const result = expectSuccess(await session.fillForm({ fields, submit: ref('button', 'Send') }));
    expect(result.submitted).toBe(true);
    expect(result.changes).toContain('sent');
  });

  test('is pressed by a click of its own as well', async () => {
    const { session, ref } = await openPage(pages.change);
    expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'x' }));
    expect(expectSuccess(await session.click({ ref: ref('button', 'Send') })).changes).toContain('sent');
  });
});

describe('fields that enable each other', () => {
  test('are waited for: a list that a request fills', async () => {
    const { session, ref } = await openPage({
      '/': `<select aria-label="Country" onchange="fetch('/cities').then(() => { city.innerHTML = '<option>Oslo<option>Bergen'; city.disabled = false })"><option>-<option>Norway</select>
        <select id="city" aria-label="City" disabled><option>-</select>`,
      '/cities': (_, response) => setTimeout(() => response.end('ok'), 900),
    });
    const fields = [
      { ref: ref('combobox', 'Country'), value: 'Norway' },
      { ref: ref('combobox', 'City'), value: 'Bergen' },
    ];
    const result = expectSuccess(await session.fillForm({ fields }));
    expect(result.fields?.map(({ value }) => value)).toEqual(['Norway', 'Bergen']);
  });

  test.each([
    ['a text that is left', '<input aria-label="A" onchange="b.disabled = false">', 'textbox', 'x'],
    [
      'a text, a moment later',
      '<input aria-label="A" oninput="setTimeout(() => { b.disabled = false }, 100)">',
      'textbox',
      'x',
    ],
    [
      'a check box',
      '<input type="checkbox" aria-label="A" onchange="setTimeout(() => { b.disabled = false }, 100)">',
      'checkbox',
      true,
    ],
  ])('are waited for: %s', async (_, first, role, value) => {
    const { session, ref } = await openPage(`${first} <input id="b" aria-label="B" disabled>`);
    const fields = [
      { ref: ref(role, 'A'), value },
      { ref: ref('textbox', 'B'), value: 'y' },
    ];
    const result = expectSuccess(await session.fillForm({ fields }));
    expect(result.fields?.map(field => field.value)).toEqual([value, 'y']);
  });

  test('are told as disabled where nothing enables them', async () => {
    const { session, ref } = await openHasty('<input aria-label="A"> <input aria-label="B" disabled>');
    const fields = [
      { ref: ref('textbox', 'A'), value: 'x' },
      { ref: ref('textbox', 'B'), value: 'y' },
    ];
    const result = expectSuccess(await session.fillForm({ fields }));
    expect(result.fields?.[1]).toMatchObject({
      code: 'element_disabled',
      error: expect.stringContaining('is disabled'),
    });
  });
});

describe('sliders and spin buttons that show words', () => {
  const NAMES = [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ];
  const spin = (keys: string, { attributes = '', wraps = true, names = NAMES } = {}): string =>
    `<div role="spinbutton" tabindex="0" aria-label="Month" style="width: 90px" ${attributes}></div>
    <script>const names = ${JSON.stringify(names)}, box = document.querySelector('[role]'), steps = ${keys}; let at = 10;
      const show = () => { box.ariaValueText = names[at]; box.ariaValueNow = at + 1; box.textContent = names[at] };
      box.onkeydown = ({ key }) => { if (!(key in steps)) return; at += steps[key];
        at = ${wraps ? '(at + 12) % 12' : 'Math.min(11, Math.max(0, at))'}; show() }; show()</script>`;
  const UP_DOWN = '{ ArrowUp: 1, ArrowDown: -1 }';

  test.each([
    ['the next', spin(UP_DOWN), 'December', 'December'],
    ['around the end', spin(UP_DOWN), 'march', 'March'],
    ['back from the end', spin(UP_DOWN, { wraps: false }), 'August', 'August'],
    ['sideways', spin('{ ArrowRight: 1, ArrowLeft: -1 }'), 'October', 'October'],
    ['that it holds', spin('{}'), 'November', 'November'],
    [
      'a part of its words',
      spin(UP_DOWN, { names: NAMES.map((name, index) => `${index + 1} - ${name}`) }),
      'May',
      '5 - May',
    ],
    ['in an editable element', spin(UP_DOWN, { attributes: 'contenteditable' }), 'December', 'December'],
  ])('are set to a word: %s', async (_, html, value, held) => {
    const { session, ref, evaluate } = await openPage(html);
    const result = expectSuccess(await session.fillForm({ fields: [{ ref: ref('spinbutton', 'Month'), value }] }));
    expect(result.fields).toEqual([{ ref: expect.any(String), value: held }]);
    expect(await evaluate('names[at]')).toBe(held);
  });

  test('stay as they were where they have no such word, which says what they have', async () => {
    for (const wraps of [true, false]) {
      const { session, ref, evaluate } = await openPage(spin(UP_DOWN, { wraps }));
      const fields = [{ ref: ref('spinbutton', 'Month'), value: 'Brumaire' }];
      const result = expectFailure(await session.fillForm({ fields }), 'invalid_input');
      expect(result.message).toContain('has no value "Brumaire"; it has "November", "December"');
      expect(await evaluate('names[at]')).toBe('November');
    }
  });

  test('say what moves a handle that says nothing of itself', async () => {
    const { session, read } = await openPage(
      '<div style="position: relative; width: 200px; height: 9px"><span tabindex="0" class="ui-slider-handle" style="position: absolute; width: 20px; height: 20px; background: #888"></span></div>',
    );
    const handle = /clickable (@e\d+)/.exec(await read())?.[1] ?? '';
    const result = expectFailure(await session.fillForm({ fields: [{ ref: handle, value: '30' }] }), 'not_editable');
    expect(result.message).toContain('browser_press with arrow keys');
  });
});
