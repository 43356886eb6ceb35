import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { inScript, page } from './layout.ts';
import { PEOPLE_SCRIPT } from './people-table.ts';
import type { Site } from './site.ts';

const DEPARTMENTS = ['Sales', 'Support', 'Engineering', 'Finance'] as const;
const ROLES = ['Viewer', 'Editor', 'Admin'] as const;
const STATUSES = ['Active', 'Suspended'] as const;

interface Person {
  id: number;
  name: string;
  department: (typeof DEPARTMENTS)[number];
  role: (typeof ROLES)[number];
  status: (typeof STATUSES)[number];
  /** Dollars in this year. */
  spend: number;
}

export interface Staff {
  people: Person[];
}

const FIRST = ['Ann', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gro', 'Hugo', 'Ida', 'Jon', 'Kaja', 'Leo'];
const LAST = ['Berg', 'Costa', 'Dahl', 'Ek'];

/** 48 people; two of them are called Ida Ek. */
const PEOPLE: readonly Person[] = Array.from({ length: 48 }, (_, i) => ({
  id: i + 1,
  name: i === 46 ? 'Ida Ek' : `${FIRST[(i * 5) % 12]} ${LAST[(i * 7 + Math.floor(i / 12)) % 4]}`,
  department: DEPARTMENTS[(i * 3 + Math.floor(i / 4)) % 4] ?? 'Sales',
  role: 'Viewer',
  status: 'Active',
  spend: ((i * 7919) % 4001) + 120,
}));

const change = z.object({ role: z.enum(ROLES), status: z.enum(STATUSES) });

const options = (values: readonly string[]) => values.map(value => html`<option>${value}</option>`);

export const peopleSite: Site<Staff> = {
  name: 'people',
  newState: () => ({ people: structuredClone([...PEOPLE]) }),
  app: state =>
    new Hono()
      .get('/', c => c.html(table(state)))
      .post('/people/:id', async c => {
        const person = state.people.find(({ id }) => String(id) === c.req.param('id'));
        if (person === undefined) return c.notFound();
        const asked = change.safeParse(await c.req.json());
        if (!asked.success) return c.json({ error: 'Choose a role and a status' }, 422);
        return c.json(Object.assign(person, asked.data));
      }),
};

function table({ people }: Staff) {
  const heads = ['Name', 'Department', 'Role', 'Status', 'Spend'];
  const body = html`<div class="row">
  <label>Department <select id="department"><option value="">All</option>${options(DEPARTMENTS)}</select></label>
  <label>Find by name <input type="text" id="name"></label>
</div>
<table aria-label="People"><thead><tr>${heads.map(head => html`<th><button type="button" data-sorts="${head.toLowerCase()}">${head}</button></th>`)}<th></th></tr></thead><tbody id="rows"></tbody></table>
<p class="row"><button type="button" id="previous">Previous page</button><span id="where" role="status"></span><button type="button" id="next">Next page</button></p>
<dialog id="editor" aria-labelledby="who"><form method="dialog" id="edit">
  <h2 id="who"></h2>
  <label>Role <select name="role">${options(ROLES)}</select></label>
  <label>Status <select name="status">${options(STATUSES)}</select></label>
  <p class="row"><button value="save">Save</button><button value="cancel">Cancel</button></p>
</form></dialog>`;
  return page(
    { name: 'Staffroom' },
    { title: 'People', body, script: `const people = ${inScript(people)};\n${PEOPLE_SCRIPT}` },
  );
}
