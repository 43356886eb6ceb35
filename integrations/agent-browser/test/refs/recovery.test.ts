import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess, refOf } from '../fixtures.js';
import { pokedPages } from './poked-page.js';

const { openPoked } = pokedPages();

/** A list that is rendered anew as a whole, as innerHTML does; `rows` can be changed before. */
const LIST = `<h1>Groceries</h1><div id="app"></div><script>
  let rows = ['Milk', 'Bread', 'Eggs'];
  function draw() {
    app.innerHTML = '<ul>' + rows.map(row => \`<li>\${row} <button onclick="hear('\${row}')">Delete</button></li>\`).join('') + '</ul>';
  }
  draw();
  function change() { draw(); }
  function insert() { rows.unshift('Butter'); draw(); }
  function reverse() { rows.reverse(); draw(); }
  function remove() { rows = rows.filter(row => row !== 'Bread'); draw(); }
  function twin() { rows.push('Bread'); draw(); }
</script>`;

describe('an element that was rendered again', () => {
  for (const how of ['change', 'insert', 'reverse']) {
    test(`is found again, and the result says so: ${how}`, async () => {
      const { session, ref, poke, heard } = await openPoked(LIST);
      const old = ref('button', 'Delete', 1);
      await poke(how);
      const result = expectSuccess(await session.click({ ref: old }));
      expect(result.recovered?.was).toBe(`${old} button "Delete" in "Bread"`);
      expect(result.recovered?.now).toMatch(/^@e\d+, rendered again in the same place$/);
      expect(result.element).toMatchObject({ role: 'button', name: 'Delete' });
      expect(await heard()).toBe('Bread;');
    });
  }

  test('has a new ref, which the result tells, and the old one is stale for good', async () => {
    const { session, ref, poke } = await openPoked(LIST);
    const old = ref('button', 'Delete', 1);
    await poke();
    const result = expectSuccess(await session.click({ ref: old }));
    const now = /^@e\d+/.exec(result.recovered?.now ?? '')?.[0] as string;
    expect(result.element?.ref).toBe(now);
    expect(expectSuccess(await session.snapshot()).refs).toHaveProperty([now]);
    expectFailure(await session.click({ ref: old }), 'stale_ref');
    expectSuccess(await session.click({ ref: now }));
  });

  test('is typed into, selected in and filled in where it is now', async () => {
    const { session, ref, poke } = await openPoked(`<div id="app"></div><script>
      function change() {
        app.innerHTML = '<label>Name <input></label> <label>Size <select><option>S<option>M</select></label> <label>Note <input></label>';
      }
      change();
    </script>`);
    const [name, size, note] = [ref('textbox', 'Name'), ref('combobox', 'Size'), ref('textbox', 'Note')];
    await poke();
    const typed = expectSuccess(await session.type({ ref: name, text: 'Ann' }));
    expect(typed).toMatchObject({ value: 'Ann', recovered: { was: `${name} textbox "Name"` } });
    await poke();
    const again = expectSuccess(await session.snapshot());
    await poke();
    const selected = await session.select({ ref: refOf(again, 'combobox', 'Size'), labels: ['M'] });
    expect(expectSuccess(selected)).toMatchObject({ selected: ['M'], recovered: {} });
    const slowly = expectSuccess(await session.snapshot());
    await poke();
    expect(
      expectSuccess(await session.type({ ref: refOf(slowly, 'textbox', 'Note'), text: 'hi', slowly: true })),
    ).toMatchObject({ value: 'hi' });
    expectFailure(await session.type({ ref: note, text: 'x' }), 'stale_ref');
    expectFailure(await session.select({ ref: size, labels: ['S'] }), 'stale_ref');
  });
});

/** What looks like a replacement and is none: the page before, and what happens to it. */
const NOT_PROVEN: Record<string, string> = {
  'one of two that said the same': `<ul id="list"><li>Bread <button onclick="hear('first')">Delete</button></li><li>Bread <button onclick="hear('second')">Delete</button></li></ul>
    <script>function change() { list.innerHTML = '<li>Bread <button onclick="hear(\\'new\\')">Delete</button></li>'; }</script>`,
  'a namesake that stands elsewhere': `<div id="a"><button>Save</button></div><section id="b"></section>
    <script>function change() { a.innerHTML = ''; b.innerHTML = '<p><button onclick="hear(\\'new\\')">Save</button></p>'; }</script>`,
  'a namesake that was hidden before': `<div id="a"><p><button>Save</button></p></div><div id="b" hidden><p><button onclick="hear('other')">Save</button></p></div>
    <script>function change() { a.remove(); b.hidden = false; }</script>`,
  'a namesake whose visibility was hidden': `<div id="a"><p><button>Save</button></p></div><div id="b" style="visibility:hidden"><p><button onclick="hear('other')">Save</button></p></div>
    <script>function change() { a.remove(); b.style.visibility = ''; }</script>`,
  'a namesake that was inert before': `<div id="a"><p><button>Save</button></p></div><div id="b" inert><p><button onclick="hear('other')">Save</button></p></div>
    <script>function change() { a.remove(); b.inert = false; }</script>`,
  'a namesake that had no size before': `<div><p><button>Save</button></p></div><div><p><button style="width:0;height:0;padding:0;border:0;font-size:0" onclick="hear('other')">Save</button></p></div>
    <script>function change() { const [a, b] = document.querySelectorAll('button'); a.parentNode.parentNode.remove(); b.style = ''; }</script>`,
  'a namesake behind a dialog that is gone': `<div><p><button onclick="hear('page')">Save</button></p></div><div role="dialog" aria-modal="true" id="modal" style="position:fixed;inset:9px;background:white"><p><button>Save</button></p></div>
    <script>function change() { modal.remove(); }</script>`,
  'the same button below another heading': `<div id="app"><h2>Step 1</h2><button>Next</button></div>
    <script>function change() { app.innerHTML = '<h2>Step 2</h2><button onclick="hear(\\'new\\')">Next</button>'; }</script>`,
  'the same button of another step between other fields': `<div id="app"><input aria-label="Name"><button>Next</button><a href="#a">Help</a></div>
    <script>function change() { app.innerHTML = '<input aria-label="Card"><button onclick="hear(\\'new\\')">Next</button><a href="#b">Terms</a>'; }</script>`,
  'the same button of another route': `<div id="app"><h2>Order</h2><button>Delete order</button></div>
    <script>function change() { history.pushState(null, '', '/orders/6'); app.innerHTML = '<h2>Order</h2><button onclick="hear(\\'new\\')">Delete order</button>'; }</script>`,
  'the same button of another hash route': `<div id="app"><h2>Order</h2><button>Delete order</button></div>
    <script>function change() { location.hash = '#/orders/6'; app.innerHTML = '<h2>Order</h2><button onclick="hear(\\'new\\')">Delete order</button>'; }</script>`,
  'a link to somewhere else': `<div id="app"><a href="#one">Read more</a></div>
    <script>function change() { app.innerHTML = '<a href="#two" onclick="hear(\\'new\\')">Read more</a>'; }</script>`,
  'a button with another id': `<div id="app"><button id="one">Save</button></div>
    <script>function change() { app.innerHTML = '<button id="two" onclick="hear(\\'new\\')">Save</button>'; }</script>`,
  'a button without a name': `<div id="app"><button style="width:20px;height:20px"></button></div>
    <script>function change() { app.innerHTML = '<button style="width:20px;height:20px" onclick="hear(\\'new\\')"></button>'; }</script>`,
};

describe('an element that is gone is not mistaken for', () => {
  for (const [what, html] of Object.entries(NOT_PROVEN)) {
    test(what, async () => {
      const { session, seen, poke, heard } = await openPoked(html);
      const [ref] =
        Object.entries(seen.refs ?? {}).find(([, { role, name = '' }]) => role === 'button' || name === 'Read more') ??
        [];
      await poke();
      const result = expectFailure(await session.click({ ref: ref ?? '' }), 'stale_ref');
      expect(result.message).toContain(`${ref} (`);
      expect(result.recovered).toBeUndefined();
      expect(await heard()).toBe('');
    });
  }
});

describe('a refusal', () => {
  test('names the elements that say the same, with refs that work', async () => {
    const { session, ref, poke, heard } = await openPoked(LIST);
    const old = ref('button', 'Delete', 1);
    await poke('twin');
    const { message } = expectFailure(await session.click({ ref: old }), 'stale_ref');
    const like = message.match(/Similar elements: (.*)\./)?.[1]?.split(', ') ?? [];
    expect(like).toHaveLength(2);
    expectSuccess(await session.click({ ref: like[1] as string }));
    expect(await heard()).toBe('Bread;');
  });

  test('names them where the page was seen without it since, and how it came to be so was not told', async () => {
    const { session, ref, poke, heard } = await openPoked(LIST);
    const old = ref('button', 'Delete', 1);
    await poke('twin');
    expectFailure(await session.click({ ref: old }), 'stale_ref');
    await poke();
    await session.snapshot({});
    const { message } = expectFailure(await session.click({ ref: old }), 'stale_ref');
    const like = message.match(/Similar elements: (.*)\./)?.[1]?.split(', ') ?? [];
    expect(like).toHaveLength(2);
    expectSuccess(await session.click({ ref: like[0] as string }));
    expect(await heard()).toBe('Bread;');
  });

  test('names none when there is none, and tells what changed with refs that work', async () => {
    const { session, ref, poke } = await openPoked(LIST);
    const old = ref('button', 'Delete', 1);
    await poke('remove');
    const result = expectFailure(await session.click({ ref: old }), 'stale_ref');
    expect(result.message).toBe(`${old} (button "Delete" in "Bread") is no longer on the page.`);
    expect(result.changes).toContain('- listitem "Bread" (2 lines)');
    expect(result.canRetry).toBe(true);
  });

  test('of an element that now says something else updates the ref, so that calling again acts on it', async () => {
    const { session, ref, poke, heard } =
      await openPoked(`<ul><li><span>Milk</span> <button onclick="hear(this.parentNode.firstChild.textContent)">Delete</button></li>
      <li><span>Eggs</span> <button>Delete</button></li></ul>
      <script>function change() { document.querySelector('li span').textContent = 'Bread'; }</script>`);
    const button = ref('button', 'Delete');
    await poke();
    const result = expectFailure(await session.click({ ref: button }), 'ref_changed');
    expect(result.message).toBe(
      `${button} was button "Delete" in "Milk" and is now button "Delete" in "Bread". Nothing was done.`,
    );
    expect(await heard()).toBe('');
    expectSuccess(await session.click({ ref: button }));
    expect(await heard()).toBe('Bread;');
  });

  test('of an element that stayed while the page went to another route says so, once', async () => {
    const { session, ref, poke } = await openPoked(`<h1>Order 5</h1><button>Delete order</button>
      <script>function change() { history.pushState(null, '', '/orders/6'); document.querySelector('h1').textContent = 'Order 6'; }</script>`);
    const button = ref('button', 'Delete order');
    await poke();
    const result = expectFailure(await session.click({ ref: button }), 'ref_changed');
    expect(result.message).toContain('The page went from / to /orders/6');
    expect(result.changes).toContain('heading "Order 6"');
    expectSuccess(await session.click({ ref: button }));
  });
});

describe('a name that depends on where the mouse is', () => {
  test('does not keep an element from being clicked', async () => {
    const { session, ref, heard } =
      await openPoked(`<style>button:hover::after { content: " now" } .tip { display: none } a:hover .tip { display: inline }</style>
      <button onclick="hear('buy')">Buy</button> <a href="#x" onclick="hear('help')">Help <span class="tip">opens below</span></a>`);
    const [buy, help] = [ref('button', 'Buy'), ref('link', 'Help')];
    for (const each of [buy, help, buy, buy, help]) expectSuccess(await session.click({ ref: each }));
    expect(await heard()).toBe('buy;help;buy;buy;help;');
  });
});
