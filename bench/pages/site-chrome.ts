import { box, h, icon, link, text, times, wrapped } from './markup.ts';
import { capitalise, type Random } from './random.ts';

export interface ChromeOptions {
  brand: string;
  /** Entries of the main navigation, each with a menu that stays hidden until hovered. */
  sections: number;
  /** Links in the footer's columns, four columns. */
  footerLinks: number;
  cookieBar?: boolean;
  /** The newsletter dialog covers the page; otherwise it is there but not shown. */
  dialogOpen?: true | undefined;
}

/** What surrounds the content of nearly every site: header, hidden menus and dialogs, footer. */
export function withChrome(random: Random, options: ChromeOptions, content: string): string[] {
  return [
    link('#content', 'Skip to main content', { class: 'skip-link' }),
    header(random, options),
    h(
      'main',
      { id: 'content', class: `wrap ${random.hash()}` },
      wrapped(4, () => random.hash(), content),
    ),
    footer(random, options),
    options.cookieBar ? cookieBar() : '',
    newsletterDialog(options.dialogOpen),
  ];
}

function header(random: Random, options: ChromeOptions): string {
  const top = box(
    'wrap row between',
    h('button', { class: 'hamburger', 'aria-label': 'Open menu', 'aria-expanded': 'false' }, icon()),
    link('/', options.brand, { class: `logo ${random.hash()}` }),
    searchForm(options.brand),
    h(
      'ul',
      { class: 'plain row' },
      accountMenu(),
      h('li', {}, h('a', { href: '/saved', 'aria-label': 'Saved items' }, icon())),
    ),
  );
  const entries = times(options.sections, index => menuEntry(random, index));
  const nav = h('nav', { class: 'desktop-nav', 'aria-label': 'Main' }, h('ul', { class: 'plain row wrap' }, entries));
  return h('header', { class: 'site-header', 'data-testid': 'masthead' }, top, nav);
}

function searchForm(brand: string): string {
  return h(
    'form',
    { role: 'search', action: '/search', class: 'row' },
    h('label', { for: 'q', class: 'visually-hidden' }, text(`Search ${brand}`)),
    h('input', { id: 'q', name: 'q', type: 'search', placeholder: 'Search', autocomplete: 'off' }),
    h('button', { type: 'submit', 'aria-label': 'Search' }, icon()),
  );
}

function accountMenu(): string {
  const items = ['Profile', 'Orders', 'Settings', 'Sign out'];
  return h(
    'li',
    { class: 'menu-root' },
    h('button', { 'aria-haspopup': 'menu', 'aria-expanded': 'false' }, icon(), h('span', {}, 'Account')),
    h(
      'ul',
      { class: 'plain popover', role: 'menu' },
      items.map(item => h('li', { role: 'none' }, link(`/account/${item.toLowerCase()}`, item, { role: 'menuitem' }))),
    ),
  );
}

function menuEntry(random: Random, index: number): string {
  const label = capitalise(random.phrase(1, 1));
  const column = () =>
    h(
      'ul',
      { class: 'plain' },
      times(4, () =>
        h('li', { class: random.hash() }, link(`/s${index}/${random.slug()}`, capitalise(random.phrase(1, 2)))),
      ),
    );
  return h(
    'li',
    { class: 'menu-root', 'data-section': index },
    link(`/section-${index}`, label, { 'aria-haspopup': 'true' }),
    box(
      'menu',
      times(2, () => box(random.hash(), h('h2', { class: 'muted' }, text(random.phrase(1, 2))), column())),
    ),
  );
}

function footer(random: Random, options: ChromeOptions): string {
  const perColumn = Math.ceil(options.footerLinks / 4);
  const column = () =>
    h(
      'div',
      { class: random.hash() },
      h('h2', { class: 'muted' }, text(capitalise(random.phrase(1, 2)))),
      h(
        'ul',
        { class: 'plain stack' },
        times(perColumn, () => h('li', {}, link(`/about/${random.slug()}`, capitalise(random.phrase(1, 3))))),
      ),
    );
  const social = ['RSS', 'Video channel', 'Photo feed'].map(name =>
    h('a', { href: `https://social.example/${options.brand.toLowerCase()}`, title: name, rel: 'noopener' }, icon()),
  );
  return h(
    'footer',
    { class: 'site-footer' },
    box('wrap grid four', times(4, column)),
    box('wrap row between', h('small', { class: 'muted' }, text(`© 2026 ${options.brand}`)), box('row', social)),
  );
}

function cookieBar(): string {
  return h(
    'div',
    { class: 'cookie-bar row between', role: 'region', 'aria-label': 'Cookie choices' },
    h('p', {}, 'We use cookies to measure visits. ', link('/cookies', 'Read the policy')),
    box('row', h('button', {}, 'Reject'), h('button', {}, 'Choose'), h('button', { class: 'primary' }, 'Accept all')),
  );
}

function newsletterDialog(open: true | undefined): string {
  return h(
    'div',
    { class: 'overlay', role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': 'nl-title', 'data-open': open },
    h(
      'form',
      { class: 'card stack' },
      h('h2', { id: 'nl-title' }, 'Get the newsletter'),
      h('input', { type: 'email', 'aria-label': 'Email' }),
      h('button', { type: 'submit' }, 'Subscribe'),
      h('button', { type: 'button', 'aria-label': 'Close' }, icon()),
    ),
  );
}
