import { htmlDocument } from '../document.ts';
import { box, h, icon, link, picture, text, times } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';
import { withChrome } from '../site-chrome.ts';

const chrome = { brand: 'Northwind Home', sections: 8, footerLinks: 28, cookieBar: true };

export function shopListing(random: Random): string {
  const content = [
    breadcrumbs(random),
    h('h1', {}, 'Lighting'),
    box(
      'listing',
      filters(random),
      h(
        'div',
        {},
        sortBar(),
        h(
          'ul',
          { class: 'plain grid three' },
          times(54, i => product(random, i)),
        ),
        pagination(12),
      ),
    ),
  ].join('');
  return htmlDocument({ title: 'Lighting - Northwind Home', css: shopCss }, ...withChrome(random, chrome, content));
}

export function shopProduct(random: Random): string {
  const name = capitalise(random.phrase(3, 4));
  const content = [
    breadcrumbs(random),
    box('grid two', gallery(name), buyBox(random, name)),
    accordion(random, ['Details', 'Dimensions', 'Care', 'Shipping', 'Returns']),
    h('section', {}, h('h2', {}, 'Reviews'), ...times(12, () => review(random))),
    h(
      'section',
      {},
      h('h2', {}, 'You may also like'),
      h(
        'ul',
        { class: 'plain grid four' },
        times(12, i => product(random, i)),
      ),
    ),
  ].join('');
  return htmlDocument({ title: `${name} - Northwind Home`, css: shopCss }, ...withChrome(random, chrome, content));
}

const shopCss = `
.listing { display: grid; grid-template-columns: 240px 1fr; gap: 24px } fieldset { border: 0; padding: 0; margin: 0 0 16px }
.tile { position: relative } .tile .wish { position: absolute; right: 8px; top: 8px } .tile .quick { visibility: hidden } .tile:hover .quick { visibility: visible }
.was { text-decoration: line-through; color: #888 } .swatch { width: 20px; height: 20px; border-radius: 50%; padding: 0 }
.option { position: relative; display: inline-block } .option input { position: absolute; opacity: 0; inset: 0; margin: 0 }
.option span { display: block; padding: 6px 12px; border: 1px solid #bbb; border-radius: 4px } .option input:checked + span { border-color: #000 }
.panel[hidden] { display: none } summary { cursor: pointer } @media (max-width: 800px) { .listing { grid-template-columns: 1fr } }`;

function breadcrumbs(random: Random): string {
  const crumbs = times(3, () => h('li', {}, link(`/c/${random.slug()}`, capitalise(random.phrase(1, 1)))));
  return h('nav', { 'aria-label': 'Breadcrumb' }, h('ol', { class: 'plain row muted' }, crumbs));
}

function filters(random: Random): string {
  const group = (name: string, count: number) =>
    h(
      'details',
      { open: true, class: random.hash() },
      h('summary', {}, name),
      h(
        'fieldset',
        {},
        h('legend', { class: 'visually-hidden' }, name),
        times(count, index => filterOption(random, name, index)),
      ),
    );
  const price = h(
    'fieldset',
    {},
    h('legend', {}, 'Price'),
    box(
      'row',
      h('input', { type: 'number', 'aria-label': 'Lowest price', size: 4 }),
      h('input', { type: 'number', 'aria-label': 'Highest price', size: 4 }),
    ),
  );
  return h(
    'aside',
    { 'aria-label': 'Filters' },
    group('Brand', 9),
    group('Colour', 8),
    group('Room', 7),
    price,
    h('button', {}, 'Clear all'),
  );
}

function filterOption(random: Random, name: string, index: number): string {
  const id = `${name}-${index}`;
  return box(
    'row',
    h('input', { type: 'checkbox', id, name, value: index }),
    h(
      'label',
      { for: id },
      text(`${capitalise(random.phrase(1, 2))} `),
      h('span', { class: 'muted' }, `(${random.int(1, 90)})`),
    ),
  );
}

function sortBar(): string {
  const orders = ['Featured', 'Price: low to high', 'Price: high to low', 'Newest', 'Best rated'];
  return box(
    'row between',
    h('p', { class: 'muted', role: 'status' }, '1,204 products'),
    h(
      'label',
      {},
      'Sort by ',
      h(
        'select',
        { name: 'sort' },
        orders.map(order => h('option', {}, order)),
      ),
    ),
  );
}

function stars(random: Random): string {
  const rating = random.int(30, 50) / 10;
  return box(
    'row',
    times(5, () => icon('icon star')),
    h('span', { class: 'visually-hidden' }, `${rating} out of 5 stars`),
    h('span', { class: 'muted' }, `(${random.int(2, 900)})`),
  );
}

function product(random: Random, index: number): string {
  const name = capitalise(random.phrase(3, 5));
  const href = `/p/${random.slug()}-${1000 + index}`;
  const swatches = times(3, () =>
    h('button', { class: 'swatch', 'aria-label': capitalise(random.phrase(1, 1)), style: 'background:#99a' }),
  );
  return h(
    'li',
    { class: `tile card ${random.hash()}`, 'data-sku': 1000 + index },
    h('a', { href, tabindex: -1, 'aria-hidden': 'true', class: random.hash() }, picture(name, 240, 240)),
    h('button', { class: 'wish', 'aria-label': `Save ${name}`, 'aria-pressed': 'false' }, icon()),
    random.chance(0.3) ? h('span', { class: 'badge' }, 'Sale') : '',
    h('h3', {}, link(href, name)),
    stars(random),
    box(
      'row',
      h('span', { class: random.hash() }, random.price()),
      random.chance(0.3) ? h('s', { class: 'was' }, random.price()) : '',
    ),
    box('row', swatches),
    h('button', { class: 'add' }, 'Add to cart'),
    h('button', { class: 'quick' }, 'Quick view'),
  );
}

function pagination(pages: number): string {
  const entries = times(pages, index =>
    h('li', {}, link(`?page=${index + 1}`, String(index + 1), index === 0 ? { 'aria-current': 'page' } : {})),
  );
  return h(
    'nav',
    { 'aria-label': 'Pages' },
    h('ul', { class: 'plain row' }, entries, h('li', {}, link('?page=2', 'Next'))),
  );
}

function gallery(name: string): string {
  const thumbs = times(6, index =>
    h(
      'button',
      { 'aria-label': `Show picture ${index + 1}`, 'aria-current': index === 0 ? 'true' : undefined },
      picture('', 64, 64),
    ),
  );
  return box('stack', h('figure', {}, picture(name, 560, 560)), box('row', thumbs));
}

function buyBox(random: Random, name: string): string {
  const choice = (group: string, label: string, index: number) =>
    h(
      'label',
      { class: 'option' },
      h('input', { type: 'radio', name: group, value: label, checked: index === 0 || undefined }),
      h('span', {}, label),
    );
  return h(
    'section',
    { class: 'stack', 'aria-label': 'Buy' },
    h('h1', {}, name),
    stars(random),
    h('p', {}, random.price()),
    h(
      'fieldset',
      {},
      h('legend', {}, 'Colour'),
      ['Black', 'Brass', 'White', 'Green'].map((label, i) => choice('colour', label, i)),
    ),
    h(
      'fieldset',
      {},
      h('legend', {}, 'Size'),
      ['Small', 'Medium', 'Large'].map((label, i) => choice('size', label, i)),
    ),
    h('label', {}, 'Quantity ', h('input', { type: 'number', value: 1, min: 1, max: 10 })),
    box('row', h('button', { class: 'add' }, 'Add to cart'), h('button', { 'aria-label': 'Save for later' }, icon())),
    h('p', { class: 'muted' }, text(random.sentence()), ' ', link('/delivery', 'Delivery options')),
  );
}

function accordion(random: Random, names: readonly string[]): string {
  const entry = (name: string) => [
    h('h3', {}, h('button', { 'aria-expanded': 'false', 'aria-controls': `panel-${name}` }, name, icon())),
    h(
      'div',
      { id: `panel-${name}`, class: 'panel', hidden: true },
      h('p', {}, text(random.paragraph())),
      link(`/help/${name}`, `More about ${name.toLowerCase()}`),
    ),
  ];
  return h('section', { class: random.hash() }, names.flatMap(entry));
}

function review(random: Random): string {
  return h(
    'article',
    { class: `card ${random.hash()}` },
    stars(random),
    h('h3', {}, text(capitalise(random.phrase(2, 5)))),
    h('p', {}, text(random.paragraph(1, 3))),
    box(
      'row muted',
      h('span', {}, text(random.person())),
      h('time', {}, `2026-0${random.int(1, 9)}-1${random.int(0, 9)}`),
    ),
    box('row', h('button', {}, `Helpful (${random.int(0, 40)})`), h('button', {}, 'Report')),
  );
}
