import { htmlDocument } from '../document.ts';
import { box, h, icon, text, times, wrapped } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';

/** An application of divs with ARIA roles rather than native controls, as web mail is. */
export function mailInbox(random: Random): string {
  return htmlDocument(
    { title: 'Inbox (214) - Post', css: mailCss, bodyClass: 'app' },
    mailHeader(),
    box(
      'columns',
      folders(random),
      h(
        'main',
        { class: random.hash() },
        mailToolbar(),
        categoryTabs(random),
        wrapped(4, () => random.hash(), messageTable(random, 90)),
      ),
      sidePanel(),
    ),
  );
}

const mailCss = `
.app { display: flex; flex-direction: column; height: 100vh } .columns { display: grid; grid-template-columns: 220px 1fr 56px; flex: 1; min-height: 0 }
.columns main { overflow: auto } [role=button], .message, .folder { cursor: pointer } .tool { display: inline-flex; padding: 6px; border-radius: 50% }
.message { border-bottom: 1px solid #eef } .message td { padding: 4px 6px; white-space: nowrap } .unread { font-weight: 700 } .subject { max-width: 620px; overflow: hidden; text-overflow: ellipsis }
.hover-tools { visibility: hidden } .message:hover .hover-tools { visibility: visible } .box { width: 16px; height: 16px; border: 2px solid #778; display: inline-block }
.folder { display: flex; gap: 12px; padding: 4px 12px } .folder[aria-selected=true] { background: #d3e3fd } .star::before { content: "☆" } .star[aria-checked=true]::before { content: "★" }`;

function tool(label: string): string {
  return h(
    'div',
    {
      role: 'button',
      tabindex: 0,
      class: 'tool',
      'aria-label': label,
      'data-tooltip': label,
      'aria-disabled': 'false',
    },
    box('tool-inner', icon()),
  );
}

function mailHeader(): string {
  return h(
    'header',
    { class: 'row between', role: 'banner' },
    box('row', tool('Main menu'), h('a', { href: '#inbox', 'aria-label': 'Post home' }, icon())),
    h(
      'form',
      { role: 'search', class: 'row' },
      tool('Search mail'),
      h('input', { 'aria-label': 'Search mail', placeholder: 'Search mail', size: 50 }),
      tool('Show search options'),
    ),
    box(
      'row',
      tool('Support'),
      tool('Settings'),
      tool('Apps'),
      h('a', { href: '/account', 'aria-label': 'Account: Ada Lind (ada@example.com)' }, icon()),
    ),
  );
}

function folders(random: Random): string {
  const names = [
    'Inbox',
    'Starred',
    'Snoozed',
    'Sent',
    'Drafts',
    'Important',
    'Scheduled',
    'All mail',
    'Spam',
    'Bin',
    ...times(12, () => capitalise(random.phrase(1, 2))),
  ];
  const folder = (name: string, index: number) =>
    h(
      'div',
      {
        class: `folder ${random.hash()}`,
        role: 'treeitem',
        'aria-selected': index === 0 ? 'true' : 'false',
        tabindex: index === 0 ? 0 : -1,
      },
      h('span', {}, icon()),
      h('a', { href: `#${index}`, tabindex: -1, 'aria-label': index === 0 ? 'Inbox 214 unread' : name }, text(name)),
      index % 3 === 0 ? h('span', { class: 'badge' }, String(random.int(1, 300))) : '',
      h('span', { class: 'hidden', role: 'button', 'aria-label': `Options of ${name}` }, icon()),
    );
  return h(
    'nav',
    { 'aria-label': 'Folders' },
    h('div', { role: 'button', tabindex: 0, class: 'card' }, icon(), 'Compose'),
    h('div', { role: 'tree' }, names.map(folder)),
  );
}

function mailToolbar(): string {
  return h(
    'div',
    { class: 'row between', role: 'toolbar', 'aria-label': 'Mail actions' },
    box(
      'row',
      h('div', { role: 'checkbox', tabindex: 0, 'aria-checked': 'false', 'aria-label': 'Select' }, box('box')),
      tool('Refresh'),
      tool('More options'),
    ),
    box('row muted', h('span', {}, '1-100 of 4,321'), tool('Newer'), tool('Older')),
  );
}

function categoryTabs(random: Random): string {
  const tab = (name: string, index: number) =>
    h(
      'div',
      {
        role: 'tab',
        'aria-selected': index === 0 ? 'true' : 'false',
        tabindex: index === 0 ? 0 : -1,
        class: `row ${random.hash()}`,
      },
      icon(),
      h('span', {}, name),
    );
  return h(
    'div',
    { role: 'tablist', 'aria-label': 'Section tabs', class: 'row' },
    ['Primary', 'Promotions', 'Social', 'Updates'].map(tab),
  );
}

function messageTable(random: Random, count: number): string {
  return h(
    'table',
    { role: 'grid', 'aria-label': 'Messages', 'aria-readonly': 'true' },
    h(
      'colgroup',
      {},
      times(6, () => h('col', {})),
    ),
    h(
      'tbody',
      {},
      times(count, i => message(random, i)),
    ),
  );
}

function message(random: Random, index: number): string {
  const sender = random.person();
  const unread = random.chance(0.3);
  const cell = (attributes: Record<string, string>, ...children: string[]) =>
    h('td', { role: 'gridcell', ...attributes }, ...children);
  return h(
    'tr',
    {
      class: `message ${unread ? 'unread' : ''} ${random.hash()}`,
      role: 'row',
      tabindex: -1,
      id: `:${index}`,
      draggable: 'true',
    },
    cell(
      {},
      h(
        'div',
        { role: 'checkbox', tabindex: -1, 'aria-checked': 'false', 'aria-label': `Select message from ${sender}` },
        box('box'),
      ),
    ),
    cell(
      {},
      h('span', {
        role: 'checkbox',
        class: 'star',
        tabindex: -1,
        'aria-checked': index % 9 === 0 ? 'true' : 'false',
        'aria-label': 'Star',
      }),
    ),
    cell({}, box('sender', h('span', { email: `${index}@example.com`, name: sender }, text(sender)))),
    cell(
      { class: 'subject' },
      box(
        'row',
        h('span', {}, text(capitalise(random.phrase(3, 7)))),
        h('span', { class: 'muted' }, ' - ', text(random.sentence(8, 16))),
      ),
    ),
    cell({}, h('span', { title: 'Mon, 2 Nov 2026, 10:12' }, h('span', {}, `${random.int(1, 28)} Oct`))),
    cell(
      { class: 'hover-tools' },
      h(
        'ul',
        { role: 'toolbar', class: 'plain row' },
        ['Archive', 'Delete', 'Mark as read', 'Snooze'].map(name => h('li', { 'data-tooltip': name }, icon())),
      ),
    ),
  );
}

function sidePanel(): string {
  return h(
    'aside',
    { 'aria-label': 'Side panel', class: 'stack' },
    ['Calendar', 'Notes', 'Tasks', 'Contacts', 'Add-ons'].map(tool),
  );
}
