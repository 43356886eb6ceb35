import { htmlDocument } from '../document.ts';
import { box, h, icon, picture, text, times, wrapped } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';

/** Pointer areas, contenteditable, icon buttons: little of it is native HTML. */
export function socialFeed(random: Random): string {
  const main = h(
    'main',
    { role: 'main', class: random.hash() },
    tabs(),
    composer(),
    h(
      'div',
      { role: 'region', 'aria-label': 'Timeline' },
      times(36, i => wrapped(3, () => random.hash(), post(random, i))),
    ),
  );
  return htmlDocument(
    { title: 'Home / Chirrup', css: feedCss },
    wrapped(4, () => random.hash(), box('app row', navigation(), main, trendsAndSuggestions(random))),
  );
}

const feedCss = `
.app { align-items: flex-start; justify-content: center } .app nav, .app aside { position: sticky; top: 0; width: 240px } .app main { width: 600px; border: 1px solid #eee }
.post { display: flex; gap: 10px; padding: 10px; border-bottom: 1px solid #eee; cursor: pointer } .post:hover { background: #fafafa } .actions { display: flex; justify-content: space-between; max-width: 420px }
.action { cursor: pointer; display: inline-flex; gap: 4px; background: none; border: 0 } .avatar { width: 40px; height: 40px; border-radius: 50%; background: #9bd; display: block } .composer { min-height: 48px; outline: none }
.composer:empty::before { content: attr(data-placeholder); color: #889 } .trend { cursor: pointer; padding: 8px } .sheet { display: none; position: absolute }`;

function navigation(): string {
  const entries = [
    'Home',
    'Explore',
    'Notifications',
    'Messages',
    'Lists',
    'Bookmarks',
    'Communities',
    'Profile',
    'More',
  ];
  const entry = (name: string) =>
    h(
      'a',
      { href: `/${name.toLowerCase()}`, role: 'link', 'aria-label': name, class: 'row' },
      box('r', icon()),
      box('r', h('span', {}, name)),
    );
  return h(
    'nav',
    { 'aria-label': 'Primary', class: 'stack' },
    entries.map(entry),
    h('button', {}, h('span', {}, 'Post')),
  );
}

function tabs(): string {
  return h(
    'div',
    { role: 'tablist', class: 'row' },
    ['For you', 'Following'].map((name, i) =>
      h(
        'a',
        { role: 'tab', href: `#${i}`, 'aria-selected': i === 0 ? 'true' : 'false' },
        box('r', h('span', {}, name)),
      ),
    ),
  );
}

function composer(): string {
  const tools = ['Add photos', 'Add GIF', 'Add poll', 'Add emoji', 'Schedule', 'Tag location'];
  return box(
    'post',
    h('span', { class: 'avatar' }),
    box(
      'stack',
      h('div', {
        class: 'composer',
        contenteditable: 'true',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': 'Post text',
        'data-placeholder': 'What is happening?',
      }),
      box(
        'row',
        tools.map(name =>
          h('div', { role: 'button', tabindex: 0, 'aria-label': name, class: 'action' }, box('r', icon())),
        ),
        h('button', { disabled: true }, 'Post'),
      ),
      h('input', { type: 'file', multiple: true, class: 'hidden' }),
    ),
  );
}

function post(random: Random, index: number): string {
  const author = random.person();
  const handle = `@${author.toLowerCase().replace(' ', '_')}`;
  const menu = h(
    'div',
    { class: 'sheet', role: 'menu' },
    ['Mute', 'Block', 'Report'].map(name => h('div', { role: 'menuitem', tabindex: 0 }, `${name} ${handle}`)),
  );
  return h(
    'article',
    {
      class: `post ${random.hash()}`,
      tabindex: 0,
      role: 'article',
      'aria-labelledby': `p${index}`,
      'data-testid': 'post',
    },
    h('a', { href: `/${handle}`, tabindex: -1, 'aria-hidden': 'true' }, h('span', { class: 'avatar' })),
    box(
      'stack',
      box(
        'row',
        h('a', { href: `/${handle}`, id: `p${index}` }, box('r', h('span', {}, h('span', {}, text(author))))),
        h('span', { class: 'muted' }, handle),
        h(
          'a',
          { href: `/${handle}/status/${index}`, 'aria-label': `${random.int(2, 50)} minutes ago` },
          h('time', {}, `${random.int(2, 50)}m`),
        ),
        h('button', { 'aria-label': 'More', 'aria-haspopup': 'menu', class: 'action' }, icon()),
        menu,
      ),
      h(
        'div',
        { lang: 'en', class: random.hash() },
        h('span', {}, text(random.paragraph(1, 2))),
        ' ',
        h('a', { href: `/tag/${random.slug()}` }, `#${random.phrase(1, 1)}`),
      ),
      random.chance(0.4)
        ? h(
            'a',
            { href: `/${handle}/status/${index}/photo/1`, 'aria-label': 'Photo' },
            picture(random.sentence(4, 8), 480, 270),
          )
        : '',
      h(
        'div',
        { role: 'group', class: 'actions', 'aria-label': '12 replies, 40 reposts, 201 likes' },
        ['Reply', 'Repost', 'Like', 'Bookmark', 'Share'].map(name => action(random, name)),
      ),
    ),
  );
}

function action(random: Random, name: string): string {
  const count = random.int(1, 900);
  return h(
    'button',
    { class: 'action', 'aria-label': `${count} ${name}`, 'data-testid': name.toLowerCase() },
    box('r', icon()),
    h('span', { class: random.hash() }, h('span', {}, String(count))),
  );
}

function trendsAndSuggestions(random: Random): string {
  const trend = () =>
    h(
      'div',
      { class: 'trend', tabindex: 0, 'data-testid': 'trend' },
      h('div', { class: 'muted' }, text(`${capitalise(random.phrase(1, 1))} · Trending`)),
      h('div', {}, text(capitalise(random.phrase(1, 3)))),
      h('div', { class: 'muted' }, `${random.int(2, 90)}K posts`),
    );
  const suggestion = () => {
    const person = random.person();
    return box(
      'row between',
      h('a', { href: `/${person}` }, h('span', { class: 'avatar' }), h('span', {}, text(person))),
      h('button', { 'aria-label': `Follow ${person}` }, 'Follow'),
    );
  };
  return h(
    'aside',
    {},
    h(
      'form',
      { role: 'search' },
      h('input', { role: 'combobox', 'aria-label': 'Search query', placeholder: 'Search', 'aria-expanded': 'false' }),
    ),
    h('section', { class: 'card' }, h('h2', {}, 'Trends'), times(8, trend)),
    h('section', { class: 'card' }, h('h2', {}, 'Who to follow'), times(4, suggestion)),
  );
}
