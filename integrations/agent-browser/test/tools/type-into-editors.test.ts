import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

describe('slow typing into an editor', () => {
  test('breaks lines in an editor by Shift and Enter, which sends no message', async () => {
    const { session, ref, text } = await openPage(
      `<div contenteditable role="textbox" aria-label="F"></div>${OUTPUT}
      <script>document.querySelector('div').onkeydown = event => {
        if (event.key !== 'Enter') return;
        say(event.shiftKey ? 'break;' : 'sent;');
        event.preventDefault();
        if (event.shiftKey) document.execCommand('insertLineBreak');
      };
      document.querySelector('div').onbeforeinput = event => { if (event.data?.includes('\\n')) say('inserted;') }</script>`,
    );
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'one\ntwo\r\n', slowly: true }));
    expect([result.value, result.mismatch]).toEqual(['one\ntwo\n', undefined]);
    expect(await text()).toContain('"break;break;"');
  });

  test('breaks no line by a key where the page has moved the focus to a button', async () => {
    const { session, ref, text } = await openPage(
      `<div contenteditable role="textbox" aria-label="F" oninput="document.querySelector('button').focus()"></div>
      <button onclick="say('pressed')">Send</button>${OUTPUT}`,
    );
    await session.type({ ref: ref('textbox', 'F'), text: 'a\nb', slowly: true });
    expect(await text()).not.toContain('pressed');
  });
});

describe('a tiny text area from which an editor takes what is typed', () => {
  const takenAway = (look: string, around: string): string =>
    `<p id="doc">Doc: [old]</p><div style="position:relative; ${around}"><textarea aria-label="Code" style="position:absolute; padding:0; border:0; ${look}"></textarea></div>
    <script>const area = document.querySelector('textarea');
      let isAll = false, wait, text = 'old', caret = 0;
      const show = () => { doc.textContent = 'Doc: [' + text + ']' };
      area.onkeydown = event => {
        if (event.key === 'a' && event.ctrlKey) isAll = true;
        if (event.key === 'End' && event.ctrlKey) caret = text.length;
        if (isAll && /^(Delete|Backspace)$/.test(event.key)) { text = ''; isAll = false; show() }
      };
      area.oninput = () => { clearTimeout(wait); wait = setTimeout(() => {
        if (isAll) { text = ''; caret = 0; isAll = false }
        text = text.slice(0, caret) + area.value + text.slice(caret); caret += area.value.length; area.value = ''; show() }, 150) }</script>`;

  test.each([
    ['is thin', 'width:2px; height:1em', ''],
    ['is cut off', 'width:1000px; height:1em', 'width:3px; height:0; overflow:hidden'],
    ['is transparent', 'opacity:0; width:20px; height:20px', ''],
  ])('takes text in the place of the old, behind it, or none, which %s', async (_, look, around) => {
    const { session, ref, text } = await openPage(takenAway(look, around));
    const field = ref('textbox', 'Code');
    const why = 'the field passes its text on, and the page shows it elsewhere';
    const typed = [
      [{ text: 'new' }, 'new'],
      [{ text: ' and more', clear: false }, 'new and more'],
      [{ text: '' }, ''],
      [{ text: 'slow', slowly: true }, 'slow'],
      [{ text: 'er', slowly: true, clear: false }, 'slower'],
    ] as const;
    for (const [given, doc] of typed) {
      const result = expectSuccess(await session.type({ ref: field, ...given }));
      expect([result.value, result.mismatch, result.valueUnknown]).toEqual([undefined, undefined, why]);
      await expect.poll(text).toContain(`Doc: [${doc}]`);
    }
    const { fields } = expectSuccess(await session.fillForm({ fields: [{ ref: field, value: 'third' }] }));
    expect(fields).toEqual([{ ref: field, valueUnknown: why }]);
    await expect.poll(text).toContain('Doc: [third]');
  });

  test.each([
    ['of two pixels', '<textarea aria-label="F" style="height:2px; padding:0; border:0">old</textarea>'],
    ['that is transparent', '<textarea aria-label="F" name="f" style="opacity:0" oninput="this.value">old</textarea>'],
  ])('unlike the plain field %s, whose value is told', async (_, html) => {
    const { session, ref } = await openPage(html);
    const field = ref('textbox', 'F');
    expect(expectSuccess(await session.type({ ref: field, text: 'one\ntwo' })).value).toBe('one\ntwo');
    const { fields } = expectSuccess(await session.fillForm({ fields: [{ ref: field, value: 'three' }] }));
    expect(fields).toEqual([{ ref: field, value: 'three' }]);
  });
});

describe('an editor that takes its keys by an EditContext, in an element without a width', () => {
  const EDITOR = `<p id="doc">Doc: [old]</p>
    <div id="editor" style="width:300px; height:60px; border:1px solid">
      <div id="keys" role="textbox" aria-label="Code" tabindex="0" style="width:0; height:19px"></div><p aria-hidden="true">old</p>
    </div>
    <script>
      const context = keys.editContext = new EditContext();
      let isAll = false, text = 'old', caret = 0;
      const put = more => {
        if (isAll) { text = ''; caret = 0; isAll = false }
        text = text.slice(0, caret) + more + text.slice(caret); caret += more.length;
        doc.textContent = 'Doc: [' + text + ']';
      };
      keys.onkeydown = event => {
        if (event.key === 'a' && event.ctrlKey) isAll = true;
        if (event.key === 'End' && event.ctrlKey) caret = text.length;
        if (isAll && event.key === 'Delete') put('');
      };
      context.ontextupdate = event => put(event.text.replaceAll('(', '()'));
      keys.onpaste = event => { event.preventDefault(); put(event.clipboardData.getData('text/plain')) };
      editor.onmousedown = event => { event.preventDefault(); keys.focus(); doc.textContent += ' focused' };
    </script>`;

  test('takes text as it stands, in the place of the old or behind it, and key by key', async () => {
    const { session, ref, text } = await openPage(EDITOR);
    const field = ref('textbox', 'Code');
    const typed = [
      [{ text: 'f(1)' }, 'f(1)'],
      [{ text: ' and (', clear: false }, 'f(1) and ('],
      [{ text: '' }, ''],
      [{ text: 'g(', slowly: true }, 'g()'],
    ] as const;
    for (const [given, doc] of typed) {
      const result = expectSuccess(await session.type({ ref: field, ...given }));
      expect([result.value, result.valueUnknown]).toEqual([undefined, expect.stringContaining('shows it elsewhere')]);
      expect(await text()).toContain(`Doc: [${doc}]`);
    }
  });

  test('is clicked where it shows its text', async () => {
    const { session, ref, text } = await openPage(EDITOR);
    expectSuccess(await session.click({ ref: ref('textbox', 'Code') }));
    expect(await text()).toContain('focused');
  });

  test('is not clicked through what covers it', async () => {
    const { session, ref } = await openPage(
      `${EDITOR}<button style="position:absolute; inset:0" onclick="doc.textContent = 'covered'">Cover</button>`,
    );
    expectFailure(await session.click({ ref: ref('textbox', 'Code') }), 'element_blocked');
  });
});
