import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess, refOf } from '../fixtures.js';
import { pokedPages } from './poked-page.js';

const { openPoked } = pokedPages();

const NAMES: Record<string, string> = {
  quotes: 'Say "hi" and \'bye\'',
  colons: 'Title: the: second',
  backslashes: 'C:\\temp\\new \\" \\\\',
  emoji: '👩‍👩‍👧 family 🇳🇴 ☃️',
  'right to left': 'שלום مرحبا abc',
  'a bidirectional override': 'safe \u202eevil\u202c text',
  'what looks like a ref': '@e1 [ref=e2] (@e1-@e9)',
  'what looks like a state': 'Save checked disabled value="x"',
  'what looks like markup': '<button onclick="x">y</button> &amp; &lt;',
  'what looks like a cursor': '… 12 more lines: browser_snapshot next=n1',
  combining: 'z\u0351\u036b\u0343\u036a\u0302a\u030a',
};

describe('a name with', () => {
  for (const [what, name] of Object.entries(NAMES)) {
    test(`${what} is told as it is, on one line, and its element is clicked`, async () => {
      const { session, poke, heard } = await openPoked(`<button>Other</button><div id="app"></div><script>
        function change() {
          const button = document.createElement('button');
          button.textContent = ${JSON.stringify(name).replaceAll('<', '\\u003c')};
          button.onclick = () => hear('right');
          app.replaceChildren(button);
        }
      </script>`);
      await poke();
      const seen = expectSuccess(await session.snapshot());
      const [ref] = Object.entries(seen.refs ?? {}).find(([, element]) => element.name !== 'Other') ?? [''];
      const line = seen.tree?.split('\n').find(text => text.includes(` ${ref}`)) ?? '';
      const quoted = /"(?:[^"\\]|\\.)*"/.exec(line)?.[0] ?? '""';
      expect(JSON.parse(quoted)).toBe(name);
      expectSuccess(await session.click({ ref }));
      expect(await heard()).toContain('right;');
    });
  }

  test('line breaks and tabs is told on one line', async () => {
    const { seen, session, heard } = await openPoked(`<button onclick="hear('right')">one\n\n\ttwo\r\nthree</button>`);
    expectSuccess(await session.click({ ref: refOf(seen, 'button', 'one two three') }));
    expect(await heard()).toBe('right;');
  });
});

/** A button that names an item and, beneath the agent's hand, names another one. */
const RECYCLED: Record<string, string> = {
  '5,000 characters of which the last differs': `<button onclick="hear('wrong')"></button><script>
    const button = document.querySelector('button'), long = 'x'.repeat(4999);
    button.textContent = long + 'a'; function change() { button.textContent = long + 'b'; }</script>`,
  '5,000 characters of which the last differs, on what is only clickable': `<div style="cursor:pointer" onclick="hear('wrong')"></div><script>
    const button = document.querySelector('div'), long = 'x '.repeat(2499);
    button.textContent = long + 'a'; function change() { button.textContent = long + 'b'; }</script>`,
  'a label that changes': `<label for="f">Alpha</label><input id="f" onclick="hear('wrong')"><script>
    function change() { document.querySelector('label').textContent = 'Beta'; }</script>`,
  'an aria-labelledby that changes': `<b id="l">Alpha</b><button aria-labelledby="l" onclick="hear('wrong')">x</button><script>
    function change() { document.querySelector('b').textContent = 'Beta'; }</script>`,
  'an image': `<button onclick="hear('wrong')"><img alt="Alpha" width="9" height="9"></button><script>
    function change() { document.querySelector('img').alt = 'Beta'; }</script>`,
  'a row that only an image tells from others': `<ul><li><img alt="Alpha"><button onclick="hear('wrong')">Delete</button></li><li><img alt="Gamma"><button>Delete</button></li></ul><script>
    function change() { document.querySelector('img').alt = 'Beta'; }</script>`,
  'a role': `<div role="button" tabindex="0" onclick="hear('wrong')">Go</div><script>
    function change() { document.querySelector('div').setAttribute('role', 'menuitem'); }</script>`,
  'a row in a closed shadow tree': `<x-row></x-row><x-row></x-row><script>
    const labels = [];
    customElements.define('x-row', class extends HTMLElement {
      constructor() { super(); const root = this.attachShadow({ mode: 'closed' });
        root.innerHTML = '<span>Row ' + labels.length + '</span> <button onclick="hear(\\'wrong\\')">Delete</button>'; labels.push(root.querySelector('span')); } });
    function change() { labels[0].textContent = 'Another'; }</script>`,
};

describe('an element that is told apart by', () => {
  for (const [what, html] of Object.entries(RECYCLED)) {
    test(`${what} is not clicked when that has changed`, async () => {
      const { session, seen, poke, heard } = await openPoked(html);
      const [ref] = Object.keys(seen.refs ?? {});
      await poke();
      const result = expectFailure(await session.click({ ref: ref ?? '' }), 'ref_changed');
      expect(result.message).toContain('Nothing was done.');
      expect(await heard()).toBe('');
      expectSuccess(await session.click({ ref: ref ?? '' }));
    });
  }
});
