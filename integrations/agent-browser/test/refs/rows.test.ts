import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess, refOf } from '../fixtures.js';
import { openPoked } from './poked-page.js';

const DELETE = `<button onclick="hear('deleted')">Delete</button>`;
const set = (script: string): string => `<script>function change() { ${script} }</script>`;
const cells = '<td>x</td>'.repeat(150);

/** Rows that come to mean something else, with the button that acts on them left as it is. */
const RECYCLED: Record<string, string> = {
  'told by another button': `<ul><li><button id="name">Alpha</button> ${DELETE}</li></ul>${set("document.getElementById('name').textContent = 'Beta'")}`,
  'told by the value of a field': `<table><tr><td><input aria-label="Name" value="Alpha"></td><td>${DELETE}</td></tr></table>
    ${set("document.querySelector('input').value = 'Beta'")}`,
  'told by the value of a labelled field': `<table><tr><td>Name <input value="Alpha"></td><td>${DELETE}</td></tr></table>
    ${set("document.querySelector('input').value = 'Beta'")}`,
  'told by a drop-down': `<ul><li><select aria-label="Who"><option>Alpha<option>Beta</select> ${DELETE}</li></ul>
    ${set("document.querySelector('select').selectedIndex = 1")}`,
  'told by aria-label': `<ul><li aria-label="Alpha">${DELETE}</li></ul>${set("document.querySelector('li').ariaLabel = 'Beta'")}`,
  'told by the label of what is in it': `<ul><li><span aria-label="Alpha"></span>${DELETE}</li></ul>
    ${set("document.querySelector('span').ariaLabel = 'Beta'")}`,
  'told by a labelled check box': `<ul><li><input type="checkbox" aria-label="Select Alpha">${DELETE}</li></ul>
    ${set("document.querySelector('input').ariaLabel = 'Select Beta'")}`,
  'told by the alternative text of a picture': `<ul><li><img alt="Alpha">${DELETE}</li></ul>${set("document.querySelector('img').alt = 'Beta'")}`,
  'told by the title of a picture': `<ul><li><img title="Alpha">${DELETE}</li></ul>${set("document.querySelector('img').title = 'Beta'")}`,
  'of more elements than rows have': `<table><tr><td id="name">Alpha</td>${cells}<td>${DELETE}</td></tr></table>
    ${set("document.getElementById('name').textContent = 'Beta'")}`,
  'that is a large card': `<div class="card"><b>Alpha</b>${'<i></i>'.repeat(150)}${DELETE}</div><div class="card"><b>Gamma</b></div>
    ${set("document.querySelector('b').textContent = 'Beta'")}`,
  'that is the only one': `<div><div>Alpha ${DELETE}</div></div>${set("document.querySelector('div div').firstChild.data = 'Beta '")}`,
  'that is the only one, in parts': `<div id="list"><div><span>Alpha</span><div>${DELETE}</div></div></div>
    ${set("document.querySelector('span').textContent = 'Beta'")}`,
  'of a grid without rows': `<main style="display: grid; grid-template-columns: 1fr 1fr"><span>Alpha</span>${DELETE}<span>Gamma</span>
    <button onclick="hear('gamma')">Delete</button></main>${set("document.querySelector('span').textContent = 'Beta'")}`,
  'of a grid of cells': `<div style="display: grid; grid-template-columns: 1fr 1fr"><div class="cell">Alpha</div><div class="cell">${DELETE}</div>
    <div class="cell">Gamma</div><div class="cell"><button>Delete</button></div></div>
    ${set("document.querySelector('.cell').textContent = 'Beta'")}`,
  'that is a dialog': `<div role="dialog" aria-label="Sure?"><p>Delete Alpha?</p>${DELETE}</div>
    ${set("document.querySelector('p').textContent = 'Delete Beta?'")}`,
  'that is a modal dialog with a field': `<dialog id="d"><h2>Delete Alpha</h2><input aria-label="Reason">${DELETE}</dialog>
    <script>d.showModal(); function change() { document.querySelector('h2').textContent = 'Delete Beta'; }</script>`,
  'told by the time of an appointment': `<ul><li><time>10:00</time> ${DELETE}</li></ul>${set("document.querySelector('time').textContent = '11:00'")}`,
  'told by a number alone': `<table><tr><td>17</td><td>${DELETE}</td></tr><tr><td>18</td><td><button>Delete</button></td></tr></table>
    ${set("document.querySelector('td').textContent = '19'")}`,
  'told by a number beside the same words': `<ul><li>Order <b>17</b> ${DELETE}</li><li>Order <b>18</b> <button>Delete</button></li></ul>
    ${set("document.querySelector('b').textContent = '19'")}`,
};

describe('a row that means something else is not acted on', () => {
  for (const [what, html] of Object.entries(RECYCLED)) {
    test(`a row ${what}`, async () => {
      const { session, ref, poke, heard } = await openPoked(html);
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

/** Rows that mean what they meant. */
const SAME: Record<string, string> = {
  'whose toggle was pressed': `<ul><li>Alpha <button id="star" aria-pressed="false">Star</button> ${DELETE}</li></ul>
    ${set("star.ariaPressed = 'true'; star.textContent = 'Unstar'")}`,
  'whose other button is called otherwise': `<ul><li>Alpha <button id="follow">Follow</button> ${DELETE}</li></ul>
    ${set("follow.textContent = 'Following'")}`,
  'that is a minute older': `<ul><li>Alpha, 2 min ago ${DELETE}</li></ul>${set("document.querySelector('li').firstChild.data = 'Alpha, 3 min ago '")}`,
  'that is older in any language': `<ul><li>Alpha, <time datetime="2024-01-01">vor 2 Tagen</time> ${DELETE}</li></ul>
    ${set("document.querySelector('time').textContent = 'vor 3 Tagen'")}`,
  'with a clock': `<ul><li>Alpha <span>12:30:59</span> ${DELETE}</li></ul>${set("document.querySelector('span').textContent = '12:31:00'")}`,
  'with a counter beside its name': `<ul><li>Alpha <b>3</b> ${DELETE}</li><li>Gamma <b>3</b> <button>Delete</button></li></ul>
    ${set("document.querySelector('b').textContent = '4'")}`,
  'that says how far it is': `<ul><li>Alpha <span role="progressbar">5%</span> ${DELETE}</li></ul>
    ${set("document.querySelector('span').textContent = '6%'")}`,
  'beside which a message came up': `<div><div>Alpha ${DELETE} <span id="out"></span></div></div>${set("out.textContent = 'Saved'")}`,
  'of a dialog that found a mistake': `<div role="dialog" aria-label="New"><input aria-label="Name"><p id="out"></p>${DELETE}</div>
    ${set("out.textContent = 'The name is taken'")}`,
  'of a form that the page filled': `<div class="field"><label>City <input id="city"></label> ${DELETE}</div><div class="field"><label>Zip <input></label></div>
    ${set("city.value = 'Oslo'")}`,
};

describe('a row that means what it meant is acted on', () => {
  for (const [what, html] of Object.entries(SAME)) {
    test(`a row ${what}`, async () => {
      const { session, ref, poke, heard } = await openPoked(html);
      const button = ref('button', 'Delete');
      await poke();
      expectSuccess(await session.click({ ref: button }));
      expect(await heard()).toBe('deleted;');
    });
  }

  test('a row of a field that the agent typed into, and of a drop-down that it chose from', async () => {
    const { session, ref, heard } = await openPoked(`<table><tr><td><input aria-label="Name" value="Alpha"></td>
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

  test('a row whose number changes faster than anybody asks again is refused once', async () => {
    const { session, ref, poke, heard } = await openPoked(`<ul><li>Alpha <b>3</b> ${DELETE}</li></ul>
      ${set("document.querySelector('b').textContent++")}`);
    const button = ref('button', 'Delete');
    await poke();
    expectFailure(await session.click({ ref: button }), 'ref_changed');
    await poke();
    expectSuccess(await session.click({ ref: button }));
    expect(await heard()).toBe('deleted;');
  });
});

describe('a snapshot tells rows', () => {
  test('that are named by aria-label alone', async () => {
    const { seen } = await openPoked(
      '<ul><li aria-label="Alpha"><button>Delete</button></li><li aria-label="Beta"><button>Edit</button></li></ul>',
    );
    expect(seen.tree).toContain('listitem "Alpha"');
    expect(seen.tree).toContain('listitem "Beta"');
    expect(refOf(seen, 'button', 'Edit')).toBe('@e2');
  });

  test('without what their password fields hold', async () => {
    const { session, ref, poke } = await openPoked(`<ul><li><input type="password" value="hunter2">
      <textarea style="-webkit-text-security: disc">hunter3</textarea> <b>Alpha</b> ${DELETE}</li></ul>${set("document.querySelector('b').textContent = 'Beta'")}`);
    const button = ref('button', 'Delete');
    await poke();
    const result = await session.click({ ref: button });
    expect(JSON.stringify(expectFailure(result, 'ref_changed'))).not.toContain('hunter');
  });
});
