import { describe, expect, test } from 'vitest';
import { NO_CHANGE, NO_OTHER_CHANGE } from '../../src/snapshot/diff-text.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener({}, { sharesSession: true });

/** What a press changes, as a script of the page: all of it can be seen by a person. */
const CHANGES: Record<string, string> = {
  'a text': `text.textContent = 'Text ' + n`,
  'a text in a row': `rows.rows[1].cells[1].textContent = n`,
  'the order of rows that are moved': `list.append(list.firstElementChild)`,
  'the order of rows that are rendered again': `list.innerHTML = [...list.children].reverse().map(item => item.outerHTML).join('')`,
  'the order of rows that are used again': `swap(list.children[0], list.children[1])`,
  'something that comes': `box.insertAdjacentHTML('beforeend', '<p>New ' + n + '</p>')`,
  'something that goes': `box.lastElementChild.remove()`,
  'a state that is pressed': `toggle(flag, 'aria-pressed')`,
  'a state that is selected': `toggle(tab, 'aria-selected')`,
  'a field that is disabled': `field.disabled = !field.disabled`,
  'the value of another field': `field.value = 'Value ' + n`,
  'a check box': `check.checked = !check.checked`,
  'details that open': `more.open = !more.open`,
  'what is hidden': `note.hidden = !note.hidden`,
  'a colour': `swatch.style.background = 'rgb(' + (n * 37 % 255) + ',0,0)'`,
  'a theme': `document.body.classList.toggle('dark')`,
  'a picture': `picture.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=#' + n`,
  'a thing that moves': `dot.style.transform = 'translateX(' + n + 'px)'`,
  progress: `bar.value = n % 100`,
  'a struck out item': `done.classList.toggle('done')`,
};

const DELAYS = [0, 20, 150, 250, 400];
const ROUNDS = 2;

const PAGE = `<style>.dark { background: #222 } .done { text-decoration: line-through } #dot { width: 9px; height: 9px; background: red }</style>
<p id="text">Text</p><table id="rows"><tr><th>Item<th>Count<tr><td>Mug<td>1<tr><td>Pot<td>1</table>
<ul id="list" aria-label="List"><li>Alpha<li>Beta<li>Gamma</ul><div id="box"><p>One</p><p>Two</p><p>Three</p><p>Four</p><p>Five</p><p>Six</p><p>Seven</p></div>
<button id="flag" aria-pressed="false">Flag</button><div role="tablist"><button role="tab" id="tab" aria-selected="false">Tab</button></div>
<input id="field" aria-label="Field"><input type="checkbox" id="check" aria-label="Check"><details id="more"><summary>More</summary>Hidden part</details>
<p id="note">Note</p><div id="swatch" style="width:9px;height:9px"></div><img id="picture" alt="Picture" width="9" height="9"><div id="dot"></div>
<progress id="bar" max="100" value="1" aria-label="Bar"></progress><p id="done">Task</p>
<div id="buttons"></div>
<script>
const toggle = (element, name) => element.setAttribute(name, element.getAttribute(name) !== 'true');
const swap = (one, other) => ([one.textContent, other.textContent] = [other.textContent, one.textContent]);
let n = 0;
const changes = ${JSON.stringify(CHANGES)};
for (const [name, script] of Object.entries(changes)) for (const delay of ${JSON.stringify(DELAYS)}) {
  const button = document.createElement('button');
  button.textContent = name + ' after ' + delay;
  button.onclick = () => { n += 7; const run = () => (0, eval)(script); delay === 0 ? run() : setTimeout(run, delay); };
  buttons.append(button);
}
</script>`;

describe('an action that changes something', () => {
  test('is never said to have changed nothing, however late it does', async () => {
    const { session, ref } = await openPage(PAGE);
    const silent: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of Object.keys(CHANGES)) {
        for (const delay of DELAYS) {
          const label = `${name} after ${delay}`;
          const { changes } = expectSuccess(await session.click({ ref: ref('button', label) }));
          if (changes === NO_CHANGE) silent.push(label);
        }
      }
    }
    expect(silent).toEqual([]);
  }, 300_000);
});

describe('what comes a moment after an action is told with it', () => {
  test('a page that takes the place of this one', async () => {
    const { session, ref } = await openPage({
      '/': `<button onclick="setTimeout(() => { location.href = '/other' }, 250)">Go</button>`,
      '/other': '<title>Other</title><h1>Other page</h1>',
    });
    const result = expectSuccess(await session.click({ ref: ref('button', 'Go') }));
    expect(result).toMatchObject({ navigated: true, wholePage: true });
    expect(result.changes).toContain('heading "Other page"');
  });

  test('a submenu that opens by an animation upon the mouse', async () => {
    const { session, ref } = await openPage(`<style>
      #sub { visibility: hidden; opacity: 0; transition: visibility 0s .3s, opacity .1s .3s }
      nav:hover #sub { visibility: visible; opacity: 1 }
      </style><nav aria-label="Main"><button>Products</button><div id="sub"><a href="#mugs">Mugs</a></div></nav><script></script>`);
    const { changes } = expectSuccess(await session.hover({ ref: ref('button', 'Products') }));
    expect(changes).toMatch(/\+ .*link "Mugs" @e\d+/);
  });

  test('suggestions half a second after the last key', async () => {
    const { session, ref } = await openPage(`<input id="q" aria-label="City"><div id="out"></div><script>
      let timer;
      q.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(() => { out.innerHTML = '<ul><li><a href="#o">Oslo</a></ul>' }, 400) });
      </script>`);
    const { changes } = expectSuccess(await session.type({ ref: ref('textbox', 'City'), text: 'Os' }));
    expect(changes).toMatch(/\+ .*link "Oslo" @e\d+/);
  });

  test('the answer of a form that was filled and sent', async () => {
    const { session, ref } =
      await openPage(`<form onsubmit="event.preventDefault(); setTimeout(() => { say.textContent = 'Sent' }, 300)">
      <input aria-label="Name"><button>Send</button></form><p role="status" id="say"></p>`);
    const fields = [{ ref: ref('textbox', 'Name'), value: 'Ann' }];
    const { changes } = expectSuccess(await session.fillForm({ fields, submit: ref('button', 'Send') }));
    expect(changes).toContain('status "Sent"');
  });
});

describe('what comes or goes by an animation is told as it is afterwards', () => {
  const DIALOG = `<button onclick="box.style.display = 'block'; requestAnimationFrame(() => box.classList.add('open'))">Open</button>
    <div id="box" role="dialog" aria-label="Sure?" style="position: fixed; top: 40px; background: #fff; display: none">
      <p>Delete all of it?</p><button onclick="box.classList.remove('open')">Cancel</button></div>
    <script>box.ontransitionend = () => { if (!box.classList.contains('open')) box.style.display = 'none'; }</script>`;

  test.for([
    ['fades', '#box { opacity: 0; transition: opacity .4s } #box.open { opacity: 1 }'],
    [
      'slides',
      '#box { left: 0; transform: translateX(-500px); transition: transform .4s } #box.open { transform: none }',
    ],
  ])('a dialog that %s', async ([, style]) => {
    const { session, ref, read } = await openPage(`<style>${style}</style>${DIALOG}`);
    const opened = expectSuccess(await session.click({ ref: ref('button', 'Open') }));
    expect(opened.changes).toMatch(/dialog "Sure\?"[\s\S]*button "Cancel" @e/);
    expect(opened.changes).not.toContain('hidden-text');
    await read();
    const closed = expectSuccess(await session.click({ ref: ref('button', 'Cancel') }));
    expect(closed.changes).toContain('- dialog "Sure?" closed');
  });

  test('one that repeats itself is not waited for', async () => {
    const { session, ref } = await openPage(`<style>@keyframes blink { from { opacity: 0 } }</style>
      <p style="animation: blink 1s infinite">Live</p><p id="text">Text</p><button onclick="text.textContent = 'New'">Go</button>`);
    expect(expectSuccess(await session.click({ ref: ref('button', 'Go') })).changes).toContain('New');
  });
});

test('the answer to a button that is disabled until it comes', async () => {
  const { session, ref } = await openPage(`<button id="save">Save</button><p id="say" role="status"></p><script>
    save.onclick = () => {
      save.disabled = true;
      save.textContent = 'Saving…';
      setTimeout(() => { say.textContent = 'That name is taken'; save.disabled = false; }, 300);
    };</script>`);
  const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Save') }));
  expect(changes).toContain('That name is taken');
});

test.for(['field', 'root', 'document'])(
  'what comes of a text after a pause, in a page that listens for it at the %s, as frameworks do',
  async listener => {
    const { session, ref } = await openPage(`<div id="root"><label>Filter <input id="field"></label>
      <ul id="list"><li>Alpha<li>Beta</ul></div><script>
      let timer;
      const filter = () => { list.innerHTML = '<li>Only ' + field.value; };
      (${listener}).addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(filter, 300); });
      document.addEventListener('keydown', () => undefined);</script>`);
    const { changes } = expectSuccess(await session.type({ ref: ref('textbox', 'Filter'), text: 'Be' }));
    expect(changes).toContain('Only Be');
  },
);

test('options that a page which listens at its root offers for what is typed key by key', async () => {
  const { session, ref } = await openPage(`<div id="root"><input aria-label="City"><div id="box"></div></div><script>
    root.addEventListener('input', () => setTimeout(() => {
      box.innerHTML = '<div role="listbox"><div role="option" tabindex="0">Oslo</div></div>';
    }, 400));</script>`);
  const result = expectSuccess(await session.type({ ref: ref('textbox', 'City'), text: 'Os', slowly: true }));
  expect(result.suggestions).toMatchObject([{ name: 'Oslo' }]);
});

test('a field that nobody listens to is not waited for, and what it holds is told once', async () => {
  const { session, ref } = await openPage(`<input aria-label="Name"><script>
    document.addEventListener('keydown', () => undefined);</script>`);
  const result = expectSuccess(await session.type({ ref: ref('textbox', 'Name'), text: 'Ann' }));
  expect(result.value).toBe('Ann');
  expect(result.changes).toBe(NO_OTHER_CHANGE);
});

describe('how things look is told in words', () => {
  const EDITOR = `<div contenteditable="true" role="textbox" aria-label="Text" id="t">one word more</div>
    <button onmousedown="event.preventDefault()" onclick="document.execCommand('underline')">Underline</button>
    <script>
      const range = document.createRange();
      range.setStart(t.firstChild, 4); range.setEnd(t.firstChild, 8);
      const choose = () => { getSelection().removeAllRanges(); getSelection().addRange(range) };
    </script><button onclick="t.focus(); choose()">Choose</button>`;

  test('of a selection', async () => {
    const { session, ref } = await openPage(EDITOR);
    const chosen = expectSuccess(await session.click({ ref: ref('button', 'Choose') }));
    expect(chosen.changes).toContain('selected "word"');
    const drawn = expectSuccess(await session.click({ ref: ref('button', 'Underline') }));
    expect(drawn.changes).toContain('underlined "word"');
    const back = expectSuccess(await session.click({ ref: ref('button', 'Underline') }));
    expect(back.changes).toContain('no longer underlined "word"');
  });

  test('of what a double click selects', async () => {
    const { session, ref } = await openPage('<div role="button" tabindex="0">Hello</div><script></script>');
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Hello'), clickCount: 2 }));
    expect(changes).toContain('selected "Hello"');
  });

  test('of what was acted on', async () => {
    const { session, ref } = await openPage(
      `<style>.done { text-decoration: line-through }</style><div role="button" tabindex="0" onclick="this.classList.toggle('done')">Task</div>`,
    );
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Task') }));
    expect(changes).toMatch(/struck through button "Task" @e\d+/);
  });

  test('of what was acted on once, and not where its new state says it', async () => {
    const { session, ref } = await openPage(
      `<style>.on { font-weight: bold }</style><div id="list" role="listbox" aria-label="Colour"><div id="row"><div role="option" tabindex="0" aria-selected="false">Red</div></div>
       <div role="option" tabindex="0" id="blue">Blue</div></div>
       <script>
         const mark = (...elements) => { for (const element of elements) element.classList.toggle('on'); };
         row.onclick = ({ target }) => { target.ariaSelected = 'true'; mark(row, list, target); };
         blue.onclick = () => mark(list, blue);
       </script>`,
    );
    const red = expectSuccess(await session.click({ ref: ref('option', 'Red') }));
    expect(red.changes).toMatch(/^~ {3}option "Red" @e\d+ focused selected$/m);
    expect(red.changes).not.toContain('bold');
    const blue = expectSuccess(await session.click({ ref: ref('option', 'Blue') }));
    expect(blue.changes?.match(/Blue/g)).toHaveLength(1);
  });

  test('of what was acted on and is not listed any more, by what it is', async () => {
    const { session, ref } = await openPage(
      `<style>.on { font-weight: bold }</style><div role="button" tabindex="0" onclick="this.classList.add('on'); this.removeAttribute('role'); this.removeAttribute('tabindex'); this.onclick = null">Red</div>`,
    );
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Red') }));
    expect(changes).not.toContain('""');
  });

  test('of what it changed, be it around what was acted on', async () => {
    const { session, ref } = await openPage(`<button onclick="document.body.classList.add('dark')">Dark</button>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Dark') }));
    expect(changes).toBe('~ looks other than before: <body> (class +dark)');
  });

  test('of the title of the page, where nothing else says what came of it', async () => {
    const { session, ref } = await openPage(
      `<button onclick="setTimeout(() => { document.title = 'Inbox (1)' }, 250)">Check</button>
       <button onclick="document.title = 'Sent'; document.body.append('Your mail is on its way')">Send</button>`,
    );
    const checked = expectSuccess(await session.click({ ref: ref('button', 'Check') }));
    expect(checked.changes).toBe('~ page is now titled "Inbox (1)"');
    const sent = expectSuccess(await session.click({ ref: ref('button', 'Send') }));
    expect(sent.changes).toBe('+ text "Your mail is on its way"');
    expect(sent.title).toBe('Sent');
  });

  test('a password that is selected is not told', async () => {
    const { session, ref } = await openPage(
      `<input type="password" aria-label="Pw" value="hunter2" onclick="this.select()">`,
    );
    expect(JSON.stringify(await session.click({ ref: ref('textbox', 'Pw') }))).not.toContain('hunter2');
  });
});
