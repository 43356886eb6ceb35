import { describe, expect, test } from 'vitest';
import { clipboard } from '../../src/tools/clipboard.js';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage, newSession, toolset } = pageOpener({}, { ownSession: true });

describe('copy', () => {
  test('takes what a field holds or has selected, and the text of anything else', async () => {
    const { session, ref } = await openPage(`<input aria-label="City" value="Oslo harbour">
      <button>Send <b>now</b></button><button onclick="document.querySelector('input').setSelectionRange(0, 4)">Select</button>`);
    expect(await session.clipboard({ action: 'copy', ref: ref('textbox', 'City') })).toMatchObject({
      text: 'Oslo harbour',
    });
    expect(await session.clipboard({ action: 'copy', ref: ref('button', 'Send now') })).toMatchObject({
      text: 'Send now',
    });
    await session.click({ ref: ref('button', 'Select') });
    expect(await session.clipboard({ action: 'copy', ref: ref('textbox', 'City') })).toMatchObject({ text: 'Oslo' });
  });

  test('tells the beginning of a long text and keeps all of it', async () => {
    const long = 'word '.repeat(20_000);
    const { session, ref } = await openPage('<textarea aria-label="Note"></textarea><p></p>');
    const copied = expectSuccess(await session.clipboard({ action: 'copy', text: long }));
    expect(copied).toMatchObject({ text: long.slice(0, 8_000), textLength: 100_000 });
    expect(clipboard.headline(copied)).toMatch(/^100000 characters: "word word/);
    const pasted = expectSuccess(await session.clipboard({ action: 'paste', ref: ref('textbox', 'Note') }));
    expect(pasted).toMatchObject({ textLength: 100_000, value: long.slice(0, 8_000), valueLength: 100_000 });
    expect(await session.clipboard({ action: 'copy', ref: ref('textbox', 'Note') })).toMatchObject({
      textLength: 100_000,
    });
  });

  test('lets the page say what is copied', async () => {
    const { session, ref } = await openPage(`<button>Link</button><script>document.addEventListener('copy', event => {
      event.clipboardData.setData('text/plain', 'from ' + event.target.localName + ': ' + getSelection()); event.preventDefault(); })</script>`);
    expect(await session.clipboard({ action: 'copy', ref: ref('button', 'Link') })).toMatchObject({
      text: 'from button: Link',
    });
  });

  test('never takes a password', async () => {
    const { session, ref } = await openPage(
      '<input type="password" aria-label="Password" value="hunter2"><input aria-label="Note">',
    );
    const refused = expectFailure(
      await session.clipboard({ action: 'copy', ref: ref('textbox', 'Password') }),
      'invalid_input',
    );
    expect(JSON.stringify(refused)).not.toContain('hunter2');
    expectFailure(await session.clipboard({ action: 'paste', ref: ref('textbox', 'Note') }), 'invalid_input');
  });
});

const FIELDS = `<input aria-label="From" value="private"><input aria-label="To">
  <button onclick="navigator.clipboard.writeText('from the page').then(() => this.textContent = 'Written')">Write</button><p id="seen"></p>
  <script>const seen = [];
    for (const type of ['keydown', 'copy', 'cut', 'paste']) addEventListener(type, event => {
      seen.push(event.key === undefined ? type : event.key + ' ' + event.keyCode);
      document.querySelector('#seen').textContent = seen.join(', ') })</script>`;

describe('keys', () => {
  test('copy, cut and paste within a session, and the page sees them', async () => {
    const { session, ref, text } = await openPage(FIELDS);
    expectSuccess(await session.press({ ref: ref('textbox', 'From'), keys: ['Control+A', 'Control+C'] }));
    const result = await session.press({ ref: ref('textbox', 'To'), keys: ['Control+V', 'Shift+Insert'] });
    expect(expectSuccess(result)).toMatchObject({ pressed: 2 });
    expect(await text()).toContain('textbox "To" @e2 value="privateprivate"');
    expect(await text()).toMatch(/Control 17, c 67, copy, Control 17, v 86, paste/);
    expectSuccess(await session.press({ ref: ref('textbox', 'From'), keys: ['Control+A', 'Meta+x'] }));
    expect(await text()).toContain('textbox "From" @e1 focused');
    expect(await session.clipboard({ action: 'paste', ref: ref('textbox', 'From') })).toMatchObject({
      value: 'private',
    });
  });

  test('never paste what another session, or a page of it, put on the clipboard', async () => {
    const other = await openPage(FIELDS);
    expectSuccess(await other.session.press({ ref: other.ref('textbox', 'From'), keys: ['Control+A', 'Control+C'] }));
    const { session, ref, text } = await openPage(FIELDS);
    const paste = () =>
      session.press({ ref: ref('textbox', 'To'), keys: ['Control+V', 'Control+Shift+V', 'Shift+Insert'] });
    expect(expectSuccess(await paste())).toMatchObject({ clipboard: 'empty' });
    expect(await text()).toContain('textbox "To" @e2 focused');
    expectSuccess(await other.session.click({ ref: other.ref('button', 'Write') }));
    expectSuccess(await other.session.wait({ for: { text: 'Written' } }));
    expectSuccess(await paste());
    expect(await text()).toContain('textbox "To" @e2 focused');
  });

  test('leave the text alone where the page means something else by them', async () => {
    const { session, ref, text } = await openPage(
      `${FIELDS}<script>addEventListener('keydown', event => event.ctrlKey && event.preventDefault())</script>`,
    );
    await session.clipboard({ action: 'copy', text: 'mine' });
    expectSuccess(await session.press({ ref: ref('textbox', 'To'), keys: 'Control+V' }));
    expect(await text()).not.toContain('mine');
  });

  test('reach a field of a frame, and copy no password', async () => {
    const { session, ref, read, text } = await openPage(
      `<input type="password" aria-label="Password" value="hunter2"><iframe srcdoc="<input aria-label='Inner'><p>Ready</p>"></iframe>`,
    );
    expectSuccess(await session.wait({ for: { text: 'Ready' } }));
    await read();
    await session.clipboard({ action: 'copy', text: 'mine' });
    const hidden = await session.press({ ref: ref('textbox', 'Password'), keys: ['Control+A', 'Control+C'] });
    expect(expectSuccess(hidden)).toMatchObject({ clipboard: 'hidden' });
    expectSuccess(await session.press({ ref: ref('textbox', 'Inner'), keys: 'Control+V' }));
    expect(await text()).toContain('value="mine"');
  });

  test("of a person paste the session's clipboard too", async () => {
    const { session, ref, text } = await openPage(FIELDS);
    expectSuccess(await session.press({ ref: ref('textbox', 'From'), keys: 'Control+A' }));
    const person = async (key: string) => {
      await toolset.injectKeyboardEvent({ type: 'keyDown', key, modifiers: 2 }, session.threadId);
      await toolset.injectKeyboardEvent({ type: 'keyUp', key, modifiers: 2 }, session.threadId);
    };
    await person('c');
    const other = await openPage(FIELDS);
    expectSuccess(await other.session.press({ ref: other.ref('textbox', 'From'), keys: ['Control+A', 'Control+C'] }));
    expectSuccess(await session.press({ ref: ref('textbox', 'To'), keys: 'End' }));
    await person('v');
    expect(await text()).toContain('textbox "To" @e2 value="private"');
  });
});

describe('paste', () => {
  test('puts the text where the caret is, as one edit, and a line break as a space in a field of one line', async () => {
    const { session, ref, text } = await openPage(`<input aria-label="City" value="Old "><p id="seen"></p>
      <script>const seen = document.querySelector('#seen'), field = document.querySelector('input');
      for (const type of ['paste', 'input']) field.addEventListener(type, event => {
        seen.append(type + ' ' + (event.clipboardData?.getData('text/plain').length ?? event.inputType) + '; ') })</script>`);
    await session.clipboard({ action: 'copy', text: 'town\nhall' });
    const result = expectSuccess(await session.clipboard({ action: 'paste', ref: ref('textbox', 'City') }));
    expect(result).toMatchObject({ value: 'Old town hall' });
    expect(await text()).toContain('paste 9; input insertText;');
  });

  test('leaves it to a page that takes the text itself, in a frame too', async () => {
    const editor = `<div contenteditable role="textbox" aria-label="Editor"></div><p>Ready</p><script>document.querySelector('div').addEventListener('paste', event => {
      event.preventDefault(); event.target.textContent = '[' + event.clipboardData.getData('text/plain') + ']' })</script>`;
    const { session, ref, read, text } = await openPage(
      `<iframe srcdoc='${editor.replaceAll("'", '&#39;')}'></iframe>`,
    );
    expectSuccess(await session.wait({ for: { text: 'Ready' } }));
    await read();
    const result = expectSuccess(
      await session.clipboard({ action: 'paste', text: 'Ann', ref: ref('textbox', 'Editor') }),
    );
    expect(result).toMatchObject({ handled: true });
    expect(await text()).toContain('[Ann]');
    await session.clipboard({ action: 'paste', text: 'Ben' });
    expect(await text()).toContain('[Ben]');
  });

  test('says so when nothing that takes text has the focus', async () => {
    const { session, text } = await openPage(
      '<button>Go</button><input aria-label="Fixed" readonly value="9"><p>Ready</p><script>addEventListener("paste", () => document.querySelector("p").append(" asked"))</script>',
    );
    const nowhere = expectFailure(await session.clipboard({ action: 'paste', text: 'Ann' }), 'not_editable');
    expect(nowhere.message).toBe('No text field has the focus (nothing is focused). Nothing was pasted.');
    expect(nowhere.recoveryHint).toBe('Give the ref of the field.');
    await session.press({ keys: 'Tab' });
    const button = expectFailure(await session.clipboard({ action: 'paste', text: 'Ann' }), 'not_editable');
    expect(button.message).toContain('button "Go" is focused');
    await session.press({ keys: 'Tab' });
    expectFailure(await session.clipboard({ action: 'paste', text: 'Ann' }), 'not_editable');
    expect(await text()).toContain('Ready asked asked asked');
  });

  test('reaches a field in a closed shadow tree, and one that a handler of the page moves the focus to', async () => {
    const { session, ref, text } = await openPage(
      `<button>Go</button><x-field></x-field><textarea aria-label="Note"></textarea><p></p><script>
      customElements.define('x-field', class extends HTMLElement { constructor() { super();
        const input = document.createElement('input'); this.attachShadow({ mode: 'closed' }).append(input); this.input = input; } });
      const seen = () => { document.querySelector('p').textContent = '[' + document.querySelector('x-field').input.value + ']' };
      addEventListener('input', seen, true);
      document.querySelector('button').addEventListener('paste', () => document.querySelector('textarea').focus());</script>`,
    );
    await session.press({ keys: ['Tab', 'Tab'] });
    expectSuccess(await session.clipboard({ action: 'paste', text: 'Ann' }));
    expect(await text()).toContain('[Ann]');
    await session.press({ keys: 'Shift+Tab' });
    expectSuccess(await session.clipboard({ action: 'paste', text: 'Ben' }));
    expect((await session.clipboard({ action: 'copy', ref: ref('textbox', 'Note') })).text).toBe('Ben');
  });

  test('never brings what another session copied', async () => {
    const { session, ref } = await openPage('<input aria-label="Note">');
    await newSession().clipboard({ action: 'copy', text: 'private' });
    expectFailure(await session.clipboard({ action: 'paste', ref: ref('textbox', 'Note') }), 'invalid_input');
    await session.clipboard({ action: 'copy', text: 'mine' });
    expect(await session.clipboard({ action: 'paste', ref: ref('textbox', 'Note') })).toMatchObject({ value: 'mine' });
  });
});
