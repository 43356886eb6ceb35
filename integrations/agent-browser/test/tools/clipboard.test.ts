import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage, newSession } = pageOpener();

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

  test('never brings what another session copied', async () => {
    const { session, ref } = await openPage('<input aria-label="Note">');
    await newSession().clipboard({ action: 'copy', text: 'private' });
    expectFailure(await session.clipboard({ action: 'paste', ref: ref('textbox', 'Note') }), 'invalid_input');
    await session.clipboard({ action: 'copy', text: 'mine' });
    expect(await session.clipboard({ action: 'paste', ref: ref('textbox', 'Note') })).toMatchObject({ value: 'mine' });
  });
});
