import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

describe('a choice in what is no list', () => {
  test('presses nothing', async () => {
    const { session, ref, text } = await openPage(`<button onclick="say('paid')">Pay now</button>${OUTPUT}`);
    const result = expectFailure(
      await session.select({ ref: ref('button', 'Pay now'), labels: ['Yes'] }),
      'invalid_input',
    );
    expect(result.message).toContain('is not a list');
    expect(await text()).not.toContain('paid');
  });

  test('that opens something without options tells what it opened', async () => {
    const { session, ref } = await openPage(
      `<button aria-expanded="false" onclick="say('opened'); this.ariaExpanded = 'true'">Details</button>${OUTPUT}`,
    );
    const result = expectFailure(
      await session.select({ ref: ref('button', 'Details'), labels: ['Yes'] }),
      'invalid_input',
    );
    expect(result.message).toContain('even after it was clicked');
    expect(result.changes).toContain('opened');
  });

  test('that has no such option tells what it opened', async () => {
    const { session, ref } =
      await openPage(`<button role="combobox" aria-expanded="false" aria-label="City" onclick="list.hidden = false">Choose</button>
      <ul role="listbox" id="list" hidden><li role="option" tabindex="0">Oslo</li></ul>`);
    const result = expectFailure(
      await session.select({ ref: ref('combobox', 'City'), labels: ['Rome'] }),
      'invalid_input',
    );
    expect(result.changes).toMatch(/option "Oslo" @e\d+/);
  });
});

describe('a choice in a combobox made of other elements', () => {
  const combobox = (
    onChoose: string,
  ) => `<button role="combobox" aria-expanded="false" aria-label="City" id="city">Choose</button>
    <ul role="listbox" id="list" hidden><li role="option" tabindex="0">Oslo</li><li role="option" tabindex="0">Rome</li></ul><p id="beside"></p>
    <script>city.onclick = () => { list.hidden = false };
      list.onclick = ({ target }) => { list.hidden = true; ${onChoose} };</script>`;

  test.each([
    ['in its text', 'city.textContent = target.textContent'],
    ['beside it', 'beside.textContent = target.textContent'],
    ['a moment later', 'setTimeout(() => { city.textContent = target.textContent }, 60)'],
  ])('is told when it shows %s', async (_, onChoose) => {
    const { session, ref } = await openPage(combobox(onChoose));
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'City'), labels: ['Rome'] }));
    expect(result).toMatchObject({ selected: ['Rome'] });
    expect(result.mismatch).toBeUndefined();
  });

  test.each([
    ['nothing', '', 'Choose'],
    ['something else', "city.textContent = 'Oslo'", 'Oslo'],
  ])('is not told when it took %s', async (_, onChoose, shows) => {
    const { session, ref } = await openPage(combobox(onChoose));
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'City'), labels: ['Rome'] }));
    expect(result).toMatchObject({ selected: [shows], mismatch: { expected: 'Rome', actual: shows } });
  });
});

describe('a click that never comes', () => {
  test('because what the field before it says on leaving moves the button away, is told', async () => {
    const { session, ref } = await openPage(
      `<input aria-label="Email" onblur="warning.style.display = 'block'"><div id="warning" role="alert" style="display:none; height:120px">Email is required</div>
       <div><button onclick="say('saved')">Save</button></div>${OUTPUT}`,
    );
    expectSuccess(await session.type({ ref: ref('textbox', 'Email'), text: '' }));
    const save = ref('button', 'Save');
    const result = expectFailure(await session.click({ ref: save }), 'element_blocked');
    expect(result.changes).toContain('Email is required');
    expect(expectSuccess(await session.click({ ref: save })).changes).toContain('saved');
  });

  test('because the button is disabled when the mouse comes, is told', async () => {
    const { session, ref } = await openPage(
      `<button onmouseenter="this.disabled = true" onclick="say('saved')">Save</button>${OUTPUT}`,
    );
    expectFailure(await session.click({ ref: ref('button', 'Save') }), 'element_disabled');
  });

  test('because the press itself moves the button away, is told', async () => {
    const { session, ref } = await openPage(
      `<div id="space"></div><button onmousedown="space.style.height = '200px'" onclick="say('saved')">Save</button>${OUTPUT}`,
    );
    const result = expectFailure(await session.click({ ref: ref('button', 'Save') }), 'element_blocked');
    expect(result.message).toContain('It received no click');
  });

  test.each([
    ['opens something over the button', 'cover.hidden = false; event.preventDefault()'],
    ['takes the button away', "this.remove(); say('chosen')"],
  ])('is no matter when the press itself %s', async (_, onPress) => {
    const { session, ref } = await openPage(
      `<button onmousedown="${onPress}" style="position:absolute; top:50px">Open</button>
       <div id="cover" role="dialog" aria-label="Menu" hidden style="position:absolute; inset:0; background:white">Choices</div>${OUTPUT}`,
    );
    const result = expectSuccess(await session.click({ ref: ref('button', 'Open') }));
    expect(result.changes).toMatch(/Choices|chosen/);
  });
});

test('a form of which no field could be filled fails, and says why for each', async () => {
  const { session, ref } = await openPage('<input disabled aria-label="A"><button>B</button>');
  const fields = [
    { ref: ref('textbox', 'A'), value: 'x' },
    { ref: ref('button', 'B'), value: 'x' },
  ];
  const result = expectFailure(await session.fillForm({ fields }), 'element_disabled');
  expect(result.message).toContain('None of the 2 fields');
  expect(result.fields).toMatchObject([{ code: 'element_disabled' }, { code: 'not_editable' }]);
});

describe('titles', () => {
  test.each([
    [
      'makes an object of it',
      "Object.defineProperty(document, 'title', { value: { toString() { return 'forged' } } })",
    ],
    ['makes it a getter that never ends', "Object.defineProperty(document, 'title', { get() { for (;;); } })"],
    ['names a form after it', "document.body.innerHTML = '<form name=title><button>B</button></form>'"],
  ])('are the real ones on a page that %s', async (_, script) => {
    const { session } = await openPage(`<title>Real</title><h1>Hello</h1><script>${script}</script>`);
    expect(await session.tabs({ action: 'list' })).toMatchObject({ title: 'Real', tabs: [{ title: 'Real' }] });
    expect(await session.snapshot()).toMatchObject({ title: 'Real' });
  });

  test('that are long are cut, and are one line', async () => {
    const { session } = await openPage('<title>Real</title>');
    const other = await openPage(`<title>${'long '.repeat(10_000)}</title><h1>Hello</h1>`);
    const { title, tabs } = expectSuccess(await other.session.tabs({ action: 'list' }));
    expect([title, tabs?.[0]?.title].map(text => (text ?? '').length <= 300)).toEqual([true, true]);
    expect(expectSuccess(await other.session.snapshot()).title?.length).toBeLessThanOrEqual(300);
    expectSuccess(await session.close());
  });
});

test('an error of the console is one line, however the page breaks it', async () => {
  const { session, ref } = await openPage(
    `<button onclick="console.error('one\\rtwo'); console.error('three\\u2028four'); console.error('\\nfive')">B</button>`,
  );
  const { consoleErrors } = expectSuccess(await session.click({ ref: ref('button', 'B') }));
  expect(consoleErrors).toEqual(['one', 'three', 'five']);
});

test('a navigation that is cancelled does not go on', async () => {
  let closed = () => {};
  const gone = new Promise<void>(resolve => {
    closed = resolve;
  });
  const ending = new AbortController();
  const { session, site } = await openPage({
    '/': '<h1>Here</h1>',
    '/slow': (request, _) => {
      request.on('close', closed);
      ending.abort();
    },
  });
  expectFailure(await session.navigate({ url: site.url('/slow') }, { signal: ending.signal }), 'aborted');
  await gone;
  expect(await session.snapshot({ interactiveOnly: false })).toMatchObject({ url: site.url('/') });
});

test('a dialog that opens while the page is read fails the reading', async () => {
  let begin = () => {};
  const { session } = await openPage({
    '/': `<button>B</button><script>fetch('/begin').then(() => {
      const busy = new XMLHttpRequest();
      busy.open('GET', '/busy', false);
      busy.send();
      alert('Late');
    })</script>`,
    '/begin': (_, response) => {
      begin = () => response.end();
    },
    // The page waits for this without doing anything else, and the reading waits for the page.
    '/busy': (_, response) => {
      reading = session.snapshot();
      setTimeout(() => response.end(), 300);
    },
  });
  let reading: ReturnType<typeof session.snapshot> | undefined;
  await expect
    .poll(() => {
      begin();
      return reading;
    })
    .toBeDefined();
  const result = expectFailure((await reading) ?? { success: true }, 'dialog_open');
  expect(result.dialog).toEqual({ type: 'alert', message: 'Late' });
});

test('a button under what its own parent draws over it is told to be covered', async () => {
  const { session, ref } = await openPage(
    `<style>.card { position: relative; width: 200px; height: 80px } .card::after { content: ''; position: absolute; inset: 0 }</style>
     <div class="card"><button>Buy</button></div>`,
  );
  const { message } = expectFailure(await session.click({ ref: ref('button', 'Buy') }), 'element_blocked');
  expect(message).toContain('.card');
  expect(message).not.toContain('pointer-events');
});

describe('controls of one name that a list draws anew as it scrolls', () => {
  const ROW = (
    html: string,
  ): string => `<div id="list" tabindex="0" style="height:150px;overflow:auto"><div id="all" style="height:9000px;position:relative"></div></div><script>
    const draw = () => {
      const from = Math.floor(list.scrollTop / 30);
      all.replaceChildren(...Array.from({ length: 6 }, (_, i) => { const row = document.createElement('div'); const n = from + i;
        row.style.cssText = 'position:absolute;height:30px;left:0;right:0;top:' + n * 30 + 'px'; row.innerHTML = ${JSON.stringify(html)}.replace('#', n); return row; }));
    };
    draw(); list.onscroll = draw;</script>`;

  test.each([
    ['texts before them', '<span>Mail #</span> <i>from Ann</i> <button>Star</button>', 'Mail'],
    ['texts behind them', '<button>Star</button> <b>Song #</b>', 'Song'],
    ['a label of their row', '<div role="listitem">Seat # <button>Star</button></div>', 'Seat'],
  ])('say their rows: %s', async (_, html, word) => {
    const { session, ref } = await openPage(ROW(html));
    const { changes = '' } = expectSuccess(
      await session.scroll({ direction: 'down', amount: 90, ref: ref('button', 'Star') }),
    );
    const lines = changes.split('\n').filter(line => line.includes('button "Star"'));
    expect(lines.length, changes).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(new RegExp(`${word} [1-9]`));
  });
});

test.each([
  ['fades in', '#p{opacity:0;visibility:hidden;transition:opacity .4s} #p.on{opacity:1;visibility:visible}'],
  ['slides down', '#p{max-height:0;overflow:hidden;transition:max-height .4s} #p.on{max-height:200px}'],
  [
    'grows as a grid',
    '#p{display:grid;grid-template-rows:0fr;transition:grid-template-rows .3s} #p>div{overflow:hidden} #p.on{grid-template-rows:1fr}',
  ],
  [
    'comes by an animation',
    '@keyframes in{from{opacity:0}to{opacity:1}} #p{display:none} #p.on{display:block;animation:in .4s}',
  ],
])('the text of a panel that %s is not told as hidden', async (_, style) => {
  const { session, ref } = await openPage(
    `<style>${style}</style><button onclick="p.classList.add('on')">More</button><div id="p"><div><p>Ships in two days</p></div></div>`,
  );
  const { changes = '' } = expectSuccess(await session.click({ ref: ref('button', 'More') }));
  expect(changes).toContain('text "Ships in two days"');
  expect(changes).not.toContain('hidden-text');
});

test.each([
  ['a height', '#p{max-height:0;overflow:hidden} #p.on{max-height:200px}'],
  ['a row of a grid', '#p{display:grid;grid-template-rows:0fr} #p>div{overflow:hidden} #p.on{grid-template-rows:1fr}'],
  ['a width', '#p{width:0;overflow:hidden} #p.on{width:auto}'],
])('a button in a section that %s collapses is there only while it is open', async (_, style) => {
  const { session, ref } = await openPage(
    `<style>${style}</style><button onclick="p.classList.toggle('on')">More</button><div id="p"><div><button>Buy</button></div></div>`,
  );
  const { changes: opened } = expectSuccess(await session.click({ ref: ref('button', 'More') }));
  expect(opened).toMatch(/^\+ button "Buy" @e\d+$/m);
  const { changes: closed } = expectSuccess(await session.click({ ref: ref('button', 'More') }));
  expect(closed).toMatch(/^- button "Buy"/m);
});
