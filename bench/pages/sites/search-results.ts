import { htmlDocument } from '../document.ts';
import { box, h, icon, link, picture, text, times, wrapped } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';

export function searchResults(random: Random): string {
  return htmlDocument(
    { title: 'harbour bridge - Seek', css: searchCss },
    searchHeader(),
    wrapped(
      3,
      () => random.hash(),
      box(
        'results',
        h(
          'main',
          { class: random.hash() },
          h('p', { class: 'muted' }, 'About 4,120,000 results'),
          answerBox(random),
          ...times(5, i => searchResult(random, i)),
          questions(random),
          ...times(13, i => searchResult(random, i + 5)),
          related(random),
          resultPages(),
        ),
        knowledgePanel(random),
      ),
    ),
    h(
      'footer',
      { class: 'site-footer row' },
      ['Help', 'Send feedback', 'Privacy', 'Terms'].map(name => link(`/${name}`, name)),
    ),
  );
}

const searchCss = `
.results { display: grid; grid-template-columns: 160px 640px 360px; } .results main { grid-column: 2 } .result { margin-bottom: 22px } .result h3 { margin: 0; font-size: 19px }
.cite { font-size: 13px } .q { cursor: pointer; border-top: 1px solid #ddd; padding: 10px 0; display: flex; justify-content: space-between } .q + .a { display: none } .q[aria-expanded=true] + .a { display: block }
.sublinks { display: grid; grid-template-columns: 1fr 1fr; gap: 4px } .kebab { background: none; border: 0 }`;

function searchHeader(): string {
  const tabs = ['All', 'Images', 'News', 'Videos', 'Maps', 'Shopping', 'More'];
  return h(
    'header',
    { class: 'site-header' },
    h(
      'form',
      { role: 'search', class: 'row' },
      h('a', { href: '/', 'aria-label': 'Go to Seek home' }, icon()),
      h(
        'textarea',
        {
          'aria-label': 'Search',
          role: 'combobox',
          'aria-expanded': 'false',
          'aria-autocomplete': 'both',
          rows: 1,
          cols: 50,
        },
        'harbour bridge',
      ),
      h('div', { role: 'button', tabindex: 0, 'aria-label': 'Clear' }, icon()),
      h('div', { role: 'button', tabindex: 0, 'aria-label': 'Search by voice' }, icon()),
      h('button', { type: 'submit', 'aria-label': 'Search' }, icon()),
      h(
        'ul',
        { class: 'popover plain', role: 'listbox' },
        times(8, index => h('li', { role: 'option' }, `harbour bridge ${index}`)),
      ),
    ),
    h(
      'nav',
      { class: 'row wrap' },
      tabs.map((tab, index) =>
        h('a', { href: `/?t=${tab}`, 'aria-current': index === 0 ? 'page' : undefined }, h('span', {}, tab)),
      ),
    ),
  );
}

function answerBox(random: Random): string {
  return box(
    'card',
    h('p', {}, text(random.paragraph(1, 2))),
    h(
      'a',
      { href: 'https://www.example.org/bridge' },
      h('h3', {}, text(random.headline())),
      h('cite', {}, 'www.example.org'),
    ),
    h('button', { 'aria-label': 'About this result' }, icon()),
  );
}

function searchResult(random: Random, index: number): string {
  const host = `www.${random.phrase(1, 1)}.example`;
  const sublinks = () =>
    box(
      'sublinks',
      times(4, () =>
        box(
          random.hash(),
          link(`https://${host}/${random.slug()}`, capitalise(random.phrase(1, 3))),
          h('p', { class: 'muted' }, text(random.phrase(4, 8))),
        ),
      ),
    );
  return h(
    'div',
    { class: `result ${random.hash()}`, 'data-hveid': random.hash(), 'data-ved': random.hash() },
    box(
      random.hash(),
      h(
        'a',
        { href: `https://${host}/${random.slug()}`, 'data-ved': random.hash() },
        h('h3', {}, text(random.headline())),
        box(
          'row cite',
          h('span', { class: 'badge' }, icon()),
          h('span', {}, host),
          h('cite', {}, `https://${host} › ${random.phrase(1, 1)}`),
        ),
      ),
      h('div', { class: 'kebab', role: 'button', tabindex: 0, 'aria-label': 'About this result' }, icon()),
    ),
    h(
      'div',
      { class: random.hash() },
      h('span', { class: 'muted' }, `${random.int(1, 28)} Oct 2026 — `),
      h('span', {}, text(random.paragraph(1, 2)), h('em', {}, 'harbour bridge')),
    ),
    index % 6 === 0 ? sublinks() : '',
  );
}

function questions(random: Random): string {
  const question = () => [
    h(
      'div',
      { class: 'q', role: 'button', tabindex: 0, 'aria-expanded': 'false' },
      h('span', {}, text(`${capitalise(random.phrase(5, 9))}?`)),
      icon(),
    ),
    box('a', h('p', {}, text(random.paragraph())), link('https://www.example.net', random.headline())),
  ];
  return h('section', {}, h('h2', {}, 'People also ask'), times(4, question).flat());
}

function related(random: Random): string {
  return h(
    'section',
    {},
    h('h2', {}, 'Related searches'),
    box(
      'grid two',
      times(8, () =>
        h('a', { href: `/?q=${random.slug()}`, class: 'card' }, icon(), h('span', {}, text(random.phrase(2, 4)))),
      ),
    ),
  );
}

function resultPages(): string {
  return h(
    'table',
    { role: 'presentation' },
    h(
      'tbody',
      {},
      h(
        'tr',
        {},
        times(10, index =>
          h(
            'td',
            {},
            index === 0
              ? '1'
              : h('a', { href: `/?p=${index + 1}`, 'aria-label': `Page ${index + 1}` }, String(index + 1)),
          ),
        ),
        h('td', {}, link('/?p=2', 'Next')),
      ),
    ),
  );
}

function knowledgePanel(random: Random): string {
  const fact = () =>
    h(
      'div',
      { class: random.hash() },
      h('span', { class: 'w' }, link(`/?q=${random.slug()}`, `${capitalise(random.phrase(1, 1))}:`)),
      h('span', {}, ' ', text(random.phrase(1, 4))),
    );
  return h(
    'aside',
    { class: 'card', 'aria-label': 'About harbour bridge' },
    picture('Harbour bridge at dusk', 320, 180),
    h('h2', {}, 'Harbour Bridge'),
    h('p', {}, text(random.paragraph()), link('/wiki', 'Encyclopedia')),
    times(8, fact),
    box(
      'row',
      times(4, () =>
        h('a', { href: `/?q=${random.slug()}` }, picture('', 72, 72), h('span', {}, text(random.phrase(1, 2)))),
      ),
    ),
  );
}
