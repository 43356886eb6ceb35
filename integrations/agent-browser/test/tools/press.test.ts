import { describe, expect, onTestFinished, test } from 'vitest';
import { keyStroke, NAMED_KEYS } from '../../src/tools/press.js';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { plainChromium } from '../shared-chromium.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text + " "; };</script>';
const LISTENER = `<script>addEventListener('keydown', event => say([event.ctrlKey && 'ctrl', event.shiftKey && 'shift', event.key].filter(Boolean).join('-')))</script>`;

describe('keys', () => {
  test.each([
    ['Enter', 'Enter'],
    ['esc', 'Escape'],
    ['ctrl+b', 'Control+b'],
    ['Control+Shift+K', 'Control+Shift+K'],
    ['Control+K', 'Control+k'],
    ['Meta+Alt+A', 'Meta+Alt+a'],
    ['Shift+K', 'Shift+K'],
    ['K', 'K'],
    ['Control++', 'Control++'],
    ['+', '+'],
    [' ', 'Space'],
    ['page down', undefined],
    ['PAGEDOWN', 'PageDown'],
    ['Control+', undefined],
    ['', undefined],
    ['hello', undefined],
    ['Control+nope', undefined],
  ])('%j reads as %j', (keys, expected) => {
    expect(keyStroke(keys)).toEqual(expected === undefined ? undefined : { press: expected });
  });

  test('that the keyboard does not have are characters', () => {
    expect(keyStroke('ë')).toEqual({ character: 'ë', held: [] });
    expect(keyStroke('ctrl+ñ')).toEqual({ character: 'ñ', held: ['Control'] });
    expect(keyStroke('ñ+Control')).toBeUndefined();
    expect(keyStroke('👩‍👧')).toEqual({ character: '👩‍👧', held: [] });
  });

  test.each(['\v', '\u0000', '\u001b', '\u2028', '\u0085'])('%j is no key', keys => {
    expect(keyStroke(keys)).toBeUndefined();
  });

  test.each([
    ['\n', 'Enter'],
    ['\r\n', 'Enter'],
    ['\t', 'Tab'],
  ])('%j is the key that writes it', (keys, press) => {
    expect(keyStroke(keys)).toEqual({ press });
  });

  test('are all known to the browser', async () => {
    const page = await (await plainChromium()).newPage();
    onTestFinished(() => page.close());
    for (const name of NAMED_KEYS) await page.keyboard.press(name);
  });
});

describe('pressing', () => {
  test('goes to where the focus is', async () => {
    const { session, text } = await openPage(`<input autofocus>${OUTPUT}${LISTENER}`);
    expectSuccess(await session.press({ keys: 'ArrowDown' }));
    expect(await text()).toContain('ArrowDown');
  });

  test('focuses the element of a ref first', async () => {
    const { session, ref } = await openPage(`<button onclick="say('clicked')">Go</button>${OUTPUT}`);
    const result = expectSuccess(await session.press({ ref: ref('button', 'Go'), keys: 'Enter' }));
    expect(result.changes).toContain('clicked');
  });

  test('holds modifiers down and lets them go', async () => {
    const { session, text } = await openPage(`${OUTPUT}${LISTENER}`);
    expectSuccess(await session.press({ keys: ['ctrl+Shift+K', 'a', 'Control++'] }));
    expect(await text()).toContain('ctrl-shift-K a ctrl-Control ctrl-+');
  });

  test.each([
    ['at once', 'say("Required")'],
    ['with a timer', 'setTimeout(() => say("Required"))'],
    ['with a promise', 'Promise.resolve().then(() => say("Required"))'],
    ['with the next frame', 'requestAnimationFrame(() => say("Required"))'],
  ])('Tab tells what the field that was left shows %s', async (_, shown) => {
    const { session, ref } = await openPage(
      `<input aria-label="Name" onblur='${shown}'><input aria-label="City">${OUTPUT}`,
    );
    const result = expectSuccess(await session.press({ ref: ref('textbox', 'Name'), keys: 'Tab' }));
    expect(result.changes).toContain('Required');
  });

  test('takes a list, in its order', async () => {
    const { session, ref, text } = await openPage(
      `<input aria-label="F" oninput="out.textContent = this.value">${OUTPUT}`,
    );
    const result = expectSuccess(await session.press({ ref: ref('textbox', 'F'), keys: ['a', 'B', 'ë', 'Home', 'x'] }));
    expect(result).toMatchObject({ pressed: 5 });
    expect(await text()).toContain('xaBë');
  });

  test.each([
    [
      'a slider',
      '<div role="slider" tabindex="0" aria-label="W" aria-valuenow="0" style="height:9px" onkeydown="later()"></div>',
      'slider',
      5,
    ],
    [
      'a list',
      '<div role="listbox" tabindex="0" aria-label="W" style="height:9px" onkeydown="later()"></div>',
      'listbox',
      4,
    ],
    [
      'a board',
      '<canvas tabindex="0" role="application" aria-label="W" onkeydown="later()"></canvas>',
      'application',
      6,
    ],
  ])('a key several times is as many steps of %s that takes one a frame', async (_, html, role, times) => {
    const { session, ref, evaluate } = await openPage(`${OUTPUT}${html}<script>
      let steps = 0, frame;
      function later() { cancelAnimationFrame(frame); frame = requestAnimationFrame(() => steps++); }</script>`);
    expectSuccess(
      await session.press({ ref: ref(role, 'W'), keys: Array.from({ length: times }, () => 'ArrowRight') }),
    );
    expect(await evaluate('steps')).toBe(times);
  });

  test('characters that the keyboard does not have are keys to the page', async () => {
    const { session, ref, text } = await openPage(`<input aria-label="F">${OUTPUT}${LISTENER}<script>
      addEventListener('keyup', event => say('up-' + event.key)); addEventListener('input', event => say('in-' + event.data));
    </script>`);
    expectSuccess(await session.press({ ref: ref('textbox', 'F'), keys: ['ë', 'я', '漢', '😀', '👩‍👧'] }));
    const heard = ['ë', 'я', '漢', '😀'].map(letter => `${letter} in-${letter} up-${letter}`).join(' ');
    expect(await text()).toContain(`${heard} in-👩‍👧`);
  });

  test.each([
    ['Control+ñ', ['Control', 'ctrl ñ', 'ñ up'], ''],
    ['Shift+ö', ['Shift', 'shift Ö', 'Ö up'], 'Ö'],
    ['Alt+д', ['Alt', 'alt д', 'д up'], ''],
  ])('%s is a shortcut or a capital of a letter that the keyboard does not have', async (keys, events, value) => {
    const { session, ref, evaluate } = await openPage(`<input aria-label="Name"><script>
      const log = [];
      addEventListener('keydown', e => log.push([e.ctrlKey && 'ctrl', e.shiftKey && 'shift', e.altKey && 'alt', e.key].filter(Boolean).slice(e.key.length > 1 ? -1 : 0).join(' ')));
      addEventListener('keyup', e => log.push(e.key + ' up'));
    </script>`);
    expectSuccess(await session.press({ ref: ref('textbox', 'Name'), keys }));
    expect(await evaluate('log.slice(0, 3)')).toEqual(events);
    expect(await evaluate(`document.querySelector('input').value`)).toBe(value);
  });

  test('shortcuts of a page answer to a letter that is written large', async () => {
    const { session, text } = await openPage(
      `${OUTPUT}<script>addEventListener('keydown', event => { if (event.ctrlKey && event.key === 'k') say('search'); })</script>`,
    );
    expectSuccess(await session.press({ keys: 'Control+K' }));
    expect(await text()).toContain('search');
  });

  test('presses nothing when one key of a list does not exist, and leaves no modifier down', async () => {
    const { session, text } = await openPage(`${OUTPUT}${LISTENER}`);
    const result = expectFailure(await session.press({ keys: ['a', 'Control+Bogus'] }), 'invalid_input');
    expect(result.message).toContain('keys: "Control+Bogus" is not a key name');
    expectSuccess(await session.press({ keys: 'b' }));
    expect(await text()).toMatch(/"b"/);
  });

  test('sends a form and waits for the page that comes', async () => {
    const { session, site, ref } = await openPage({
      '/': '<form action="/done"><input aria-label="F" name="q"></form>',
      '/done': '<h1>Thank you</h1>',
    });
    const result = expectSuccess(await session.press({ ref: ref('textbox', 'F'), keys: ['x', 'Enter'] }));
    expect(result).toMatchObject({ navigated: true, url: site.url('/done?q=x') });
    expect(result.changes).toContain('Thank you');
  });

  test.each([
    ['a heading', '<h1 onclick="1">Title</h1>', 'clickable', 'Title'],
    ['a link without an address', '<a onclick="1">Title</a>', 'clickable', 'Title'],
  ])('says that %s takes no focus', async (_, html, role, name) => {
    const { session, ref } = await openPage(html);
    const found = (() => {
      try {
        return ref(role, name);
      } catch {
        return ref('heading', name);
      }
    })();
    expectFailure(await session.press({ ref: found, keys: 'a' }), 'not_focusable');
  });

  test('says that a disabled field is disabled', async () => {
    const { session, ref } = await openPage('<input aria-label="F" disabled>');
    expectFailure(await session.press({ ref: ref('textbox', 'F'), keys: 'a' }), 'element_disabled');
  });

  test('reaches a field in a frame and in a closed shadow root', async () => {
    const { session, ref, read } = await openPage(
      `<iframe title="Frame" srcdoc="<input aria-label='In frame'>"></iframe><div id="host" style="height:30px"></div>
       <script>host.attachShadow({ mode: 'closed' }).innerHTML = '<input aria-label="In shadow">'</script>`,
    );
    expectSuccess(await session.press({ ref: ref('textbox', 'In frame'), keys: ['h', 'i'] }));
    expectSuccess(await session.press({ ref: ref('textbox', 'In shadow'), keys: ['y', 'o'] }));
    expect(await read()).toMatch(/In frame" @e\d+ value="hi"[\s\S]*In shadow" @e\d+ value="yo"/);
  });

  test('answers a dialog as it is told to', async () => {
    const { session, ref } = await openPage(`<button onclick="say(confirm('Sure?'))">Go</button>${OUTPUT}`);
    const result = await session.press({ ref: ref('button', 'Go'), keys: 'Enter', onDialog: { accept: true } });
    expect(expectSuccess(result).dialog).toMatchObject({ message: 'Sure?', answered: 'accepted' });
  });
});
