import { expect, test } from 'vitest';
import { seedNote, trials } from '../../../../scripts/testing/trials.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

const STEPS = Array.from({ length: 20 }, (_, i) => i + 1);
/** The first step of each kind with the first seed: no kind comes but in turn. */
const STEPS_OF_SLICE = [1, 3, 5, 6, 8, 10, 11, 13, 15, 17, 18, 20];

/** Lists, a table, cards and a grid without rows, whose buttons are told apart by what stands around them alone. */
const PAGE = `<header><nav><a href="#a">Home</a> <a href="#b">Help</a></nav></header><main>
  <ul id="list">${['Milk', 'Eggs', 'Bread', 'Tea'].map(item => `<li><b>${item}</b> <button>Buy</button></li>`).join('')}</ul>
  <table><tbody id="table">${['Ann', 'Bob', 'Cid'].map(name => `<tr><td>${name}<td>3<td><button>Edit</button> <button>Drop</button>`).join('')}</tbody></table>
  <div id="cards">${['Mug', 'Bowl'].map(name => `<section><h3>${name}</h3><p>Blue</p><button>Add</button></section>`).join('')}</div>
  <div id="grid">${['One', 'Two', 'Three'].map(word => `<span>${word}</span><button>Go</button>`).join('')}</div></main>`;

/** Changes something in the page at random: adds, removes, moves, writes, wraps or relabels. */
const CHANGE = `globalThis.change = seed => {
  let state = seed * 2654435761 % 2 ** 32;
  const random = count => { state = (state * 1664525 + 1013904223) % 2 ** 32; return Math.floor(state / 2 ** 32 * count); };
  const pick = selector => { const all = [...document.querySelectorAll(selector)]; return all[random(all.length)]; };
  const parent = pick('ul, tbody, #cards, #grid, li, section, td');
  const child = parent.children[random(parent.children.length)];
  const changes = [
    () => parent.prepend('Word ' + seed),
    () => child?.after(child.cloneNode(true)),
    () => child?.remove(),
    () => child && parent.append(child),
    () => { const text = pick('b, h3, p, td:first-child, #grid span'); if (text) text.textContent = 'Text ' + seed; },
    () => pick('li, section, tr')?.setAttribute('aria-label', 'Label ' + seed),
    () => parent.replaceChildren(...[...parent.children].map(each => each.cloneNode(true))),
    () => { const button = pick('button'); button.textContent = button.textContent === 'Buy' ? 'Go' : 'Buy'; },
    () => { const host = document.createElement('div'); host.attachShadow({ mode: 'open' }).innerHTML = 'Shadow ' + seed; child?.before(host); },
    () => { for (const { shadowRoot } of document.querySelectorAll('div')) if (shadowRoot) shadowRoot.innerHTML = 'Other ' + seed; },
    () => { const host = document.querySelector('b:empty') ?? pick('p, h3'); if (host && !host.shadowRoot) host.attachShadow({ mode: 'open' }).innerHTML = 'Late ' + seed; },
    () => child?.insertAdjacentHTML('beforebegin', '<i>Before ' + seed + '</i>'),
  ];
  changes[random(changes.length)]();
};
globalThis.copy = () => document.body.getHTML({ serializableShadowRoots: true, shadowRoots: [...document.querySelectorAll('*')].flatMap(each => each.shadowRoot ?? []) });`;

test('rows of a page that is looked at after each of its changes are those of a page that is new', {
  timeout: trials.limit,
}, async () => {
  const fresh = await openPage('<h1>New</h1>');
  for (const seed of trials.seeds({ slice: 1, full: 2, first: 16 })) {
    const old = await openPage(`${PAGE}<script>${CHANGE}</script>`);
    const seen = new Set([await old.evaluate('copy()')]);
    const steps = trials.size({ slice: STEPS_OF_SLICE, full: STEPS });
    for (const step of steps) {
      await old.script(`change(${seed * 100 + step})`);
      const { refs = {} } = expectSuccess(await old.session.snapshot());
      const copy = await old.evaluate('copy()');
      seen.add(copy);
      expectSuccess(await fresh.session.navigate({ url: fresh.site.url() }));
      await fresh.script(`document.body.setHTMLUnsafe(${JSON.stringify(copy)})`);
      const { refs: wanted = {} } = expectSuccess(await fresh.session.snapshot());
      expect(Object.values(refs), `${seedNote(seed)}, step ${step}`).toEqual(Object.values(wanted));
    }
    // Some find nothing to change.
    expect(seen.size).toBeGreaterThan(steps.length / 2);
  }
});
