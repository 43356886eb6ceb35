import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { type Masthead, page } from './layout.ts';
import type { Site } from './site.ts';

type Folder = 'inbox' | 'archive' | 'trash' | 'sent';

export interface Mail {
  id: number;
  from: string;
  to: string;
  subject: string;
  date: string;
  body: string;
  folder: Folder;
}

export interface Mailbox {
  mails: Mail[];
}

const ME = 'kim@postbird.example';

const RECEIVED: readonly [from: string, subject: string, date: string, body: string, folder?: Folder][] = [
  [
    'digest@gardenweekly.example',
    'Garden Weekly: ten shrubs for shade',
    '12 May',
    'This week: ten shrubs.\nUnsubscribe at any time.',
  ],
  [
    'paula.reyes@northwind.example',
    'Budget for the stand',
    '12 May',
    'Hello Kim,\ncan you confirm that we stay below 4,200 dollars for the stand at the fair?\nPaula',
  ],
  [
    'bookings@skylark.example',
    'Your flight to Lisbon',
    '11 May',
    'Your booking is complete.\nPassenger: Kim Aas\nBooking code: QZ7R4M\nFlight SK 481, 3 June, 07:40.',
  ],
  ['noreply@parcelpoint.example', 'Your parcel is on its way', '11 May', 'Parcel 5521-88 arrives on Tuesday.'],
  [
    'digest@gardenweekly.example',
    'Garden Weekly: when to cut back lavender',
    '5 May',
    'This week: lavender.\nUnsubscribe at any time.',
  ],
  ['paul.reyes@northwind.example', 'Lunch on Thursday', '4 May', 'Hello Kim,\nlunch at twelve on Thursday?\nPaul'],
  [
    'bookings@skylark.example',
    'Your flight to Oslo',
    '2 May',
    'Your booking is complete.\nPassenger: Kim Aas\nBooking code: HT2P9X\nFlight SK 112, 9 May, 18:05.',
  ],
  ['it-desk@northwind.example', 'Password change on 1 June', '30 April', 'All passwords expire on 1 June.'],
  [
    'digest@gardenweekly.example',
    'Garden Weekly: a pond in a bucket',
    '28 April',
    'This week: ponds.\nUnsubscribe at any time.',
  ],
  ['lars@fjordrun.example', 'Garden Weekly is great', '27 April', 'Kim, you should keep reading it.\nLars'],
  ['offers@megamart.example', 'Only today: 80 percent off', '20 April', 'Buy now.', 'trash'],
  ['offers@megamart.example', 'Last chance', '19 April', 'Really, buy now.', 'trash'],
];

/** What is in the mailbox before anybody came. */
export const MAILS: readonly Mail[] = RECEIVED.map(([from, subject, date, body, folder = 'inbox'], index) => ({
  id: index + 1,
  from,
  to: ME,
  subject,
  date,
  body,
  folder,
}));

const MAIL_FOLDERS: readonly Folder[] = ['inbox', 'archive', 'sent', 'trash'];
const postbird: Masthead = {
  name: 'Postbird',
  nav: [
    ['Inbox', '/?folder=inbox'],
    ['Archive', '/?folder=archive'],
    ['Sent', '/?folder=sent'],
    ['Trash', '/?folder=trash'],
    ['Write', '/write'],
  ],
};

const letter = z.object({
  to: z.email('Enter the address of who gets it'),
  subject: z.string().trim().min(1, 'Enter a subject'),
  body: z.string().trim().min(1, 'Write something'),
});

export const mailSite: Site<Mailbox> = {
  name: 'mail',
  newState: () => ({ mails: structuredClone([...MAILS]) }),
  app: state => {
    const found = (c: Context): Mail | undefined => state.mails.find(({ id }) => String(id) === c.req.param('id'));
    return new Hono()
      .get('/', c => c.html(mailsPage(state, c.req.query('folder') ?? 'inbox', c.req.query('q') ?? '')))
      .get('/mails/:id', c => {
        const mail = found(c);
        return mail === undefined ? c.notFound() : c.html(reader(mail));
      })
      .get('/mails/:id/reply', c => {
        const mail = found(c);
        if (mail === undefined) return c.notFound();
        return c.html(writer({ to: mail.from, subject: `Re: ${mail.subject}`, body: '' }));
      })
      .get('/write', c => c.html(writer({ to: '', subject: '', body: '' })))
      .post('/send', async c => {
        const given = await c.req.parseBody();
        const written = letter.safeParse(given);
        if (!written.success) {
          const { to = '', subject = '', body = '' } = given as Record<string, string>;
          return c.html(writer({ to, subject, body }, written.error.issues[0]?.message), 422);
        }
        const id = Math.max(...state.mails.map(mail => mail.id)) + 1;
        state.mails.push({ id, from: ME, ...written.data, date: 'Today', folder: 'sent' });
        return c.redirect('/?folder=sent', 303);
      })
      .post('/move', async c => {
        const { to, id = [] } = await c.req.parseBody({ all: true });
        const ids = [id].flat().map(Number);
        const folder = MAIL_FOLDERS.find(name => name === to);
        if (folder === undefined) return c.text('No such folder', 400);
        for (const mail of state.mails) if (ids.includes(mail.id)) mail.folder = folder;
        return c.redirect('/?folder=inbox', 303);
      })
      .post('/empty-trash', c => {
        state.mails = state.mails.filter(({ folder }) => folder !== 'trash');
        return c.redirect('/?folder=trash', 303);
      });
  },
};

function mailsPage({ mails }: Mailbox, folder: string, query: string) {
  const words = query.toLowerCase();
  const shown = mails.filter(mail =>
    words === '' ? mail.folder === folder : `${mail.from} ${mail.subject} ${mail.body}`.toLowerCase().includes(words),
  );
  const rows = shown.map(
    ({ id, from, subject, date }) =>
      html`<tr><td><input type="checkbox" name="id" value="${id}" aria-label="Select ${subject}"></td><td>${from}</td><td><a href="/mails/${id}">${subject}</a></td><td>${date}</td></tr>`,
  );
  const empty = html`<form method="post" action="/empty-trash" onsubmit="return confirm('Delete all mails in the trash for good?')"><button>Empty trash</button></form>`;
  const body = html`<form role="search"><label>Search mail <input type="text" name="q" value="${query}"></label><button>Search</button></form>
${folder === 'trash' && shown.length > 0 ? empty : ''}
<form method="post" action="/move">
  <p class="row"><button name="to" value="archive">Archive</button><button name="to" value="trash">Delete</button></p>
  <table aria-label="Mails"><tbody>${rows}</tbody></table>
</form>
<p role="status">${shown.length} mails</p>`;
  const title = words === '' ? `${folder.charAt(0).toUpperCase()}${folder.slice(1)}` : `Found for “${query}”`;
  return page(postbird, { title, body });
}

function reader({ id, from, to, subject, date, body }: Mail) {
  const move = (folder: Folder, label: string) =>
    html`<form method="post" action="/move"><input type="hidden" name="id" value="${id}"><button name="to" value="${folder}">${label}</button></form>`;
  return page(postbird, {
    title: subject,
    body: html`<p class="muted">From ${from} to ${to}, ${date}</p><article>${body.split('\n').map(line => html`<p>${line}</p>`)}</article>
<p class="row"><a href="/mails/${id}/reply">Reply</a>${move('archive', 'Archive')}${move('trash', 'Delete')}</p>`,
  });
}

function writer({ to, subject, body }: z.infer<typeof letter>, problem?: string) {
  return page(postbird, {
    title: 'Write a mail',
    body: html`<form method="post" action="/send"><p class="error" role="alert">${problem ?? ''}</p>
<label>To <input type="text" name="to" value="${to}"></label>
<label>Subject <input type="text" name="subject" value="${subject}"></label>
<label>Text <textarea name="body" rows="8">${body}</textarea></label>
<button>Send</button></form>`,
  });
}
