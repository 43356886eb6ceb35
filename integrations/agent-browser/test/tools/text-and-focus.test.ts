import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

describe('text for a field that hands the focus on', () => {
  const elsewhere = {
    'another field': '<input aria-label="Other">',
    'an editable element': '<div contenteditable role="textbox" aria-label="Other"></div>',
    'a frame':
      '<iframe srcdoc="<body contenteditable oninput=&quot;parent.out.textContent = &#39;typed&#39;&quot;></body>"></iframe>',
  };
  const fields = {
    'a field': (how: string) => `<input aria-label="F" onfocus="${how}">`,
    'an editable element': (how: string) =>
      `<div contenteditable role="textbox" aria-label="F" onfocus="${how}">old</div>`,
  };
  const cases: [keyof typeof fields, keyof typeof elsewhere, string][] = [
    ['a field', 'another field', 'at once'],
    ['a field', 'a frame', 'at once'],
    ['a field', 'an editable element', 'a moment later'],
    ['an editable element', 'a frame', 'a moment later'],
  ];

  test.each(cases)('%s to %s %s: is typed nowhere', async (from, to, when) => {
    const move = 'other.contentWindow ? other.contentDocument.body.focus() : other.focus()';
    const how = when === 'at once' ? move : `setTimeout(() => { ${move} })`;
    const { session, ref, text } = await openPage(
      `${fields[from](`const other = document.querySelector('[aria-label=Other], iframe'); ${how}`)}${elsewhere[to]}${OUTPUT}`,
    );
    const result = expectFailure(await session.type({ ref: ref('textbox', 'F'), text: 'secret' }), 'not_focusable');
    expect(result.message).toContain('Nothing was typed');
    expect(await text()).not.toMatch(/secret|typed/);
  });
});

describe('text for a field that seems to have got some already', () => {
  test.each(['at once', 'a moment later', 'with the next frame'])('is typed nowhere else: moved on %s', async when => {
    const later = {
      'at once': 'queueMicrotask',
      'a moment later': 'setTimeout',
      'with the next frame': 'requestAnimationFrame',
    };
    const { session, ref } = await openPage(
      `<input aria-label="F" onfocus="this.dispatchEvent(new Event('input', { bubbles: true })); ${later[when as keyof typeof later]}(() => other.focus())"><input aria-label="Other" id="other">`,
    );
    const result = await session.type({ ref: ref('textbox', 'F'), text: 'secret' });
    const { tree } = expectSuccess(await session.snapshot());
    expect(tree).not.toMatch(/"Other" @e\d+ [^\n]*secret/);
    // A frame that comes late finds the text where it belongs.
    if (!result.success) expect(result).toMatchObject({ code: 'not_focusable' });
    else expect(result.value).toBe('secret');
  });

  test('goes into no frame that the page makes of it', async () => {
    const { session, ref, text } = await openPage(
      `<input aria-label="F" onfocus="setTimeout(() => {
        const frame = document.createElement('iframe');
        document.body.append(frame);
        frame.contentDocument.body.contentEditable = true;
        frame.contentDocument.body.oninput = () => { out.textContent = 'typed'; };
        frame.contentDocument.body.focus();
      })">${OUTPUT}`,
    );
    expectFailure(await session.type({ ref: ref('textbox', 'F'), text: 'secret' }), 'not_focusable');
    expect(await text()).not.toContain('typed');
  });

  test('is told to be there by a page that keeps its events from everybody', async () => {
    const { session, ref } = await openPage(`<script>
      for (const type of ['beforeinput', 'input']) addEventListener(type, event => event.stopImmediatePropagation(), true);
    </script><input aria-label="F">`);
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'secret' }));
    expect(result.value).toBe('secret');
  });

  test('goes in again where the focus is already', async () => {
    const { session, ref } = await openPage('<input aria-label="F">');
    for (const text of ['one', 'two', ''])
      expect(expectSuccess(await session.type({ ref: ref('textbox', 'F'), text }))).toMatchObject({ value: text });
  });
});

describe('Enter behind a text', () => {
  test('is not pressed on what took the focus meanwhile', async () => {
    const { session, ref, text } = await openPage(
      `<input aria-label="F" oninput="document.querySelector('button').focus()"><button onclick="say('deleted')">Delete all</button>${OUTPUT}`,
    );
    const result = expectFailure(
      await session.type({ ref: ref('textbox', 'F'), text: 'x', submit: true }),
      'not_focusable',
    );
    expect(result.message).toContain('Enter was not pressed');
    expect(result.value).toBe('x');
    expect(await text()).not.toContain('deleted');
  });

  test('goes to the next field of the same form that the page moved on to', async () => {
    const { session, ref } =
      await openPage(`<form onsubmit="say('sent'); return false"><input aria-label="A" oninput="b.focus()">
      <input id="b" aria-label="B"><button>Send</button></form>${OUTPUT}`);
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'A'), text: 'x', submit: true }));
    expect(result.changes).toContain('sent');
  });

  test('goes to the list that the field opened', async () => {
    const { session, ref } =
      await openPage(`<input role="combobox" aria-label="F" aria-controls="cities" oninput="cities.hidden = false; cities.firstElementChild.focus()">
      <ul role="listbox" id="cities" hidden><li role="option" tabindex="-1" onkeydown="say('chosen')">Oslo</li></ul>${OUTPUT}`);
    const result = expectSuccess(await session.type({ ref: ref('combobox', 'F'), text: 'o', submit: true }));
    expect(result.changes).toContain('chosen');
  });

  test('reaches a field in a frame', async () => {
    const { session, ref } = await openPage({
      '/': '<iframe title="Card" src="/card"></iframe>',
      '/card': `<form onsubmit="say('sent'); return false"><input aria-label="F"></form>${OUTPUT}`,
    });
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'x', submit: true }));
    expect(result.changes).toContain('sent');
  });
});
