import { htmlDocument } from '../document.ts';
import { box, h, icon, link, text, times } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';
import { withChrome } from '../site-chrome.ts';

export function issueList(random: Random): string {
  const content = [
    repositoryHeader(),
    box(
      'row between',
      searchBar(),
      box(
        'row',
        link('/labels', 'Labels 34'),
        link('/milestones', 'Milestones 6'),
        link('/new', 'New issue', { class: 'badge' }),
      ),
    ),
    h(
      'div',
      { class: 'card', role: 'group', 'aria-label': 'Issues' },
      listHeader(random),
      h(
        'ul',
        { class: 'plain' },
        times(38, i => issueRow(random, 4200 - i)),
      ),
    ),
    h(
      'nav',
      { 'aria-label': 'Pagination' },
      box(
        'row',
        h('span', { 'aria-disabled': 'true' }, 'Previous'),
        ...times(7, i => link(`?page=${i + 1}`, String(i + 1))),
        link('?page=2', 'Next'),
      ),
    ),
  ].join('');
  const chrome = { brand: 'Forge', sections: 4, footerLinks: 16 };
  return htmlDocument({ title: 'Issues - acme/engine', css: issuesCss }, ...withChrome(random, chrome, content));
}

const issuesCss = `
.issue { display: flex; gap: 10px; padding: 8px 4px; border-top: 1px solid #e1e5ea } .issue:hover { background: #f6f8fa } .issue .main { flex: 1 }
.tag { border-radius: 10px; padding: 0 7px; font-size: 12px; border: 1px solid #b9c } .avatar { border-radius: 50%; width: 20px; height: 20px; display: inline-block; background: #9ab }
.tabs { border-bottom: 1px solid #ddd } .tabs a[aria-current] { border-bottom: 2px solid #f78166 } .counter { background: #eee; border-radius: 10px; padding: 0 6px; font-size: 12px }
.drop > summary { list-style: none; cursor: pointer } .drop > summary::after { content: "▾" } .drop-menu { position: absolute; background: #fff; border: 1px solid #ccc; padding: 8px; z-index: 5 }`;

function repositoryHeader(): string {
  const tabs = ['Code', 'Issues', 'Pull requests', 'Actions', 'Projects', 'Wiki', 'Security', 'Insights'];
  return h(
    'div',
    { class: 'stack' },
    h(
      'h1',
      {},
      link('/acme', 'acme'),
      ' / ',
      link('/acme/engine', 'engine'),
      ' ',
      h('span', { class: 'badge' }, 'Public'),
    ),
    box(
      'row',
      h('button', {}, icon(), ' Watch ', h('span', { class: 'counter', title: '312' }, '312')),
      h('button', {}, icon(), ' Star ', h('span', { class: 'counter' }, '8.1k')),
    ),
    h(
      'nav',
      { class: 'tabs row', 'aria-label': 'Repository' },
      tabs.map(tab =>
        h('a', { href: `/${tab}`, 'aria-current': tab === 'Issues' ? 'page' : undefined }, icon(), h('span', {}, tab)),
      ),
    ),
  );
}

function searchBar(): string {
  return h(
    'form',
    { role: 'search', class: 'row' },
    h('input', { type: 'text', 'aria-label': 'Search all issues', value: 'is:issue is:open', size: 40 }),
    h('button', { type: 'submit', 'aria-label': 'Search' }, icon()),
  );
}

function listHeader(random: Random): string {
  const drop = (name: string) =>
    h(
      'details',
      { class: 'drop' },
      h('summary', { role: 'button', 'aria-haspopup': 'menu' }, name),
      h(
        'div',
        { class: 'drop-menu' },
        h('input', { 'aria-label': `Filter ${name}` }),
        ...times(5, () => link(`?f=${random.slug()}`, random.person())),
      ),
    );
  return box(
    'row between',
    h('label', {}, h('input', { type: 'checkbox', 'aria-label': 'Select all issues' })),
    box('row', link('?q=open', '214 Open', { 'aria-current': 'true' }), link('?q=closed', '3,870 Closed')),
    box('row', ['Author', 'Label', 'Projects', 'Milestones', 'Assignee', 'Sort'].map(drop)),
  );
}

function issueRow(random: Random, id: number): string {
  const title = capitalise(random.phrase(5, 11));
  const labels = times(random.int(0, 3), () =>
    h(
      'a',
      { href: `/labels/${random.slug()}`, class: 'tag', 'data-name': random.phrase(1, 1) },
      h('span', {}, text(random.phrase(1, 2))),
    ),
  );
  const author = random.person();
  const avatars = times(random.int(0, 2), () => {
    const person = random.person();
    return h('a', { href: `/u/${person}`, 'aria-label': `Assigned to ${person}` }, h('span', { class: 'avatar' }));
  });
  return h(
    'li',
    { class: `issue ${random.hash()}`, id: `issue_${id}`, 'data-channel': random.hash() },
    h(
      'label',
      {},
      h('span', { class: 'visually-hidden' }, `Select issue ${id}`),
      h('input', { type: 'checkbox', value: id }),
    ),
    h('span', { title: 'Open issue' }, icon()),
    box(
      'main',
      h(
        'h3',
        { class: 'row' },
        link(`/acme/engine/issues/${id}`, title, { 'data-hovercard-type': 'issue' }),
        ...labels,
      ),
      h(
        'div',
        { class: 'muted' },
        `#${id} opened `,
        h('time', { datetime: '2026-10-01' }, `${random.int(2, 29)} days ago`),
        ' by ',
        link(`/u/${author}`, author),
      ),
    ),
    box('row', avatars),
    random.chance(0.7)
      ? h(
          'a',
          { href: `/acme/engine/issues/${id}#c`, 'aria-label': `${random.int(1, 60)} comments`, class: 'muted' },
          icon(),
          h('span', {}, String(random.int(1, 60))),
        )
      : '',
  );
}
