import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { page } from './layout.ts';
import type { Site } from './site.ts';

const MONTHS = ['March 2031', 'April 2031', 'May 2031'] as const;
/** Milliseconds until a report is ready. */
const TAKES = 2_000;

interface Job {
  month: (typeof MONTHS)[number];
  readyAt: number;
  code: string;
}

export interface Reports {
  jobs: Job[];
  released: { month: string; note: string }[];
}

const order = z.object({ month: z.enum(MONTHS) });
const release = z.object({ code: z.string(), note: z.string().default('') });

/** A report takes a while; the code that releases it is shown when it is ready. */
export const reportSite: Site<Reports> = {
  name: 'reports',
  newState: () => ({ jobs: [], released: [] }),
  app: state =>
    new Hono()
      .get('/', c => c.html(start()))
      .post('/jobs', async c => {
        const { month } = order.parse(await c.req.json());
        const number = state.jobs.push({ month, readyAt: Date.now() + TAKES, code: codeOf(month) });
        return c.json({ number });
      })
      .get('/jobs/:number', c => {
        const job = state.jobs[Number(c.req.param('number')) - 1];
        if (job === undefined) return c.notFound();
        return c.json(Date.now() < job.readyAt ? { isReady: false } : { isReady: true, code: job.code });
      })
      .post('/release', async c => {
        const { code, note } = release.parse(await c.req.json());
        const job = state.jobs.find(each => each.code === code.trim() && each.readyAt <= Date.now());
        if (job === undefined) return c.json({ error: 'No report has this code' }, 422);
        state.released.push({ month: job.month, note: note.trim() });
        return c.json({ month: job.month });
      }),
};

function codeOf(month: string): string {
  return `R-${1000 + ((month.length * 7919) % 9000)}`;
}

function start() {
  const body = html`<form id="order" class="row"><label>Month <select name="month">${MONTHS.map(each => html`<option>${each}</option>`)}</select></label><button>Make report</button></form>
<p id="progress" role="status"></p>
<form id="release"><h2>Release a report</h2><label>Code <input type="text" name="code"></label><label>Note <input type="text" name="note"></label><button>Release</button></form>
<p id="released" role="status"></p>`;
  return page({ name: 'Ledger' }, { title: 'Monthly reports', body, script: REPORTS_SCRIPT });
}

const REPORTS_SCRIPT = `
at('order').onsubmit = async event => {
  event.preventDefault();
  const { number } = await (await send('/jobs', Object.fromEntries(new FormData(event.target)))).json();
  at('progress').textContent = 'The report is being made…';
  const ask = async () => {
    const job = await (await fetch('/jobs/' + number)).json();
    if (job.isReady) at('progress').textContent = 'The report is ready. Its code is ' + job.code + '.';
    else setTimeout(ask, 250);
  };
  ask();
};
at('release').onsubmit = async event => {
  event.preventDefault();
  const answer = await send('/release', Object.fromEntries(new FormData(event.target)));
  const said = await answer.json();
  at('released').textContent = answer.ok ? 'Released: ' + said.month : said.error;
};
`;
