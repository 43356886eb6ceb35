import { afterAll, describe, expect, test } from 'vitest';
import { casePage } from '../case-page.js';
import { expectFailure, expectSuccess, refOf, sharingToolset } from '../fixtures.js';

const toolset = sharingToolset();
const page = casePage(toolset, `<script>function hear(what) { document.title += what + ';'; }</script>`);
const { session } = page;
afterAll(() => toolset.close());

/** Rows that have been read, and that change between that and what the agent does. */
async function openRows(html: string) {
  await page.show(html);
  await page.evaluate("document.title = ''");
  const seen = expectSuccess(await session.snapshot());
  return {
    seen,
    ref: (role: string, name: string): string => refOf(seen, role, name),
    /** Calls a function of the page behind the agent's back. */
    poke: () => page.evaluate('change()'),
    /** What the page has heard so far. */
    heard: () => page.evaluate('document.title'),
  };
}

/** It shows that it was pressed, which ends the wait for a change. */
const DELETE = `<button onclick="hear('deleted'); textContent = 'Deleted'">Delete</button>`;
const set = (script: string): string => `<script>function change() { ${script} }</script>`;
const cells = '<td>x</td>'.repeat(150);

const OTHER = '<button>Delete</button>';

/** Rows that come to mean something else, with the button that acts on them left as it is. */
const RECYCLED: Record<string, string> = {
  'told by another button': `<ul><li><button id="name">Alpha</button> ${DELETE}</li><li><button>Gamma</button> ${OTHER}</li></ul>
    ${set("document.getElementById('name').textContent = 'Beta'")}`,
  'told by aria-label': `<ul><li aria-label="Alpha">${DELETE}</li><li aria-label="Gamma">${OTHER}</li></ul>${set("document.querySelector('li').ariaLabel = 'Beta'")}`,
  'told by the label of what is in it': `<ul><li><span aria-label="Alpha"></span>${DELETE}</li><li><span aria-label="Gamma"></span>${OTHER}</li></ul>
    ${set("document.querySelector('span').ariaLabel = 'Beta'")}`,
  'told by a labelled check box': `<ul><li><input type="checkbox" aria-label="Select Alpha">${DELETE}</li><li><input type="checkbox" aria-label="Select Gamma">${OTHER}</li></ul>
    ${set("document.querySelector('input').ariaLabel = 'Select Beta'")}`,
  'told by the alternative text of a picture': `<ul><li><img alt="Alpha">${DELETE}</li><li><img alt="Gamma">${OTHER}</li></ul>
    ${set("document.querySelector('img').alt = 'Beta'")}`,
  'told by the title of a picture': `<ul><li><img title="Alpha">${DELETE}</li><li><img title="Gamma">${OTHER}</li></ul>
    ${set("document.querySelector('img').title = 'Beta'")}`,
  'of many elements': `<table><tr><td id="name">Alpha</td>${cells}<td>${DELETE}</td></tr><tr><td>Gamma</td>${cells}<td>${OTHER}</td></tr></table>
    ${set("document.getElementById('name').textContent = 'Beta'")}`,
  'that is a large card': `<div class="card"><b>Alpha</b>${'<i></i>'.repeat(150)}${DELETE}</div><div class="card"><b>Gamma</b>${OTHER}</div>
    ${set("document.querySelector('b').textContent = 'Beta'")}`,
  'in one of several parts that are built alike': `<div><div><span>Alpha</span><div>${DELETE}</div></div><div><span>Gamma</span><div>${OTHER}</div></div></div>
    ${set("document.querySelector('span').textContent = 'Beta'")}`,
  'with a badge that others have not': `<div><div><span>Alpha</span><em>New</em><p>Sold soon</p> ${DELETE}</div><div><span>Gamma</span> ${OTHER}</div></div>
    ${set("document.querySelector('span').textContent = 'Beta'")}`,
  'whose neighbour has an error': `<ul><li><span>Alpha</span> ${DELETE}</li><li><span>Gamma</span> ${OTHER}<div class="error"><p>Could <b>not</b> be saved</p></div></li></ul>
    ${set("document.querySelector('span').textContent = 'Beta'")}`,
  'of a grid without rows': `<main style="display: grid; grid-template-columns: 1fr 1fr"><span>Alpha</span>${DELETE}<span>Gamma</span>
    <button onclick="hear('gamma')">Delete</button></main>${set("document.querySelector('span').textContent = 'Beta'")}`,
  'of a grid without rows, below its header': `<main style="display: grid; grid-template-columns: 1fr 1fr"><b>Name</b><b>Action</b><span>Alpha</span>${DELETE}
    <span>Gamma</span>${OTHER}</main>${set("document.querySelector('span').textContent = 'Beta'")}`,
  'of a grid of cells': `<div style="display: grid; grid-template-columns: 1fr 1fr"><div class="cell">Alpha</div><div class="cell">${DELETE}</div>
    <div class="cell">Gamma</div><div class="cell">${OTHER}</div></div>
    ${set("document.querySelector('.cell').textContent = 'Beta'")}`,
  'of a grid whose cells say how many': `<div style="display: grid; grid-template-columns: 1fr 1fr"><div>Alpha</div><div>3 ${DELETE}</div>
    <div>Gamma</div><div>3 ${OTHER}</div></div>${set("document.querySelector('div div').textContent = 'Beta'")}`,
  'that begins with its button': `<div>${DELETE}<span>Alpha</span>${OTHER}<span>Gamma</span></div>${set("document.querySelector('span').textContent = 'Beta'")}`,
  'of two lines of a table': `<table><tr><td>Alpha</td></tr><tr><td>${DELETE}</td></tr><tr><td>Gamma</td></tr><tr><td>${OTHER}</td></tr></table>
    ${set("document.querySelector('td').textContent = 'Beta'")}`,
  'of terms and what belongs to them': `<dl><dt>Alpha</dt><dd>${DELETE}</dd><dt>Gamma</dt><dd>${OTHER}</dd></dl>${set("document.querySelector('dt').textContent = 'Beta'")}`,
  'around a row that says the same as another': `<section><h3>Alpha</h3><ul><li>Size M ${DELETE}</li><li>Size L ${OTHER}</li></ul></section>
    <section><h3>Gamma</h3><ul><li>Size M ${OTHER}</li><li>Size L ${OTHER}</li></ul></section>${set("document.querySelector('h3').textContent = 'Beta'")}`,
  'in a shadow tree': `<x-row></x-row><x-row></x-row><script>for (const [i, row] of document.querySelectorAll('x-row').entries())
    row.attachShadow({ mode: 'open' }).innerHTML = '<b>' + ['Alpha', 'Gamma'][i] + '</b>' + ${JSON.stringify(DELETE)};</script>
    ${set("document.querySelector('x-row').shadowRoot.querySelector('b').textContent = 'Beta'")}`,
  'told by the time of an appointment': `<ul><li><time>10:00</time> ${DELETE}</li><li><time>12:00</time> ${OTHER}</li></ul>
    ${set("document.querySelector('time').textContent = '11:00'")}`,
  'told by a number alone': `<table><tr><td>17</td><td>${DELETE}</td></tr><tr><td>18</td><td>${OTHER}</td></tr></table>
    ${set("document.querySelector('td').textContent = '19'")}`,
  'told by a number within its words': `<ul><li>Item #17 ${DELETE}</li><li>Thing #18 ${OTHER}</li></ul>
    ${set("document.querySelector('li').firstChild.data = 'Item #19 '")}`,
  'told by a date': `<ul><li>Meeting 3/4 ${DELETE}</li><li>Meeting 3/7 ${OTHER}</li></ul>${set("document.querySelector('li').firstChild.data = 'Meeting 3/5 '")}`,
  'told by a number beside the same words': `<ul><li>Order <b>17</b> ${DELETE}</li><li>Order <b>18</b> ${OTHER}</li></ul>
    ${set("document.querySelector('b').textContent = '19'")}`,
  'told by a number in the same words, all of a list that moved on': `<ul><li>Order 17 <i>Ann</i> ${DELETE}</li><li>Order 18 <i>Bo</i> ${OTHER}</li></ul>
    ${set("document.querySelector('li').firstChild.data = 'Order 19 '; document.querySelectorAll('i')[1].textContent = 'Cy'")}`,
  'that keeps its name, of a list that moved on': `<ul><li>Ann <i>queued</i> ${DELETE}</li><li>Bo <i>queued</i> ${OTHER}</li></ul>
    ${set("document.querySelector('i').textContent = 'running'; document.querySelectorAll('li')[1].firstChild.data = 'Cy '")}`,
  'whose difference lies far behind': `<ul><li>${'A long story. '.repeat(40)}<b>Alpha</b> ${DELETE}</li><li>${'A long story. '.repeat(40)}<b>Gamma</b> ${OTHER}</li></ul>
    ${set("document.querySelector('b').textContent = 'Beta'")}`,
};

describe('a row that means something else is not acted on', () => {
  for (const [what, html] of Object.entries(RECYCLED)) {
    test(`a row ${what}`, async () => {
      const { ref, poke, heard } = await openRows(html);
      const button = ref('button', 'Delete');
      await poke();
      const result = expectFailure(await session.click({ ref: button }), 'ref_changed');
      const [was, now] = result.message.split(' and is now ');
      expect(was?.split(' in ')[1], result.message).not.toBe(now?.split(' in ')[1]);
      expect(await heard()).toBe('');
      expectSuccess(await session.click({ ref: button }));
      expect(await heard()).toBe('deleted;');
    });
  }
});

/** Rows that mean what they meant, and what is no row. */
const SAME: Record<string, string> = {
  'whose toggle was pressed': `<ul><li>Alpha <button id="star" aria-pressed="false">Star</button> ${DELETE}</li><li>Gamma <button aria-pressed="false">Star</button> ${OTHER}</li></ul>
    ${set("star.ariaPressed = 'true'; star.textContent = 'Unstar'")}`,
  'whose other button is called otherwise': `<ul><li>Alpha <button id="follow">Follow</button> ${DELETE}</li><li>Gamma <button>Follow</button> ${OTHER}</li></ul>
    ${set("follow.textContent = 'Following'")}`,
  'that is a minute older': `<ul><li>Alpha, 2 min ago ${DELETE}</li><li>Gamma, 2 min ago ${OTHER}</li></ul>
    ${set("document.querySelector('li').firstChild.data = 'Alpha, 3 min ago '")}`,
  'that is older in any language': `<ul><li>Alpha, <time datetime="2024-01-01">vor 2 Tagen</time> ${DELETE}</li><li>Gamma ${OTHER}</li></ul>
    ${set("document.querySelector('time').textContent = 'vor 3 Tagen'")}`,
  'with a clock': `<ul><li>Alpha <span>12:30:59</span> ${DELETE}</li><li>Gamma <span>12:30:59</span> ${OTHER}</li></ul>
    ${set("document.querySelector('span').textContent = '12:31:00'")}`,
  'with a counter beside its name': `<ul><li>Alpha <b>3</b> ${DELETE}</li><li>Gamma <b>3</b> ${OTHER}</li></ul>
    ${set("document.querySelector('b').textContent = '4'")}`,
  'with a counter in words': `<ul><li>Alpha <b>3 likes</b> ${DELETE}</li><li>Gamma <b>5 likes</b> ${OTHER}</li></ul>
    ${set("document.querySelector('b').textContent = '4 likes'")}`,
  'that says how far it is': `<ul><li>Alpha <span role="progressbar">5%</span> ${DELETE}</li><li>Gamma ${OTHER}</li></ul>
    ${set("document.querySelector('span').textContent = '6%'")}`,
  'with a field that the page filled': `<div class="field"><label>City <input id="city"></label> ${DELETE}</div><div class="field"><label>Zip <input></label> ${OTHER}</div>
    ${set("city.value = 'Oslo'")}`,
  'told by the value of a field alone, which the page filled': `<table><tr><td><input aria-label="Name" value="Alpha"></td><td>${DELETE}</td></tr>
    <tr><td><input aria-label="Name" value="Gamma"></td><td>${OTHER}</td></tr></table>${set("document.querySelector('input').value = 'Beta'")}`,
  'with a number that repeats the value of a slider': `<ul><li><input type="range" value="5"><b>5</b> ${DELETE}</li><li><input type="range" value="9"><b>9</b> ${OTHER}</li></ul>
    ${set("document.querySelector('input').value = 11; document.querySelector('b').textContent = 11")}`,
  'whose state, which other rows had as well, is another one': `<table><tr><td>1<td>Ann<td><i>queued</i><td>€ 12.30<td>${DELETE}</tr><tr><td>2<td>Bo<td><i>queued</i><td>€ 9.30<td>${OTHER}</tr></table>
    ${set("for (const state of document.querySelectorAll('i')) state.textContent = 'running at 3 MB/s'")}`,
  'with a dialog that opened in it': `<ul><li>Alpha ${DELETE}</li><li>Gamma ${OTHER}</li></ul>
    ${set("document.querySelector('li').insertAdjacentHTML('beforeend', '<div role=dialog>Really?</div>')")}`,
  'that was moved to the end': `<ul><li>Alpha ${DELETE}</li><li>Gamma ${OTHER}</li></ul>${set("document.querySelector('ul').append(document.querySelector('li'))")}`,
  'that was moved to another list': `<div><h3>To do</h3><ul><li>Alpha ${DELETE}</li><li>Gamma ${OTHER}</li></ul></div><div><h3>Done</h3><ul id="done"><li>Delta ${OTHER}</li></ul></div>
    ${set("done.append(document.querySelector('li'))")}`,
  'that is the only one left': `<ul><li>Alpha ${DELETE}</li><li>Gamma ${OTHER}</li><li>Delta ${OTHER}</li></ul>
    ${set("for (const row of [...document.querySelectorAll('li')].slice(1)) row.remove()")}`,
  'of a grid, and the only one left': `<main><span>Alpha</span>${DELETE}<span>Gamma</span>${OTHER}</main>
    ${set("for (const cell of [...document.querySelectorAll('main > *')].slice(2)) cell.remove()")}`,
  'that was the only one before': `<ul><li>Alpha ${DELETE}</li></ul>${set("document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>Gamma <button>Delete</button></li>')")}`,
  'whose text is cut into other nodes': `<ul><li><span>Order #17</span> ${DELETE}</li><li><span>Order #18</span> ${OTHER}</li></ul>
    ${set("document.querySelector('span').replaceChildren('Order #', document.createComment(''), '17')")}`,
  'with a twin that came': `<ul><li>Alpha ${DELETE}</li><li>Gamma ${OTHER}</li></ul>
    ${set("document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>Alpha <button>Delete</button></li>')")}`,
};

/** What stands alone is no row, whatever it says. */
const ALONE: Record<string, string> = {
  'the only item of a list': `<ul><li><span>Alpha</span> ${DELETE}</li></ul>${set("document.querySelector('span').textContent = 'Beta'")}`,
  'the only row of a table, below its header': `<table><tr><th>Name<th>Action</tr><tr><td>Alpha</td><td>${DELETE}</td></tr></table>
    ${set("document.querySelector('td').textContent = 'Beta'")}`,
  'a form': `<form onsubmit="return false"><p>Alpha</p><span>5</span><span>9</span> ${DELETE}</form>${set("document.querySelector('p').textContent = 'Beta'")}`,
  'one of two parts of a form that are built differently': `<form onsubmit="return false"><div class="part"><h3>Alpha</h3><input aria-label="Name"> ${DELETE}</div>
    <div class="part"><h3>Gamma</h3><select aria-label="Size"><option>S</select> <button type="button">Help</button></div></form>${set("document.querySelector('h3').textContent = 'Beta'")}`,
  'a dialog': `<div role="dialog" aria-label="Sure?"><p>Delete Alpha?</p>${DELETE}</div>${set("document.querySelector('p').textContent = 'Delete Beta?'")}`,
  'one of two dialogs': `<dialog open><p>Delete Alpha?</p>${DELETE}</dialog><dialog><p>Delete Gamma?</p>${OTHER}</dialog>
    ${set("document.querySelector('p').textContent = 'Delete Beta?'")}`,
  'a part of the page': `<section><h2>Alpha</h2>${DELETE}</section><footer><p>Gamma</p></footer>${set("document.querySelector('h2').textContent = 'Beta'")}`,
  'a part of a toolbar beside its title': `<header><div><span>${DELETE}</span></div><div><h2>Alpha</h2></div><div><span><button>Week</button></span></div></header>
    ${set("document.querySelector('h2').textContent = 'Beta'")}`,
  'a part of a toolbar behind its title': `<header><div><h2>Alpha</h2></div><div><span>${DELETE}</span></div><div><span><button>Week</button></span></div></header>
    ${set("document.querySelector('h2').textContent = 'Beta'")}`,
  'a button with an icon before a title': `<header><button title="Delete" onclick="hear('deleted')"><i></i></button><h2>Alpha</h2><button title="Next"><i></i></button></header>
    ${set("document.querySelector('h2').textContent = 'Beta'")}`,
  'a step of a wizard': `<div id="steps"><section><h2>Alpha</h2><input aria-label="Name"></section></div><nav>${DELETE}</nav>
    ${set("steps.innerHTML = '<section><h2>Beta</h2><select aria-label=Size><option>S</select></section>'")}`,
};

describe('a row that means what it meant is acted on', () => {
  for (const [what, html] of Object.entries({ ...SAME, ...ALONE })) {
    test(what in ALONE ? what : `a row ${what}`, async () => {
      const { ref, poke, heard } = await openRows(html);
      const button = ref('button', 'Delete');
      await poke();
      expectSuccess(await session.click({ ref: button }));
      expect(await heard()).toBe('deleted;');
    });
  }

  test('a row of a field that the agent typed into, and of a drop-down that it chose from', async () => {
    const { ref, heard } = await openRows(`<table><tr><td><input aria-label="Name" value="Alpha"></td>
      <td><select aria-label="Size"><option>S<option>M</select></td><td><input type="date" aria-label="Day" value="2024-01-01"></td>
      <td><button onclick="hear('saved')">Save</button></td></tr></table>`);
    const fields = [
      { ref: ref('textbox', 'Name'), value: 'Zoe' },
      { ref: ref('combobox', 'Size'), value: 'M' },
      { ref: ref('textbox', 'Day'), value: '2024-02-02' },
    ];
    expectSuccess(await session.fillForm({ fields, submit: ref('button', 'Save') }));
    expect(await heard()).toBe('saved;');
    expectSuccess(await session.type({ ref: ref('textbox', 'Name'), text: 'Ida' }));
    expectSuccess(await session.click({ ref: ref('button', 'Save') }));
  });
});

describe('a snapshot tells rows', () => {
  test('that are named by aria-label alone', async () => {
    const { seen } = await openRows(
      '<ul><li aria-label="Alpha"><button>Delete</button></li><li aria-label="Beta"><button>Edit</button></li></ul>',
    );
    expect(seen.tree).toContain('listitem "Alpha"');
    expect(seen.tree).toContain('listitem "Beta"');
    expect(seen.tree).toContain(`button "Edit" ${refOf(seen, 'button', 'Edit')}`);
  });

  const CARDS = `<main><h2>Cards</h2><section><h3>Mug</h3><p>Blue</p><button>Add</button></section>
    <section id="second"><h3>Bowl</h3><p>Red</p><button>Add</button></section><p>Foot</p></main>`;

  test.each([
    ['the only other card was removed', "document.getElementById('second').remove()"],
    [
      'all after the first card was removed, from the end',
      "const main = document.querySelector('main'); while (main.lastChild !== document.querySelector('section')) main.lastChild.remove()",
    ],
    ['the only other card became another element', "document.getElementById('second').outerHTML = '<p>Sold</p>'"],
    [
      'another card came to the only one',
      "document.querySelector('h2').insertAdjacentHTML('afterend', document.getElementById('second').outerHTML)",
    ],
    [
      'a word of the other card changed',
      "document.querySelector('#second h3').textContent = 'Mug'; document.querySelector('#second p').textContent = 'Blue'",
    ],
    ['a word between the cards came', "document.getElementById('second').before('New: ')"],
  ])('as a new page has them where %s', async (_, change) => {
    const { poke } = await openRows(`${CARDS}${set(change)}`);
    await poke();
    const kept = expectSuccess(await session.snapshot());
    const markup = await page.evaluate("document.querySelector('main').outerHTML");
    const { seen } = await openRows(`<p>New</p>${markup}`);
    const rowsOf = ({ refs }: typeof kept) =>
      Object.values(refs ?? {}).flatMap(({ role, row }) => (role === 'button' ? [row] : []));
    expect(rowsOf(kept)).toEqual(rowsOf(seen));
    expect(rowsOf(kept).length).toBeGreaterThan(0);
  });

  test('without what their password fields hold', async () => {
    const { ref, poke } = await openRows(`<ul><li><input type="password" value="hunter2">
      <textarea style="-webkit-text-security: disc">hunter3</textarea> <b>Alpha</b> ${DELETE}</li>
      <li><input type="password" value="hunter2"><textarea></textarea> <b>Gamma</b> ${OTHER}</li></ul>${set("document.querySelector('b').textContent = 'Beta'")}`);
    const button = ref('button', 'Delete');
    await poke();
    const result = await session.click({ ref: button });
    expect(JSON.stringify(expectFailure(result, 'ref_changed'))).not.toContain('hunter');
  });
});
