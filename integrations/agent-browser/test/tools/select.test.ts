import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();
/** Whose actions outlast a test. */
const patient = pageOpener({ timeout: 60_000 });

const SIZES = `<select aria-label="Size" onchange="document.title = this.value">
  <option value="">Choose</option><optgroup label="Adults"><option value="s">Small</option><option value="l"> Large  one </option></optgroup>
  <optgroup label="Children" disabled><option value="xs">Tiny</option></optgroup><option value="xl" disabled>Huge</option></select>`;

describe('a native drop-down list', () => {
  test.each([
    [{ values: ['s'] }, 'Small'],
    [{ labels: ['Small'] }, 'Small'],
    [{ labels: ['Large one'] }, 'Large one'],
    [{ indexes: [2] }, 'Large one'],
  ])('is selected by %j', async (choice, label) => {
    const { session, ref } = await openPage(SIZES);
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Size'), ...choice }));
    expect(result.selected).toEqual([label]);
    // What the list holds is told once, as its choice; the page's own title is what else changed.
    expect(result.changes).toBe(`~ page is now titled "${label[0]?.toLowerCase()}"`);
  });

  test('is set back to an empty value', async () => {
    const { session, ref } = await openPage(SIZES.replace('value="s"', 'value="s" selected'));
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Size'), values: [''] }));
    expect(result.selected).toEqual(['Choose']);
  });

  test('lists its options without a choice', async () => {
    const { session, ref } = await openPage(SIZES);
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Size') }));
    expect(result.selected).toEqual(['Choose']);
    expect(result.options).toContainEqual({ value: 'l', label: 'Large one', selected: false, disabled: false });
    expect(result.options?.filter(option => option.disabled).map(option => option.label)).toEqual(['Tiny', 'Huge']);
  });

  test.each([
    [{ labels: ['Medium'] }, 'labels: REF has no option "Medium"; it has "Choose" ("") selected, "Small" ("s")'],
    [{ values: ['m'] }, 'values: REF has no option "m"'],
    [{ indexes: [9] }, 'indexes: REF has no option 9'],
    [{ labels: ['Huge'] }, 'labels: the option "Huge" of REF is disabled'],
    [{ labels: ['Tiny'] }, 'labels: the option "Tiny" of REF is disabled'],
    [{ values: ['s', 'l'] }, 'values: REF accepts one option, not 2'],
  ])('says at once that it cannot take %j, and lists what it can', async (choice, message) => {
    const { session, ref } = await patient.openPage(SIZES);
    const size = ref('combobox', 'Size');
    const result = expectFailure(await session.select({ ref: size, ...choice }), 'invalid_input');
    expect(result.message).toContain(message.replace('REF', size));
  });

  test('takes several options where it may', async () => {
    const { session, ref } = await openPage(
      '<select multiple aria-label="Tags"><option>Red<option selected>Green<option>Blue</select>',
    );
    const field = ref('listbox', 'Tags');
    expect(await session.select({ ref: field, labels: ['Red', 'Blue'] })).toMatchObject({ selected: ['Red', 'Blue'] });
    expect(await session.select({ ref: field, values: [] })).toMatchObject({ selected: [] });
  });

  test.each([
    ['draws it anew', "outerHTML = outerHTML.replace('Month', 'Month of the year')"],
    ['takes it away', 'remove()'],
    ['puts a text in its place', "replaceWith(value + ' it is')"],
  ])('tells what was chosen where the page %s', async (_, act) => {
    const { session, ref } = await openPage(
      `<select aria-label="Month" onchange="${act}"><option>May<option>June<option>July</select>`,
    );
    const field = ref('combobox', 'Month');
    expect(await session.select({ ref: field, labels: ['July'] })).toMatchObject({ success: true, selected: ['July'] });
  });

  test('that leads to another page tells it', async () => {
    const { session, site, ref } = await openPage({
      '/': '<select aria-label="Go" onchange="location.href = this.value"><option>Here<option value="/there">There</select>',
      '/there': '<h1>There</h1>',
    });
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Go'), labels: ['There'] }));
    expect(result).toMatchObject({ navigated: true, url: site.url('/there') });
  });

  test('that is disabled says so', async () => {
    const { session, ref } = await openPage('<select disabled aria-label="Size"><option>One</select>');
    expectFailure(await session.select({ ref: ref('combobox', 'Size'), labels: ['One'] }), 'element_disabled');
  });
});

const LISTBOX = (extra = ''): string => `<div role="listbox" aria-label="Colour" ${extra}>
  <div role="option" tabindex="0" aria-selected="true">Red</div><div role="option" tabindex="0" aria-selected="false">Green</div>
  <div role="option" tabindex="0" aria-disabled="true">Blue</div></div>
  <script>document.querySelector('[role=listbox]').onclick = ({ target }) => {
    if (!document.querySelector('[aria-multiselectable]')) for (const option of document.querySelectorAll('[role=option]')) option.setAttribute('aria-selected', 'false');
    target.setAttribute('aria-selected', String(target.getAttribute('aria-selected') !== 'true'));
  }</script>`;

describe('a list box made of other elements', () => {
  test('is selected by what its options say', async () => {
    const { session, read } = await openPage(LISTBOX('tabindex="0"'));
    const list = /listbox "Colour" (@e\d+)/.exec(await read())?.[1] ?? '';
    const result = expectSuccess(await session.select({ ref: list, labels: ['Green'] }));
    expect(result.selected).toEqual(['Green']);
    expect(result.options).toContainEqual({ value: 'Blue', label: 'Blue', selected: false, disabled: true });
  });

  test('where several can be selected leaves what is as wanted alone', async () => {
    const { session, read } = await openPage(LISTBOX('tabindex="0" aria-multiselectable="true"'));
    const list = /listbox "Colour" (@e\d+)/.exec(await read())?.[1] ?? '';
    expect(await session.select({ ref: list, labels: ['Red', 'Green'] })).toMatchObject({ selected: ['Red', 'Green'] });
    expect(await session.select({ ref: list, labels: ['Green'] })).toMatchObject({ selected: ['Green'] });
  });

  test('says what it has not', async () => {
    const { session, read } = await openPage(LISTBOX('tabindex="0"'));
    const list = /listbox "Colour" (@e\d+)/.exec(await read())?.[1] ?? '';
    const unknown = expectFailure(await session.select({ ref: list, labels: ['Pink'] }), 'invalid_input');
    expect(unknown.message).toContain('has no option "Pink"; it has "Red" selected, "Green", "Blue" disabled');
    const disabled = expectFailure(await session.select({ ref: list, labels: ['Blue'] }), 'invalid_input');
    expect(disabled.message).toContain('is disabled');
  });
});

/** A closed combobox whose options show somewhere else in the document; another list is always there. */
const PORTAL = (
  relation: string,
): string => `<ul role="listbox" aria-label="Other"><li role="option" tabindex="0">Oslo</li></ul>
  <button role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-label="City" id="city" ${relation}>Choose</button>
  <script>city.onclick = () => {
    document.getElementById('pop')?.remove();
    document.body.insertAdjacentHTML('beforeend', '<div id="pop" role="listbox"><div role="option" tabindex="-1">Oslo</div><div role="option" tabindex="-1">Bergen</div></div>');
    pop.onclick = ({ target }) => { city.textContent = target.textContent; pop.remove(); };
  };
  addEventListener('keydown', ({ key }) => key === 'Escape' && document.getElementById('pop')?.remove())</script>`;

describe('a closed combobox', () => {
  test.each(['aria-controls="pop"', ''])('is opened, and its own options are taken (%j)', async relation => {
    const { session, ref } = await openPage(PORTAL(relation));
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'City'), labels: ['Bergen'] }));
    expect(result.selected).toEqual(['Bergen']);
    expect(result.options?.map(({ label }) => label)).toEqual(['Oslo', 'Bergen']);
    expect(await session.snapshot({ interactiveOnly: false })).toMatchObject({
      tree: expect.stringContaining('Bergen'),
    });
  });

  test('is closed again when its options were only listed', async () => {
    const { session, ref, read } = await openPage(PORTAL(''));
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'City') }));
    expect(result.options?.map(({ label }) => label)).toEqual(['Oslo', 'Bergen']);
    expect(await read()).not.toContain('Bergen');
  });

  test('waits for options that come late', async () => {
    const html = PORTAL('')
      .replace('city.onclick = () => {', 'city.onclick = () => setTimeout(() => {')
      .replace('};\n  addEventListener', '}, 300);\n  addEventListener');
    const { session, ref } = await openPage(html);
    expect(await session.select({ ref: ref('combobox', 'City'), labels: ['Bergen'] })).toMatchObject({
      selected: ['Bergen'],
    });
  });
});

/** A drop-down for several; what was chosen is its text. `chosen` is done after each choice. */
const TAGS = ({ chosen = '', around = '' } = {}): string => `${around}
  <div role="combobox" id="tags" aria-label="Tags" aria-haspopup="listbox" aria-expanded="false" aria-controls="list" tabindex="0">None</div>
  <div id="place"></div><script>
  const picks = new Set(), names = ['Alpha', 'Beta', 'Gamma'];
  const show = open => { tags.setAttribute('aria-expanded', open); place.innerHTML = open ? '<ul role="listbox" id="list" aria-multiselectable="true">'
    + names.map(name => '<li role="option" aria-selected="' + picks.has(name) + '">' + name + '</li>').join('') + '</ul>' : ''; };
  const isOpen = () => tags.getAttribute('aria-expanded') === 'true';
  tags.onmousedown = () => show(!isOpen());
  place.onclick = ({ target }) => { const name = target.textContent; if (!picks.delete(name)) picks.add(name);
    tags.textContent = names.filter(each => picks.has(each)).join() || 'None'; show(true); ${chosen} };</script>`;

describe('a drop-down that takes several options', () => {
  test.each([
    ['stays open', ''],
    ['closes', 'show(false)'],
  ])('is given each, and is closed afterwards, where it %s at a choice', async (_, chosen) => {
    const { session, ref, evaluate } = await openPage(TAGS({ chosen }));
    const field = ref('combobox', 'Tags');
    expect(await session.select({ ref: field, labels: ['Alpha', 'Gamma'] })).toMatchObject({
      success: true,
      selected: ['Alpha', 'Gamma'],
    });
    expect(await evaluate('[tags.textContent, isOpen()]')).toEqual(['Alpha,Gamma', false]);
    const again = expectSuccess(await session.select({ ref: field, labels: ['Gamma', 'Beta'] }));
    expect(again).toMatchObject({ selected: expect.arrayContaining(['Beta', 'Gamma']) });
    expect(again.mismatch).toBeUndefined();
    expect(await evaluate('[tags.textContent, isOpen()]')).toEqual(['Beta,Gamma', false]);
  });

  test('is closed without Escape in a dialog, which that would close', async () => {
    const { session, ref, evaluate } = await openPage(
      TAGS({ around: '<dialog id="box" style="top: 0; margin: 0"><p>Choose</p></dialog>' }).replace(
        '</script>',
        'box.append(tags, place); box.showModal();</script>',
      ),
    );
    expectSuccess(await session.select({ ref: ref('combobox', 'Tags'), labels: ['Alpha', 'Beta'] }));
    expect(await evaluate('[tags.textContent, isOpen(), box.open]')).toEqual(['Alpha,Beta', false, true]);
  });
});

test('a drop-down is closed again when the choice is refused', async () => {
  const { session, ref, evaluate } = await openPage(TAGS().replace(' aria-multiselectable="true"', ''));
  const field = ref('combobox', 'Tags');
  const several = expectFailure(await session.select({ ref: field, labels: ['Alpha', 'Beta'] }), 'invalid_input');
  expect(several.message).toContain('accepts one option, not 2');
  expect(await evaluate('isOpen()')).toBe(false);
  expectFailure(await session.select({ ref: field, labels: ['Pink'] }), 'invalid_input');
  expect(await evaluate('isOpen()')).toBe(false);
});

/** The options that a screen reader is told of are those beside the active one; others are to be seen, without a role. */
const UNMARKED = (chosen = 'show(false)'): string => `
  <input role="combobox" id="land" aria-label="Country" aria-haspopup="listbox" aria-expanded="false" aria-controls="told" readonly>
  <div id="pop" hidden><div role="listbox" id="told" style="height: 0; width: 0; overflow: hidden">
    <div role="option" aria-label="Norway" aria-selected="false">no</div><div role="option" aria-label="Sweden" aria-selected="false">se</div></div>
    ${['Norway', 'Sweden', 'Denmark'].map(name => `<div class="item" style="cursor: pointer"><div>${name}</div></div>`).join('')}</div>
  <script>const show = open => { pop.hidden = !open; land.setAttribute('aria-expanded', open); }, picks = [];
  land.onmousedown = () => show(pop.hidden);
  for (const item of document.querySelectorAll('.item')) item.onclick = () => { picks.push(item.textContent); land.value = picks.join(); ${chosen} };</script>`;

describe('a drop-down whose options have no role', () => {
  test.each(['Norway', 'Denmark'])('takes %s, which it shows', async name => {
    const { session, ref } = await openPage(UNMARKED());
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Country'), labels: [name] }));
    expect(result).toMatchObject({ selected: [name] });
    expect(result.mismatch).toBeUndefined();
    expect(result.options?.map(({ label }) => label)).toEqual(['Norway', 'Sweden', 'Denmark']);
  });

  test('is known for what it offers where it is open already', async () => {
    const { session, ref, read } = await openPage(UNMARKED());
    expectSuccess(await session.click({ ref: ref('combobox', 'Country') }));
    await read();
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Country'), labels: ['Denmark'] }));
    expect(result).toMatchObject({ selected: ['Denmark'] });
  });

  test('takes several where it stays open, and says so where it does not', async () => {
    const open = await openPage(UNMARKED(''));
    const labels = ['Norway', 'Denmark'];
    const several = await open.session.select({ ref: open.ref('combobox', 'Country'), labels });
    expect(several).toMatchObject({ success: true, selected: labels });
    expect(await open.evaluate('[land.value, pop.hidden]')).toEqual(['Norway,Denmark', true]);
    const closing = await openPage(UNMARKED());
    const one = await closing.session.select({ ref: closing.ref('combobox', 'Country'), labels });
    expect(expectFailure(one, 'invalid_input').message).toContain('closed when the first was chosen');
  });

  test('tells what it shows where that is no choice', async () => {
    const { session, ref } = await openPage(UNMARKED("land.value = ''; show(false)"));
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Country'), labels: ['Denmark'] }));
    expect(result.mismatch).toMatchObject({ expected: 'Denmark' });
  });
});

test.each([
  ['a label that listens', '<span id="face" style="display:block; width:200px" onclick="open_()">Regions</span>'],
  ['a button in its box', '<button id="face" style="width:200px" onclick="open_()">Regions</button>'],
  ['a box with a cursor', '<div id="face" style="cursor:pointer; width:200px" onclick="open_()">Regions ▾</div>'],
])('a field that the mouse passes through is opened by what shows it: %s', async (_, face) => {
  const { session, ref } = await openPage(`<div style="position:relative; width:200px">
    <input role="combobox" readonly aria-label="Regions" aria-expanded="false" aria-haspopup="listbox" aria-controls="list"
      style="position:absolute; left:4px; top:4px; width:20px; height:8px; opacity:0; pointer-events:none">${face}
    <ul id="list" role="listbox" hidden><li role="option" onclick="choose(this)">Alsace</li><li role="option" onclick="choose(this)">Loire</li></ul></div>
    <script>const field = document.querySelector('input');
    function open_() { list.hidden = false; field.ariaExpanded = 'true'; }
    function choose(option) { for (const one of list.children) one.ariaSelected = String(one === option); list.hidden = true; field.ariaExpanded = 'false'; field.value = option.textContent; }</script>`);
  const chosen = expectSuccess(await session.select({ ref: ref('combobox', 'Regions'), labels: ['Loire'] }));
  expect(chosen.selected).toEqual(['Loire']);
});

test('a combobox that only Down Arrow opens is opened', async () => {
  const { session, ref } =
    await openPage(`<input id="who" role="combobox" aria-label="Who" aria-expanded="false" aria-controls="all">
    <div id="all" role="listbox" hidden><div role="option">Wade</div><div role="option">Tom</div></div><script>
    const show = open => { all.hidden = !open; who.ariaExpanded = String(open); };
    who.onkeydown = ({ key }) => key === 'ArrowDown' && show(true);
    all.onclick = ({ target }) => { who.value = target.textContent; show(false); };</script>`);
  const result = expectSuccess(await session.select({ ref: ref('combobox', 'Who'), labels: ['Tom'] }));
  expect(result).toMatchObject({ selected: ['Tom'] });
});

test('an element without options says so', async () => {
  const { session, ref } = await openPage('<button>Plain</button>');
  const result = expectFailure(await session.select({ ref: ref('button', 'Plain'), labels: ['x'] }), 'invalid_input');
  expect(result.message).toContain('has no options');
});

/** A drop-down in front of a native one that it keeps for the form, as Choices.js has it: its choice is an option of its own. */
const IN_FRONT = `
  <select id="form" aria-label="City" tabindex="-1" style="opacity:0; pointer-events:none; position:absolute">
    <option>Rome</option><option>Oslo</option><option>Paris</option></select>
  <div role="combobox" id="city" aria-label="City" tabindex="0" aria-expanded="false" style="width:200px">
    <div role="listbox"><div role="option" aria-selected="true" id="choice">Rome</div></div>
    <div id="menu" role="listbox" hidden></div>
  </div>
  <script>
    const show = open => { menu.hidden = !open; city.setAttribute('aria-expanded', open);
      menu.innerHTML = open ? ['Oslo', 'Paris', 'Rome'].map(name => '<div role="option" aria-selected="false">' + name + '</div>').join('') : '' };
    city.onclick = () => show(menu.hidden);
    menu.onclick = event => { event.stopPropagation(); choice.textContent = form.value = event.target.textContent; show(false) };
  </script>`;

describe('a drop-down in front of a native one', () => {
  test('is told alone, and opened for a choice that it does not show yet', async () => {
    const { session, read, evaluate } = await openPage(IN_FRONT);
    const tree = await read();
    expect(tree.match(/combobox/g)).toHaveLength(1);
    const field = /combobox "City" (@e\d+)/.exec(tree)?.[1] ?? '';
    const result = expectSuccess(await session.select({ ref: field, labels: ['Paris'] }));
    expect([result.selected, result.mismatch]).toEqual([['Paris'], undefined]);
    expect(await evaluate('[form.value, choice.textContent, menu.hidden]')).toEqual(['Paris', 'Paris', true]);
    expect(await session.select({ ref: field, labels: ['Rome'] })).toMatchObject({ selected: ['Rome'] });
    expect(await evaluate('form.value')).toBe('Rome');
  });

  test('is told alone where the native list of several is cut away', async () => {
    const { read } = await openPage(
      IN_FRONT.replace('<select id="form"', '<select id="form" multiple').replace(
        /style="opacity[^"]*"/,
        'style="position:absolute; width:1px; border:0; padding:0; clip-path:inset(50%)"',
      ),
    );
    expect(await read()).not.toContain('options=');
  });

  test('leaves a native one to press that the page draws itself', async () => {
    const { session, ref, evaluate } = await openPage(
      `<div style="position:relative">Rome<select id="form" aria-label="City" style="position:absolute; inset:0; opacity:0">
        <option>Rome</option><option>Oslo</option></select></div>`,
    );
    expectSuccess(await session.select({ ref: ref('combobox', 'City'), labels: ['Oslo'] }));
    expect(await evaluate('form.value')).toBe('Oslo');
  });
});

test('an option that is marked for the keys alone stays out of a choice of several', async () => {
  const { session, ref, evaluate } = await openPage(`
    <div id="chips"></div><input role="combobox" id="langs" aria-label="Languages" aria-expanded="false">
    <div id="menu" role="listbox" aria-multiselectable="true"></div>
    <script>
      const chosen = [], names = ['C', 'Go', 'Rust'];
      const show = open => { langs.setAttribute('aria-expanded', open);
        const left = open ? names.filter(name => !chosen.includes(name)) : [];
        menu.innerHTML = left.map((name, i) => '<div role="option" aria-selected="' + (i === 0) + '">' + name + '</div>').join('') };
      langs.onclick = () => show(true);
      langs.onkeydown = event => event.key === 'Escape' && show(false);
      menu.onclick = event => { chosen.push(event.target.textContent); show(true);
        chips.innerHTML = chosen.map(name => '<button>' + name + ' ×</button>').join('') };
    </script>`);
  const result = expectSuccess(await session.select({ ref: ref('combobox', 'Languages'), labels: ['Go'] }));
  expect([result.selected, result.mismatch]).toEqual([['Go'], undefined]);
  expect(await evaluate('chosen')).toEqual(['Go']);
});
