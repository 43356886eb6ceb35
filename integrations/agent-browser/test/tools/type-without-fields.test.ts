import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

describe('a document that is edited as a whole', () => {
  const inFrame = (script: string, body = '<p>old</p>'): string =>
    `<iframe id="f" title="Text" srcdoc="<!doctype html><style>body { margin: 0 }</style>${body}"></iframe><input aria-label="Other">
    <script>f.onload = () => { ${script} }</script>`;
  const pages = {
    'a frame with an editable body': inFrame('f.contentDocument.body.contentEditable = true'),
    'a frame in design mode': inFrame("f.contentDocument.designMode = 'on'"),
    'an empty frame in design mode': inFrame("f.contentDocument.designMode = 'on'", ''),
    'a page with an editable body': '<body contenteditable><p>old</p></body>',
    'a page in design mode': "<p>old</p><script>document.designMode = 'on'</script>",
  };
  const TEXT = '(window.f?.contentDocument ?? document).body.innerText.trim()';

  test.each(Object.entries(pages))('takes text: %s', async (_, html) => {
    const { session, read, evaluate } = await openPage(html);
    await expect.poll(read, { timeout: 15_000 }).toContain(' editable');
    const field = /(@e\d+)[^\n]* editable/.exec(await read())?.[1] ?? '';
    expect(expectSuccess(await session.type({ ref: field, text: 'new' })).value).toBe('new');
    expect(await evaluate(TEXT)).toBe('new');
    expect(expectSuccess(await session.type({ ref: field, text: ' end', clear: false })).value).toBe('new end');
    expectSuccess(await session.type({ ref: field, text: 'by key', slowly: true }));
    expect(await evaluate(TEXT)).toBe('by key');
    expectSuccess(await session.fillForm({ fields: [{ ref: field, value: 'filled' }] }));
    expect(await evaluate(TEXT)).toBe('filled');
    expectSuccess(await session.press({ ref: field, keys: ['End', '!'] }));
    expect(await evaluate(TEXT)).toBe('filled!');
  });

  test('takes no text for a field in it that does not keep the focus', async () => {
    const { session, ref, evaluate } = await openPage(
      '<body contenteditable><p>old</p><input aria-label="F" onfocus="this.blur()"></body>',
    );
    expectFailure(await session.type({ ref: ref('textbox', 'F'), text: 'new' }), 'not_focusable');
    expect(await evaluate('document.body.innerText')).not.toContain('new');
  });
});

describe('a text area of no size, from which an editor around it takes what is typed', () => {
  const editor = (look: string, around = ''): string => `<p id="doc">Doc: [old]</p>
    <div id="editor" style="position:relative; width:300px; height:60px; border:1px solid">
      <div id="layer" style="position:absolute; inset:0">old</div>
      <div style="position:absolute; top:0; left:0; ${around}"><textarea aria-label="Code" style="position:absolute; padding:0; border:0; ${look}"></textarea></div>
    </div>
    <script>const area = document.querySelector('textarea'); let isAll = false, text = 'old';
      const show = () => { layer.textContent = text; doc.textContent = 'Doc: [' + text + ']' };
      layer.onmousedown = event => { event.preventDefault(); area.focus(); doc.textContent += ' focused' };
      area.onkeydown = event => { if (event.key === 'a' && event.ctrlKey) isAll = true };
      area.oninput = () => { text = (isAll ? '' : text) + area.value; isAll = false; area.value = ''; show() }</script>`;

  test.each([
    ['is a pixel large and transparent', 'width:1px; height:1px; opacity:0'],
    ['has no size', 'width:0; height:0; resize:none'],
    ['lies far outside', 'opacity:0; width:0; height:0; left:-9999em'],
  ])('has a ref that is typed into and clicked, which %s', async (_, look) => {
    const { session, ref, text } = await openPage(editor(look));
    const field = ref('textbox', 'Code');
    expect(expectSuccess(await session.type({ ref: field, text: 'new' })).valueUnknown).toContain('elsewhere');
    expect(await text()).toContain('Doc: [new]');
    expectSuccess(await session.type({ ref: field, text: ' end', clear: false }));
    expect(await text()).toContain('Doc: [new end]');
    expectSuccess(await session.click({ ref: field }));
    expect(await text()).toContain('focused');
  });

  test('is not told where it only serves the page', async () => {
    const { read } = await openPage(
      `<button>Copy</button><textarea style="position:fixed; left:-9999px">copied</textarea>
      <div style="position:relative"><textarea hidden></textarea><textarea style="position:absolute; visibility:hidden; height:0"></textarea></div>`,
    );
    expect(await read()).not.toContain('textbox');
  });
});

describe('a field that passes on each key that it gets', () => {
  /** @param paste What the terminal does with a pasted text. */
  const terminal = (field: string, screen: string, paste = ''): string => `<p id="log" role="status"></p>
    <div class="pane" style="position:relative; width:300px; height:60px">${screen}<textarea ${field}></textarea></div>
    <script>const area = document.querySelector('textarea'); let sent = '';
      const send = text => { sent += text; log.textContent = JSON.stringify(sent) };
      area.onkeydown = event => {
        if (event.key === 'Enter') send('\\r');
        else if (event.key === 'Delete' || (event.key === 'End' && event.ctrlKey)) send('\\x1b');
        else if (event.ctrlKey && /^[a-z]$/.test(event.key)) send(String.fromCharCode(event.key.charCodeAt(0) - 96));
        else return;
        event.preventDefault();
      };
      ${paste && `area.onpaste = event => { ${paste}; send(event.clipboardData.getData('text/plain')); area.value = '' };`}
      area.oninput = event => { if (event.data !== null) send(event.data); area.value = '' }</script>`;
  const LOOK = 'style="position:absolute; left:0; top:0; width:9px; height:9px; opacity:0; z-index:-5"';
  const FAR = 'style="position:absolute; left:-9999em; width:0; height:0; opacity:0"';

  test.each([
    [
      'says so',
      terminal(`aria-label="Terminal input" aria-multiline="false" ${LOOK}`, '$ ready', 'event.stopPropagation()'),
    ],
    ['is called so', terminal(`class="app-shell" ${LOOK}`, '$ ready', 'event.stopPropagation()')],
    ['shows a picture', terminal(FAR, '<canvas width="300" height="60"></canvas>', 'event.preventDefault()')],
    ['pastes nothing by itself', terminal(`class="xterm-helper-textarea" ${FAR}`, '<div>$ ready</div>')],
  ])('gets a text once and no other key: a terminal that %s', async (_, html) => {
    const { session, read, evaluate } = await openPage(html);
    const field = /textbox[^\n]*?(@e\d+)/.exec(await read())?.[1] ?? '';
    const typed = expectSuccess(await session.type({ ref: field, text: 'status web', submit: true }));
    expect(typed.valueUnknown).toContain('elsewhere');
    expect(await evaluate('sent')).toBe('status web\r');
    expectSuccess(await session.type({ ref: field, text: 'ls', clear: false }));
    expectSuccess(await session.type({ ref: field, text: ' -l', slowly: true }));
    expectSuccess(await session.type({ ref: field, text: '' }));
    expectSuccess(await session.fillForm({ fields: [{ ref: field, value: ' *' }] }));
    expect(await evaluate('sent')).toBe('status web\rls -l *');
    expectSuccess(await session.clipboard({ action: 'paste', ref: field, text: '&' }));
    expect(await evaluate('sent')).toBe('status web\rls -l *&');
  });
});
