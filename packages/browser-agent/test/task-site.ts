import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Mind } from './model-server.js';
import { refOn, says } from './model-server.js';

/** How the site differs from the one that tasks were recorded on. */
export interface Variant {
  /** Other names, prices, counts and dates around what the tasks are about, and another order. */
  otherData?: boolean;
  /** Other classes, ids and wrappers, the fields in another order, a banner. */
  otherMarkup?: boolean;
  /** Milliseconds until a page answers. */
  slow?: number;
  /** What a task is about stands nowhere, or is another one's. */
  gone?: boolean;
}

/** A site with a ticket list, a booking form, mail and settings; what was posted to it is the proof of what was done. */
export class TaskSite {
  readonly posted: string[] = [];
  variant: Variant = {};
  readonly #server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    let body = '';
    request.on('data', chunk => (body += chunk));
    request.on('end', () => {
      if (request.method === 'POST') this.posted.push(`${pathname} ${decodeURIComponent(body.replaceAll('+', ' '))}`);
      setTimeout(() => {
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end(this.#page(request.method === 'POST' ? '/saved' : pathname));
      }, this.variant.slow ?? 0);
    });
  });

  async start(): Promise<void> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(done => this.#server.close(done));
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  reset(variant: Variant = {}): void {
    this.posted.length = 0;
    this.variant = variant;
  }

  #page(path: string): string {
    const content = (PAGES[path] ?? (() => '<h1>Nothing here</h1>'))(this.variant);
    const { otherMarkup } = this.variant;
    const banner = otherMarkup ? '<aside class="promo"><p>New: dark mode</p><button>Dismiss</button></aside>' : '';
    const main = otherMarkup ? `<div id="r7"><section class="c-4">${content}</section></div>` : content;
    return `<!doctype html><link rel="icon" href="data:,"><title>${path}</title>${banner}<main>${main}</main>`;
  }
}

const PAGES: Record<string, (variant: Variant) => string> = {
  '/tickets': ({ otherData, otherMarkup, gone }) => {
    const rows: [string, string][] = otherData
      ? [
          ['Slow login', '7 days'],
          ['Broken search', '3 days'],
          ['Missing logo', '1 day'],
        ]
      : [
          ['Broken search', '2 days'],
          ['Slow login', '5 days'],
        ];
    const shown = gone ? rows.filter(([name]) => name !== 'Slow login').concat([['Slow export', '5 days']]) : rows;
    const cells = shown.map(([name, age]) => {
      const close = `<form method="post" action="/close"><input type="hidden" name="ticket" value="${name}"><button${otherMarkup ? ' class="b2"' : ''}>Close</button></form>`;
      return `<tr><td>${name}</td><td>${age}</td><td>${otherMarkup ? `<div class="w">${close}</div>` : close}</td></tr>`;
    });
    return `<h1>Tickets</h1><table><tr><th>Name</th><th>Age</th><th>Do</th></tr>${cells.join('')}</table>`;
  },
  '/booking': ({ otherData, otherMarkup, gone }) => {
    const rooms = otherData ? ['Attic', 'Garden', 'Cellar'] : ['Garden', 'Attic'];
    const fields = [
      `<p><label>Room <select name="room">${rooms.map(room => `<option>${room}</option>`).join('')}</select></label></p>`,
      '<p><label>Day <input type="date" name="day"></label></p>',
      '<p><label>Guest <input name="guest"></label></p>',
      '<p><label><input type="checkbox" name="breakfast" value="yes"> Breakfast</label></p>',
    ];
    const price = otherData ? '$120' : '$95';
    return `<h1>Booking</h1><p>From ${price}</p><form method="post" action="/book">${(otherMarkup ? fields.toReversed() : fields).join('')}<button>${gone ? 'Ask for a room' : 'Book'}</button></form>`;
  },
  '/mail': ({ otherData, otherMarkup, gone }) => {
    const mails: [string, string][] = otherData
      ? [
          ['Kim', 'Lunch?'],
          ['Lena', 'Invoice 12'],
          ['Newsletter', 'Ten new things'],
        ]
      : [
          ['Lena', 'Invoice 12'],
          ['Newsletter', 'Nine new things'],
        ];
    const shown = mails.filter(([from]) => !gone || from !== 'Lena');
    const item = ([from, subject]: [string, string]): string =>
      `<li${otherMarkup ? ' class="m"' : ''}><b>${from}</b> <a href="/mail/${encodeURIComponent(subject)}">${subject}</a></li>`;
    return `<h1>Mail</h1><ul aria-label="Inbox">${shown.map(item).join('')}</ul>`;
  },
  '/mail/Invoice%2012': ({ otherMarkup }) =>
    `<h1>Invoice 12</h1><p>Please confirm.</p><form method="post" action="/reply"${otherMarkup ? ' id="f1"' : ''}><label>Reply <textarea name="text"></textarea></label><button>Send</button></form>`,
  '/settings': ({ otherData, otherMarkup, gone }) => {
    const sections = ['Profile', 'Alerts'].map(
      section =>
        `<section${otherMarkup ? ` class="s-${section}"` : ''}><h2>${section}</h2><form method="post" action="/settings/${section}"><label>Name shown in ${section} <input name="name" value="${otherData ? 'zed' : 'ann'}"></label><button>Save</button></form></section>`,
    );
    return `<h1>Settings</h1>${(gone ? sections.slice(0, 1) : sections).join('')}`;
  },
  '/menu': ({ otherData, otherMarkup, gone }) => {
    const entries = otherData ? ['Rename', 'Archive', 'Share', 'Delete'] : ['Rename', 'Archive', 'Delete'];
    const items = entries
      .filter(name => !gone || name !== 'Archive')
      .map(name => `<form method="post" action="/menu/${name}"><button role="menuitem">${name}</button></form>`);
    return `<h1>Document</h1><button aria-haspopup="menu" onclick="menu.hidden = !menu.hidden">More</button><div role="menu" id="menu" hidden>${otherMarkup ? `<div>${items.join('')}</div>` : items.join('')}</div>`;
  },
  '/saved': () => '<h1>Saved</h1>',
};

/** A task, how it is done by somebody who reads the page, and what it leaves behind. */
export interface Task {
  name: string;
  path: string;
  mind: Mind;
  posted: string[];
  /** What a rerun names that cannot find its control. */
  sought: RegExp;
}

const done = says([{ done: { text: 'Saved', success: true } }]);

/** A mind that sees the last page it was shown. */
function mindOf(act: (shown: { text: string }) => object[]): Mind {
  return asked => {
    const text = asked.text.slice(asked.text.lastIndexOf('<browser_state>'));
    return text.includes('heading "Saved"') ? done : says(act({ text }));
  };
}

/** What stands from a text on, so that the first of several alike is the one behind it. */
const from = ({ text }: { text: string }, start: string) =>
  ({ text: text.slice(text.indexOf(start)) }) as Parameters<typeof refOn>[0];
const on = (shown: { text: string }) => shown as Parameters<typeof refOn>[0];

export const TASKS: Task[] = [
  {
    name: 'closes a ticket in a table',
    path: '/tickets',
    mind: mindOf(shown => [{ click: { ref: refOn(from(shown, 'Slow login'), 'button', 'Close') } }]),
    posted: ['/close ticket=Slow login'],
    sought: /button "Close" in "Slow login/,
  },
  {
    name: 'books a room',
    path: '/booking',
    mind: mindOf(shown => [
      {
        fill_form: {
          fields: [
            { ref: refOn(on(shown), 'combobox', 'Room'), value: 'Attic' },
            { ref: /"Day" (@e\d+)/.exec(shown.text)?.[1], value: '2027-03-04' },
            { ref: refOn(on(shown), 'textbox', 'Guest'), value: 'Ann Lee' },
            { ref: refOn(on(shown), 'checkbox', 'Breakfast'), value: true },
          ],
        },
      },
      { click: { ref: refOn(on(shown), 'button', 'Book') } },
    ]),
    posted: ['/book breakfast=yes&day=2027-03-04&guest=Ann Lee&room=Attic'],
    sought: /button "Book"/,
  },
  {
    name: 'answers a mail',
    path: '/mail',
    mind: mindOf(shown =>
      shown.text.includes('textbox "Reply"')
        ? [
            { type: { ref: refOn(on(shown), 'textbox', 'Reply'), text: 'Confirmed' } },
            { click: { ref: refOn(on(shown), 'button', 'Send') } },
          ]
        : [{ click: { ref: refOn(on(shown), 'link', 'Invoice 12') } }],
    ),
    posted: ['/reply text=Confirmed'],
    sought: /link "Invoice 12"/,
  },
  {
    name: 'changes one of two settings',
    path: '/settings',
    mind: mindOf(shown => [
      { type: { ref: refOn(on(shown), 'textbox', 'Name shown in Alerts'), text: 'Ann L.' } },
      { click: { ref: refOn(from(shown, 'Name shown in Alerts'), 'button', 'Save') } },
    ]),
    posted: ['/settings/Alerts name=Ann L.'],
    sought: /textbox "Name shown in Alerts"/,
  },
  {
    name: 'chooses from a menu',
    path: '/menu',
    mind: mindOf(shown =>
      shown.text.includes('menuitem "Archive"')
        ? [{ click: { ref: refOn(on(shown), 'menuitem', 'Archive') } }]
        : [{ click: { ref: refOn(on(shown), 'button', 'More') } }],
    ),
    posted: ['/menu/Archive '],
    sought: /menuitem "Archive"/,
  },
];
