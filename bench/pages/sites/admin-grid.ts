import { htmlDocument } from '../document.ts';
import { box, h, icon, link, text, times } from '../markup.ts';
import type { Random } from '../random.ts';

const elementsPerRow = 25;

/** A grid of about `elements` elements: what an admin application without virtual scrolling renders. */
export function adminGrid(random: Random, elements: number): string {
  const rows = Math.round(elements / elementsPerRow);
  const columns = ['', 'Id', 'Customer', 'Status', 'Plan', 'Note', 'Live', ''];
  const head = h(
    'div',
    { role: 'row', class: 'grid-row head' },
    columns.map(name => h('div', { role: 'columnheader' }, name)),
  );
  return htmlDocument(
    { title: `Accounts (${rows})`, css: gridCss },
    h(
      'header',
      { class: 'row between' },
      h('h1', {}, 'Accounts'),
      box('row', h('input', { type: 'search', 'aria-label': 'Search accounts' }), h('button', {}, 'New account')),
    ),
    h(
      'div',
      { role: 'grid', 'aria-label': 'Accounts', 'aria-rowcount': rows },
      head,
      times(rows, index => accountRow(random, index)),
    ),
  );
}

const gridCss = `
.grid-row { display: grid; grid-template-columns: 32px 90px 1fr 110px 120px 160px 60px 90px; gap: 6px; align-items: center; border-bottom: 1px solid #eee } .head { position: sticky; top: 0; background: #fff }
.state::before { content: "●"; margin-right: 4px; color: #3a3 } .switch { width: 30px; height: 16px; border-radius: 8px; padding: 0 } .row-menu { display: none }`;

function accountRow(random: Random, index: number): string {
  const id = `A-${10000 + index}`;
  const cell = (...children: string[]) => h('div', { role: 'gridcell', class: random.hash() }, ...children);
  return h(
    'div',
    { role: 'row', class: 'grid-row', 'aria-rowindex': index + 1, 'data-id': id },
    cell(h('input', { type: 'checkbox', 'aria-label': `Select ${id}` })),
    cell(link(`/accounts/${id}`, id)),
    cell(box('row', h('span', {}, icon()), h('span', {}, text(random.person())))),
    cell(h('span', { class: 'state' }, random.pick(['Active', 'Paused', 'Closed']))),
    cell(
      h(
        'select',
        { 'aria-label': `Plan of ${id}` },
        ['Free', 'Team', 'Business'].map(name => h('option', {}, name)),
      ),
    ),
    cell(
      h('input', { 'aria-label': `Note on ${id}`, value: index % 4 === 0 ? random.phrase(1, 2) : undefined, size: 12 }),
    ),
    cell(h('button', { role: 'switch', 'aria-checked': 'true', class: 'switch', 'aria-label': `${id} live` })),
    cell(box('row', h('button', {}, 'Edit'), h('button', { 'aria-label': `More for ${id}` }, '⋯'))),
  );
}
