import { htmlDocument } from '../document.ts';
import { box, h, icon, link, text, times } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';
import { withChrome } from '../site-chrome.ts';

export function docsPage(random: Random): string {
  const headings = times(7, () => capitalise(random.phrase(2, 4)));
  const content = box(
    'docs',
    docsMenu(random),
    h(
      'article',
      { class: random.hash() },
      h('h1', {}, 'Configuring the gateway'),
      h('p', {}, prose(random)),
      headings.map(name => chapter(random, name)),
      pager(random),
    ),
    h(
      'aside',
      { 'aria-label': 'On this page' },
      h(
        'ul',
        { class: 'plain stack' },
        headings.map(name => h('li', {}, link(`#${anchor(name)}`, name))),
      ),
    ),
  );
  const chrome = { brand: 'Relay Docs', sections: 4, footerLinks: 16 };
  return htmlDocument(
    { title: 'Configuring the gateway - Relay Docs', css: docsCss },
    ...withChrome(random, chrome, content),
  );
}

const docsCss = `
.docs { display: grid; grid-template-columns: 220px 1fr 180px; gap: 32px } aside, .side { position: sticky; top: 90px; align-self: start; max-height: 80vh; overflow: auto }
pre { background: #f6f8fa; padding: 12px; overflow-x: auto; position: relative } .tok-k { color: #cf222e } .tok-s { color: #0a3069 } .tok-c { color: #6e7781 }
pre .copy { position: absolute; top: 6px; right: 6px; opacity: 0 } pre:hover .copy { opacity: 1 } .anchor { opacity: 0; margin-left: 6px } h2:hover .anchor { opacity: 1 } .note::before { content: "ℹ "; }
table { border-collapse: collapse } td, th { border: 1px solid #dde; padding: 4px 8px; text-align: left } li.collapsed > ul { display: none }`;

const anchor = (name: string) => name.toLowerCase().replaceAll(' ', '-');

function docsMenu(random: Random): string {
  const group = (index: number) =>
    h(
      'li',
      { class: index > 3 ? 'collapsed' : random.hash() },
      h('button', { 'aria-expanded': index > 3 ? 'false' : 'true' }, icon(), text(capitalise(random.phrase(1, 2)))),
      h(
        'ul',
        { class: 'plain' },
        times(6, () =>
          h('li', { class: random.hash() }, link(`/docs/${random.slug()}`, capitalise(random.phrase(1, 3)))),
        ),
      ),
    );
  return h('nav', { class: 'side', 'aria-label': 'Docs' }, h('ul', { class: 'plain stack' }, times(9, group)));
}

function prose(random: Random): string {
  return `${text(random.sentence())} ${h('code', {}, text(random.phrase(1, 1)))} ${text(random.phrase(3, 8))} ${link(`/docs/${random.slug()}`, random.phrase(1, 3))}. ${text(random.paragraph(1, 2))}`;
}

function chapter(random: Random, name: string): string {
  return [
    h(
      'h2',
      { id: anchor(name) },
      text(name),
      h('a', { href: `#${anchor(name)}`, class: 'anchor', 'aria-label': `Link to ${name}` }, '#'),
    ),
    h('p', {}, prose(random)),
    codeBlock(random),
    random.chance(0.5)
      ? optionTable(random)
      : h(
          'ul',
          {},
          times(4, () => h('li', {}, prose(random))),
        ),
    h('div', { class: 'note card', role: 'note' }, h('p', {}, prose(random))),
  ].join('');
}

function codeBlock(random: Random): string {
  const token = () => h('span', { class: random.pick(['tok-k', 'tok-s', 'tok-c']) }, text(random.phrase(1, 1)));
  const line = () =>
    h(
      'span',
      { class: 'line' },
      times(random.int(2, 5), () => `${token()} `),
      '\n',
    );
  return h(
    'pre',
    { tabindex: 0 },
    h('code', {}, times(6, line)),
    h('button', { class: 'copy', 'aria-label': 'Copy code' }, icon()),
  );
}

function optionTable(random: Random): string {
  const row = () =>
    h(
      'tr',
      {},
      h('td', {}, h('code', {}, text(random.phrase(1, 1)))),
      h('td', {}, random.pick(['string', 'number', 'boolean'])),
      h('td', {}, text(random.sentence(4, 9))),
    );
  return h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['Option', 'Type', 'Meaning'].map(name => h('th', { scope: 'col' }, name)),
      ),
    ),
    h('tbody', {}, times(6, row)),
  );
}

function pager(random: Random): string {
  const page = (label: string) =>
    h(
      'a',
      { href: `/docs/${random.slug()}`, class: 'card' },
      h('small', { class: 'muted' }, label),
      box('title', text(capitalise(random.phrase(2, 3)))),
    );
  return h('nav', { class: 'row between', 'aria-label': 'Pages' }, page('Previous'), page('Next'));
}
