import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { NO_OTHER_CHANGE } from '../../src/diff/write.js';
import { PageCapture } from '../../src/snapshot/capture.js';
import { expectSuccess, PATIENT } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener({}, { timings: PATIENT });

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
  const DIALOG = `<button onclick="box.style.display = 'block'; box.getBoundingClientRect(); box.classList.add('open')">Open</button>
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

  test.for([
    ['a strip', 'display: flex; transition: transform .4s', 'translateX(-300px)'],
    ['a column', 'transition: transform .4s', 'translateY(-100px)'],
    ['a strip in a frame of its own', 'display: flex; transition: transform .4s', 'translate3d(-300px, 0, 0)'],
  ])('what slides into a box that clips it: %s', async ([, style, to]) => {
    const { session, ref } =
      await openPage(`<style>#strip { width: 300px; ${style} } #strip > div { flex: none; width: 300px; height: 100px }
      .clip { width: 300px; height: 100px; overflow: hidden } .later { visibility: hidden }</style>
      <div class="clip"><div><div id="strip"><div>Fjord <button>Book Fjord</button></div>
      <div class="later">Harbour <button>Book Harbour</button></div></div></div></div>
      <button onclick="strip.style.transform = '${to}'; next.textContent = 'No more'" id="next">Next</button>
      <script>strip.ontransitionend = () => document.querySelector('.later')?.classList.remove('later');</script>`);
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Next') }));
    expect(changes).toContain('button "Book Harbour"');
  });

  test('a dialog that a script fades in a moment later is read three times at most', async () => {
    const { session, ref } =
      await openPage(`<button onclick="setTimeout(() => { box.hidden = false; box.animate({ opacity: [0, 1] }, 300) }, 250)">Open</button>
      <div id="box" role="dialog" aria-label="Sure?" hidden><button>Cancel</button></div>`);
    const captures = vi.spyOn(PageCapture.prototype, 'take');
    onTestFinished(() => captures.mockRestore());
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Open') }));
    expect(changes).toMatch(/dialog "Sure\?"[\s\S]*button "Cancel" @e/);
    expect(captures.mock.calls.length).toBeLessThanOrEqual(3);
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
    const typed = expectSuccess(await session.type({ ref: ref('textbox', 'Filter'), text: 'Be' }));
    const next = expectSuccess(await session.wait({ for: { text: 'Only Be' } }));
    // A listener at the root hears everything, and promises nothing: the next result tells what came.
    expect(listener === 'field' ? typed.changes : `${typed.changes}\n${next.changes}`).toContain('Only Be');
  },
);

test.each([
  ['a column header', '<table><tr><th>Name <input id="field" aria-label="Filter"></th><th>Price</th></tr></table>'],
  [
    'a region of the page',
    '<div role="columnheader" tabindex="0">Name <input id="field" aria-label="Filter"></div><div role="columnheader" tabindex="0">Price</div>',
  ],
  ['a tab', '<div role="tablist"><div role="tab" tabindex="0">Name <input id="field" aria-label="Filter"></div></div>'],
])('what comes of a text in a field by which %s is called', async (_, head) => {
  const { session, ref } = await openPage(`${head}<ul id="list"><li>Alpha<li>Beta</ul><script>
    field.addEventListener('keyup', () => setTimeout(() => { list.innerHTML = '<li>Only ' + field.value; }, 300));</script>`);
  const { changes } = expectSuccess(await session.type({ ref: ref('textbox', 'Filter'), text: 'Be' }));
  expect(changes).toContain('Only Be');
});

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
    expect(changes).toBe('~ appearance changed: <body> (class +dark)');
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
