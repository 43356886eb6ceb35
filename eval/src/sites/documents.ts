import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { type Masthead, page } from './layout.ts';
import type { Site } from './site.ts';

const FOLDERS = ['Contracts', 'Invoices', 'Reports'] as const;

interface StoredFile {
  name: string;
  title: string;
  folder: (typeof FOLDERS)[number];
  text: string;
}

export interface Documents {
  files: StoredFile[];
  /** Names of files in the order in which they were fetched. */
  fetched: string[];
}

const quarterlyReport = (year: number, quarter: number): StoredFile => ({
  name: `report-${year}-q${quarter}.csv`,
  title: `Report of quarter ${quarter}, ${year}`,
  folder: 'Reports',
  text: `quarter,revenue\n${year} Q${quarter},${year * 3 + quarter * 101}\n`,
});

const upload = z.object({
  title: z.string().trim().min(1, 'Enter a title'),
  folder: z.enum(FOLDERS, 'Choose a folder'),
  file: z.instanceof(File, { message: 'Choose a file' }).refine(({ size }) => size > 0, 'Choose a file'),
});

const paperDrawer: Masthead = {
  name: 'Paper drawer',
  nav: [...FOLDERS.map(name => [name, `/?folder=${name}`] as const), ['Add a file', '/add']],
};

/** Files to hand in and to fetch. */
export const documentSite: Site<Documents> = {
  name: 'documents',
  newState: () => ({
    files: [
      { name: 'lease.txt', title: 'Lease of the office', folder: 'Contracts', text: 'Lease' },
      ...[2029, 2030].flatMap(year => [1, 2, 3, 4].map(quarter => quarterlyReport(year, quarter))),
    ],
    fetched: [],
  }),
  app: state =>
    new Hono()
      .get('/', c => c.html(filesPage(state, c.req.query('folder') ?? 'Contracts')))
      .get('/add', c => c.html(form()))
      .post('/add', async c => {
        const given = upload.safeParse(await c.req.parseBody());
        if (!given.success) return c.html(form(given.error.issues[0]?.message), 422);
        const { title, folder, file } = given.data;
        state.files.push({ name: file.name, title, folder, text: await file.text() });
        return c.redirect(`/?folder=${folder}`, 303);
      })
      .get('/files/:name', c => {
        const file = state.files.find(({ name }) => name === c.req.param('name'));
        if (file === undefined) return c.notFound();
        state.fetched.push(file.name);
        return c.text(file.text, 200, { 'content-disposition': `attachment; filename="${file.name}"` });
      }),
};

function filesPage({ files }: Documents, folder: string) {
  const rows = files
    .filter(file => file.folder === folder)
    .map(({ name, title }) => html`<tr><td>${title}</td><td><a href="/files/${name}">Download ${name}</a></td></tr>`);
  const body = html`<table aria-label="${folder}"><tbody>${rows}</tbody></table><p role="status">${rows.length} files</p>`;
  return page(paperDrawer, { title: folder, body });
}

function form(problem?: string) {
  const body = html`<form method="post" action="/add" enctype="multipart/form-data"><p class="error" role="alert">${problem ?? ''}</p>
<label>Title <input type="text" name="title"></label>
<label>Folder <select name="folder"><option value="">Choose…</option>${FOLDERS.map(each => html`<option>${each}</option>`)}</select></label>
<label>File <input type="file" name="file"></label><button>Add</button></form>`;
  return page(paperDrawer, { title: 'Add a file', body });
}
