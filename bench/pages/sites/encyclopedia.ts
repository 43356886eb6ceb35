import { htmlDocument } from '../document.ts';
import { box, h, link, picture, text, times, wrapped } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';

export function encyclopedia(random: Random): string {
  const sections = times(13, () => capitalise(random.phrase(1, 4)));
  const article = h(
    'main',
    { id: 'content', class: 'content' },
    h('header', {}, h('h1', {}, 'Harbour Bridge'), languages(random, 140), pageTools()),
    infobox(random),
    h(
      'div',
      { class: 'body' },
      ...times(3, () => paragraph(random)),
      contents(sections),
      ...sections.map(name => articleSection(random, name)),
      references(random, 90),
    ),
    navigationBox(random, 130),
    h(
      'div',
      { id: 'catlinks' },
      link('/wiki/Help:Category', 'Categories'),
      ': ',
      h(
        'ul',
        { class: 'plain row wrap-line' },
        times(16, () => h('li', {}, wikiLink(random))),
      ),
    ),
  );
  return htmlDocument(
    { title: 'Harbour Bridge - Openpedia', css: wikiCss },
    h('a', { class: 'skip-link', href: '#content' }, 'Jump to content'),
    wikiHeader(),
    wrapped(3, () => random.hash(), box('page-grid', wikiMenu(), article)),
    h(
      'footer',
      { class: 'site-footer' },
      h(
        'ul',
        { class: 'plain row wrap' },
        ['Privacy', 'About', 'Disclaimers', 'Developers', 'Statistics'].map(name =>
          h('li', {}, link(`/${name}`, name)),
        ),
      ),
    ),
  );
}

const wikiCss = `
.page-grid { display: grid; grid-template-columns: 180px 1fr; gap: 20px; padding: 0 16px } .content a { color: #36c } .infobox { float: right; width: 280px; border: 1px solid #a2a9b1; background: #f8f9fa; font-size: 13px; margin: 0 0 12px 12px }
.thumb { float: left; width: 220px; margin: 4px 12px 4px 0; font-size: 12px } .edit { font-size: 12px; margin-left: 8px } .edit::before { content: "[" } .edit::after { content: "]" } sup.ref { font-size: 11px } .refs { columns: 2; font-size: 13px }
.navbox { border: 1px solid #a2a9b1; font-size: 12px } .navbox li { display: inline } .navbox li::after { content: " · " } .wrap-line { flex-wrap: wrap } .language-menu { display: none; columns: 3 } .noprint:empty { display: none } .mw-jump { position: absolute; clip-path: inset(50%) }`;

function wikiLink(random: Random): string {
  const title = capitalise(random.phrase(1, 3));
  return link(`/wiki/${title.replaceAll(' ', '_')}`, title, { title });
}

function wikiHeader(): string {
  return h(
    'header',
    { class: 'row between wrap' },
    link('/wiki/Main_Page', 'Openpedia'),
    h(
      'form',
      { role: 'search', class: 'row' },
      h('input', { type: 'search', 'aria-label': 'Search Openpedia', placeholder: 'Search Openpedia', accesskey: 'f' }),
      h('button', {}, 'Search'),
    ),
    h(
      'nav',
      { class: 'row', 'aria-label': 'Personal tools' },
      link('/donate', 'Donate'),
      link('/new', 'Create account'),
      link('/login', 'Log in'),
    ),
  );
}

function wikiMenu(): string {
  const groups = {
    Navigation: ['Main page', 'Contents', 'Current events', 'Random article', 'About'],
    Contribute: ['Help', 'Learn to edit', 'Community portal', 'Recent changes', 'Upload file'],
    Tools: ['What links here', 'Related changes', 'Permanent link', 'Page information', 'Cite this page'],
  };
  return h(
    'div',
    {},
    Object.entries(groups).map(([name, entries]) =>
      h(
        'nav',
        { 'aria-labelledby': `n-${name}` },
        h('h2', { id: `n-${name}`, class: 'muted' }, name),
        h(
          'ul',
          { class: 'plain' },
          entries.map(entry =>
            h(
              'li',
              { id: `n-${entry.replaceAll(' ', '')}` },
              h('a', { href: `/wiki/${entry}`, title: `${entry} [alt-shift-x]` }, h('span', {}, entry)),
            ),
          ),
        ),
      ),
    ),
  );
}

function languages(random: Random, count: number): string {
  return box(
    'lang',
    h('button', { 'aria-haspopup': 'true', 'aria-expanded': 'false' }, `${count} languages`),
    h(
      'ul',
      { class: 'language-menu plain' },
      times(count, () => h('li', {}, wikiLink(random))),
    ),
  );
}

function pageTools(): string {
  return h(
    'nav',
    { class: 'row', 'aria-label': 'Page' },
    ['Article', 'Talk', 'Read', 'View source', 'View history'].map(name =>
      h('a', { href: `?a=${name}` }, h('span', {}, name)),
    ),
  );
}

function infobox(random: Random): string {
  const row = () =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, text(capitalise(random.phrase(1, 2)))),
      h('td', {}, wikiLink(random), ' ', text(random.phrase(1, 4)), reference(random)),
    );
  return h(
    'table',
    { class: 'infobox' },
    h('caption', {}, 'Harbour Bridge'),
    h(
      'tbody',
      {},
      h(
        'tr',
        {},
        h(
          'td',
          { colspan: 2 },
          h('a', { href: '/wiki/File:Bridge.jpg' }, picture('The bridge seen from the north shore', 260, 160)),
        ),
      ),
      times(18, row),
    ),
  );
}

function reference(random: Random): string {
  const id = random.int(1, 90);
  return h(
    'sup',
    { class: 'ref', id: `r${id}-${random.hash()}` },
    h('a', { href: `#note-${id}` }, h('span', {}, '['), String(id), h('span', {}, ']')),
  );
}

function paragraph(random: Random): string {
  const part = () =>
    `${text(random.sentence(5, 12))} ${wikiLink(random)} ${text(random.phrase(3, 8))}, ${wikiLink(random)}${random.chance(0.6) ? reference(random) : ''} `;
  return h('p', {}, times(random.int(2, 4), part));
}

function contents(names: readonly string[]): string {
  const entry = (name: string, index: number) =>
    h(
      'li',
      {},
      h(
        'a',
        { href: `#${name.replaceAll(' ', '_')}` },
        h('span', { class: 'n' }, `${index + 1} `),
        h('span', {}, text(name)),
      ),
    );
  return h(
    'nav',
    { class: 'card', 'aria-label': 'Contents' },
    h('h2', {}, 'Contents'),
    h('ol', { class: 'plain' }, names.map(entry)),
  );
}

function articleSection(random: Random, name: string): string {
  return [
    h(
      'h2',
      {},
      h('span', { id: name.replaceAll(' ', '_') }, text(name)),
      h('span', { class: 'edit' }, h('a', { href: '?edit', title: `Edit section: ${name}` }, 'edit')),
    ),
    random.chance(0.5)
      ? h(
          'figure',
          { class: 'thumb' },
          h('a', { href: '/wiki/File:X.jpg' }, picture(random.phrase(4, 6), 200, 130)),
          h('figcaption', {}, text(random.sentence(5, 9)), wikiLink(random)),
        )
      : '',
    ...times(6, () => paragraph(random)),
    h(
      'ul',
      {},
      times(4, () => h('li', {}, wikiLink(random), ', ', text(random.phrase(3, 6)))),
    ),
  ].join('');
}

function references(random: Random, count: number): string {
  const note = (index: number) =>
    h(
      'li',
      { id: `note-${index + 1}` },
      h('span', {}, h('a', { href: `#r${index}`, 'aria-label': 'Jump up' }, '^')),
      ' ',
      h(
        'cite',
        {},
        text(`${random.person()}. `),
        h('a', { href: `https://press.example/${random.slug()}`, rel: 'nofollow' }, `"${random.phrase(3, 7)}"`),
        '. ',
        h('i', {}, text(random.phrase(1, 2))),
        `. ${random.int(1950, 2026)}.`,
      ),
    );
  return h('section', {}, h('h2', {}, 'References'), h('ol', { class: 'refs' }, times(count, note)));
}

function navigationBox(random: Random, count: number): string {
  const row = () =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, wikiLink(random)),
      h(
        'td',
        {},
        h(
          'ul',
          { class: 'plain' },
          times(Math.ceil(count / 8), () => h('li', {}, wikiLink(random))),
        ),
      ),
    );
  return h(
    'nav',
    { class: 'navbox', 'aria-label': 'Bridges' },
    h('table', {}, h('tbody', {}, h('tr', {}, h('th', { colspan: 2 }, wikiLink(random))), times(8, row))),
  );
}
