import { htmlDocument } from '../document.ts';
import { box, h, icon, link, text, times, wrapped } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';

export function dashboard(random: Random): string {
  const main = h(
    'main',
    { class: random.hash() },
    box(
      'row between',
      h('h1', {}, 'Overview'),
      box(
        'row',
        h(
          'select',
          { 'aria-label': 'Period' },
          ['7 days', '30 days', '90 days'].map(name => h('option', {}, name)),
        ),
        h('button', {}, icon(), ' Export'),
      ),
    ),
    box(
      'grid four',
      times(8, () => metric(random)),
    ),
    box(
      'grid two',
      times(4, () => chart(random)),
    ),
    ...['Orders', 'Customers', 'Deployments'].map(name => table(random, name, 33)),
  );
  return htmlDocument(
    { title: 'Overview - Console', css: consoleCss },
    wrapped(
      3,
      () => random.hash(),
      box(
        'shell',
        consoleMenu(random),
        h(
          'div',
          {},
          consoleHeader(),
          wrapped(2, () => random.hash(), main),
        ),
      ),
    ),
  );
}

const consoleCss = `
.shell { display: grid; grid-template-columns: 220px 1fr; min-height: 100vh } .side { background: #10151c; color: #cdd; padding: 12px } .metric strong { font-size: 24px } .metric .up::before { content: "▲ " } .metric .down::before { content: "▼ " }
table { border-collapse: collapse; width: 100% } th, td { padding: 6px 8px; border-bottom: 1px solid #e6e9ee; text-align: left } th button { border: 0; background: none } th button::after { content: "⇅"; opacity: .4 }
.row-menu { position: absolute; display: none } [data-open] + .row-menu { display: block } .status::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%; background: #3a3; margin-right: 6px }
.switch { position: relative; width: 32px; height: 18px; border-radius: 9px; background: #bbb; border: 0 } .switch[aria-checked=true] { background: #3a7 } svg.chart { width: 100%; height: 180px }`;

function consoleMenu(random: Random): string {
  const entries = [
    'Overview',
    'Orders',
    'Customers',
    'Products',
    'Reports',
    'Deployments',
    'Logs',
    'Alerts',
    'Billing',
    'Team',
    'Settings',
  ];
  const sub = () =>
    h(
      'ul',
      { class: 'plain hidden' },
      times(4, () => h('li', {}, link(`/x/${random.slug()}`, capitalise(random.phrase(1, 2))))),
    );
  return h(
    'nav',
    { class: 'side', 'aria-label': 'Console' },
    h(
      'ul',
      { class: 'plain stack' },
      entries.map((name, i) =>
        h(
          'li',
          {},
          h(
            'a',
            { href: `/${name}`, class: 'row', 'aria-current': i === 0 ? 'page' : undefined },
            icon(),
            h('span', {}, name),
          ),
          sub(),
        ),
      ),
    ),
  );
}

function consoleHeader(): string {
  return h(
    'header',
    { class: 'row between' },
    h('input', { type: 'search', 'aria-label': 'Search everything', placeholder: 'Search…' }),
    box(
      'row',
      h('button', { 'aria-label': '3 notifications' }, icon()),
      h('button', { 'aria-label': 'Account', 'aria-haspopup': 'menu' }, icon()),
    ),
  );
}

function metric(random: Random): string {
  return box(
    `metric card ${random.hash()}`,
    box(
      'row between',
      h('span', { class: 'muted' }, text(capitalise(random.phrase(1, 2)))),
      h('button', { 'aria-label': 'Info' }, icon()),
    ),
    h('strong', {}, String(random.int(100, 99999))),
    h('span', { class: random.pick(['up', 'down']) }, `${random.int(1, 30)}%`),
  );
}

function chart(random: Random): string {
  const bar = (index: number) =>
    h('rect', { x: index * 12, y: random.int(0, 80), width: 10, height: random.int(20, 100), fill: '#69c' });
  const label = (index: number) => h('text', { x: index * 48, y: 118, 'font-size': 8 }, `W${index}`);
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, text(capitalise(random.phrase(1, 3)))),
    h(
      'svg',
      { class: 'chart', viewBox: '0 0 400 120', role: 'img', 'aria-label': 'Bar chart' },
      h('g', {}, times(32, bar)),
      h('g', {}, times(8, label)),
    ),
    box(
      'row',
      times(3, () => h('label', {}, h('input', { type: 'checkbox', checked: true }), text(` ${random.phrase(1, 1)}`))),
    ),
  );
}

function table(random: Random, name: string, rows: number): string {
  const columns = ['Id', 'Name', 'Status', 'Owner', 'Amount', 'Updated'];
  const head = h(
    'tr',
    {},
    h('th', {}, h('input', { type: 'checkbox', 'aria-label': `Select all ${name}` })),
    columns.map(column => h('th', { scope: 'col', 'aria-sort': 'none' }, h('button', {}, column))),
    h('th', {}, 'Live'),
    h('th', {}, h('span', { class: 'visually-hidden' }, 'Actions')),
  );
  return h(
    'section',
    { class: 'card' },
    box('row between', h('h2', {}, name), h('input', { 'aria-label': `Filter ${name}` })),
    h(
      'table',
      {},
      h('thead', {}, head),
      h(
        'tbody',
        {},
        times(rows, index => tableRow(random, name, index)),
      ),
    ),
    box('row', h('button', { disabled: true }, 'Previous'), h('span', {}, 'Page 1 of 14'), h('button', {}, 'Next')),
  );
}

function tableRow(random: Random, name: string, index: number): string {
  const id = `${name.slice(0, 2).toUpperCase()}-${4000 + index}`;
  const menu = h(
    'ul',
    { class: 'row-menu plain card', role: 'menu' },
    ['Edit', 'Duplicate', 'Delete'].map(label => h('li', { role: 'menuitem', tabindex: -1 }, label)),
  );
  return h(
    'tr',
    { class: random.hash(), 'data-row-key': id },
    h('td', {}, h('input', { type: 'checkbox', 'aria-label': `Select ${id}` })),
    h('td', {}, link(`/${name}/${id}`, id)),
    h('td', {}, text(capitalise(random.phrase(2, 3)))),
    h('td', {}, h('span', { class: 'status' }, random.pick(['Active', 'Paused', 'Failed']))),
    h('td', {}, box('row', h('span', { class: 'badge' }, text(random.person())))),
    h('td', {}, random.price()),
    h('td', {}, h('time', {}, `${random.int(1, 28)} Oct`)),
    h('td', {}, h('button', { class: 'switch', role: 'switch', 'aria-checked': 'true', 'aria-label': `${id} live` })),
    h('td', {}, h('button', { 'aria-label': `Actions for ${id}`, 'aria-haspopup': 'menu' }, icon()), menu),
  );
}
