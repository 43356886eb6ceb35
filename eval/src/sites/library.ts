import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { BOOKS, type Book } from './books.ts';
import { type Masthead, page } from './layout.ts';
import type { Site } from './site.ts';

const BRANCHES = ['Central', 'Harbour', 'Hillside'] as const;
const BOOKS_A_PAGE = 8;

export interface Library {
  reservations: { book: string; branch: string; card: string }[];
}

const query = z.object({
  q: z.string().default(''),
  language: z.string().default(''),
  available: z.string().optional(),
  sort: z.enum(['title', 'newest', 'oldest']).default('title').catch('title'),
  page: z.coerce.number().int().min(1).default(1).catch(1),
});
type Query = z.infer<typeof query>;
const reservation = z.object({
  branch: z.enum(BRANCHES, 'Choose a branch'),
  card: z.string().regex(/^\d{6}$/, 'A card number has six digits'),
});

const townLibrary: Masthead = { name: 'Town library', nav: [['Catalogue', '/']] };

/** A catalogue with search, filters, order and pages, all in the address. */
export const librarySite: Site<Library> = {
  name: 'library',
  newState: () => ({ reservations: [] }),
  app: state =>
    new Hono()
      .get('/', c => c.html(catalogue(query.parse(c.req.query()))))
      .get('/books/:id', c => {
        const book = BOOKS.find(({ id }) => id === c.req.param('id'));
        return book === undefined ? c.notFound() : c.html(bookPage(book));
      })
      .post('/books/:id', async c => {
        const book = BOOKS.find(({ id }) => id === c.req.param('id'));
        if (book === undefined) return c.notFound();
        const asked = reservation.safeParse(await c.req.parseBody());
        if (!asked.success) return c.html(bookPage(book, asked.error.issues[0]?.message), 422);
        state.reservations.push({ book: book.id, ...asked.data });
        const body = html`<p role="status">${book.title} waits for you at ${asked.data.branch}.</p>`;
        return c.html(page(townLibrary, { title: 'Reserved', body }));
      }),
};

/** Books that fit, in the order asked for. */
function fitting({ q, language, available, sort }: Query): Book[] {
  const words = q.toLowerCase();
  const orders = {
    title: (a: Book, b: Book) => a.title.localeCompare(b.title),
    newest: (a: Book, b: Book) => b.year - a.year,
    oldest: (a: Book, b: Book) => a.year - b.year,
  };
  return BOOKS.filter(book => `${book.title} ${book.author}`.toLowerCase().includes(words))
    .filter(book => language === '' || book.language === language)
    .filter(book => available === undefined || book.copies > 0)
    .sort(orders[sort]);
}

function catalogue(asked: Query) {
  const found = fitting(asked);
  const pages = Math.max(1, Math.ceil(found.length / BOOKS_A_PAGE));
  const shown = found.slice((asked.page - 1) * BOOKS_A_PAGE, asked.page * BOOKS_A_PAGE);
  const languages = [...new Set(BOOKS.map(({ language }) => language))].sort();
  const option = (value: string, label: string, now: string) =>
    html`<option value="${value}" ${value === now ? 'selected' : ''}>${label}</option>`;
  const to = (number: number, label: string) => {
    const { page: _page, ...rest } = asked;
    return html`<a href="/?${new URLSearchParams({ ...rest, page: String(number) }).toString()}">${label}</a>`;
  };
  const body = html`<form class="row" role="search">
  <label>Title or author <input type="text" name="q" value="${asked.q}"></label>
  <label>Language <select name="language">${option('', 'All languages', asked.language)}${languages.map(each => option(each, each, asked.language))}</select></label>
  <label>Order <select name="sort">${option('title', 'Title', asked.sort)}${option('newest', 'Newest first', asked.sort)}${option('oldest', 'Oldest first', asked.sort)}</select></label>
  <label><input type="checkbox" name="available" ${asked.available === undefined ? '' : 'checked'}> Only what is in</label>
  <button>Search</button>
</form>
<p role="status">${found.length} books, page ${asked.page} of ${pages}</p>
<ul>${shown.map(({ id, title, author, year, language, copies }) => html`<li><a href="/books/${id}">${title}</a> by ${author}, ${year}, ${language}, ${copies > 0 ? `${copies} in` : 'all lent'}</li>`)}</ul>
<p class="row">${asked.page > 1 ? to(asked.page - 1, 'Previous page') : ''} ${asked.page < pages ? to(asked.page + 1, 'Next page') : ''}</p>`;
  return page(townLibrary, { title: 'Catalogue', body });
}

function bookPage({ id, title, author, year, language, pages, copies, shelf }: Book, problem?: string) {
  const form = html`<form method="post" action="/books/${id}"><p class="error" role="alert">${problem ?? ''}</p>
<label>Branch <select name="branch"><option value="">Choose…</option>${BRANCHES.map(each => html`<option>${each}</option>`)}</select></label>
<label>Card number <input type="text" name="card"></label><button>Reserve</button></form>`;
  const body = html`<p>by ${author}, ${year}</p><dl><dt>Language</dt><dd>${language}</dd><dt>Pages</dt><dd>${pages}</dd><dt>Shelf</dt><dd>${shelf}</dd></dl>
${copies > 0 ? form : html`<p>All copies are lent.</p>`}`;
  return page(townLibrary, { title, body });
}
