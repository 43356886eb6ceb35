import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess, refOf } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener({ snapshot: { changeTokens: 200 } });
const { openPage: openFull } = pageOpener({ snapshot: { afterAction: 'full' } });

/** A list that is rendered by position: its rows are used again for what comes to stand there. */
const list = (names: readonly string[]): string => `<ul id="list"></ul>
  <button onclick="data.reverse(); render()">Reverse</button><p id="out" role="status"></p><script>
  const data = ${JSON.stringify(names)};
  function render() {
    while (list.children.length > data.length) list.lastChild.remove();
    data.forEach((name, index) => {
      const row = list.children[index] ?? list.appendChild(document.createElement('li'));
      if (row.firstChild === null) {
        row.innerHTML = '<span></span> <button>Delete</button>';
        row.lastChild.onclick = () => { out.textContent += ' ' + data.splice(index, 1)[0]; render(); };
      }
      row.firstChild.textContent = data[index];
    });
  }
  render();</script>`;

const PEOPLE = ['Alpha', 'Beta', 'Gamma', 'Delta'];
const CROWD = Array.from(
  { length: 80 },
  (_, index) => `${PEOPLE[index % 4]} of ${['Rome', 'Oslo', 'Kyiv'][index % 3]}${'x'.repeat(index)}`,
);

describe('a list whose rows are used anew', () => {
  test.each([
    ['with all changes told', PEOPLE],
    ['with more changes than are told', CROWD],
  ])('hands no ref of a row to the next one, %s', async (_, names) => {
    const { session, ref, text } = await openPage(list(names));
    const [first, second, third] = [0, 1, 2].map(index => ref('button', 'Delete', index));
    expectSuccess(await session.click({ ref: first ?? '' }));
    for (const [next, index] of [
      [second, 1],
      [third, 2],
    ] as const) {
      const { message } = expectFailure(await session.click({ ref: next ?? '' }), 'ref_changed');
      expect(message).toContain(`was button "Delete" in "${names[index]?.slice(0, 80)}"`);
    }
    expect(await text()).toContain(`status "${names[0]}"`);
    expectSuccess(await session.click({ ref: second ?? '' }));
    expect(await text()).toContain(`status "${names[0]} ${names[2]}"`);
  });

  test('is another list once it was sorted by its own button', async () => {
    const { session, ref } = await openPage(list(PEOPLE));
    const alpha = ref('button', 'Delete', 0);
    expectSuccess(await session.click({ ref: ref('button', 'Reverse') }));
    expectFailure(await session.click({ ref: alpha }), 'ref_changed');
  });

  test('is known as it is now where the whole page is told after each action', async () => {
    const { session, ref, text } = await openFull(list(PEOPLE));
    const [first, second] = [0, 1].map(index => ref('button', 'Delete', index));
    const { changes } = expectSuccess(await session.click({ ref: first ?? '' }));
    expect(changes).toMatch(new RegExp(`text "Gamma"\\n +button "Delete" ${second}\\b`));
    expectSuccess(await session.click({ ref: second ?? '' }));
    expect(await text()).toContain('status "Alpha Gamma"');
  });

  test('is known by a snapshot only as far as that shows it', async () => {
    const { session, ref } = await openPage(list(PEOPLE));
    const alpha = ref('button', 'Delete', 0);
    const reverse = ref('button', 'Reverse');
    expectSuccess(await session.click({ ref: reverse }));
    expectSuccess(await session.snapshot({ ref: reverse }));
    expectFailure(await session.click({ ref: alpha }), 'ref_changed');
  });
});

describe('what an agent changes itself', () => {
  test('is no reason to refuse what it does next to the same element', async () => {
    const { session, ref } = await openPage(`<div role="dialog" aria-label="Set up"><h2>Name</h2>
      <button onclick="document.querySelector('h2').textContent = ['Street', 'Card'][this.step++]">Next</button></div>
      <script>document.querySelector('button').step = 0</script>`);
    const next = ref('button', 'Next');
    expectSuccess(await session.click({ ref: next }));
    expect(expectSuccess(await session.click({ ref: next })).changes).toContain('"Card"');
  });

  test('is no reason to refuse what stands in the same row, where that only says more', async () => {
    const { session, read } = await openPage(`<ul><li><b>Milk</b> <i></i>
      <button onclick="document.querySelector('i').textContent = 'bought'">Buy</button> <button>Delete</button></li>
      <li><b>Bread</b> <i></i> <button>Buy</button> <button>Delete</button></li></ul>`);
    await read();
    const seen = expectSuccess(await session.snapshot());
    expectSuccess(await session.click({ ref: refOf(seen, 'button', 'Buy') }));
    expectSuccess(await session.click({ ref: refOf(seen, 'button', 'Delete') }));
  });

  test('is no reason to refuse what stands in the same row, where that says something else', async () => {
    const { session, ref } = await openPage(
      `<ul>${['Milk', 'Eggs']
        .map(
          item => `<li><b>${item}</b> <button onclick="previousElementSibling.textContent = 'Oat drink'">Rename</button>
          <button onclick="document.title = 'bought ' + parentNode.firstChild.textContent">Buy</button></li>`,
        )
        .join('')}</ul>`,
    );
    const buy = ref('button', 'Buy');
    expectSuccess(await session.click({ ref: ref('button', 'Rename') }));
    expect(expectSuccess(await session.click({ ref: buy })).title).toBe('bought Oat drink');
  });

  test('is no reason to refuse the heading of a section that says something else', async () => {
    const { session, ref } = await openPage(
      `${['One', 'Two']
        .map(
          name => `<section><h3><button>${name}</button></h3><p>Body of ${name}</p>
          <button onclick="previousElementSibling.textContent = 'Completed'">Go</button></section>`,
        )
        .join('')}`,
    );
    const one = ref('button', 'One');
    expectSuccess(await session.click({ ref: ref('button', 'Go') }));
    expectSuccess(await session.click({ ref: one }));
  });

  test('makes another thing of the last row of a list that is used anew for the one behind it', async () => {
    const { session, ref, text } = await openPage(list(['Alpha', 'Beta']));
    const beta = ref('button', 'Delete', 1);
    expectSuccess(await session.click({ ref: ref('button', 'Delete') }));
    expectFailure(await session.click({ ref: beta }), 'stale_ref');
    expect(await text()).toContain('status "Alpha"');
  });
});
