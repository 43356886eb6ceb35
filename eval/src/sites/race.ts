import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { type Markup, type Masthead, page } from './layout.ts';
import type { Site } from './site.ts';

const DISTANCES = ['10 km', 'Half marathon', 'Marathon'] as const;
const SIZES = ['S', 'M', 'L', 'XL'] as const;
const CLUBS = ['No club', 'Bergen Striders', 'Oslo Owls', 'Tromsø Runners'] as const;

const runner = z.object({
  name: z
    .string()
    .trim()
    .regex(/^\S+ .*\S$/, 'Enter first and last name'),
  born: z.iso.date('Enter the date of birth').refine(date => date < '2013-01-01', 'Runners must be born before 2013'),
  club: z.enum(CLUBS, 'Choose a club'),
});
const race = z.object({
  distance: z.enum(DISTANCES, 'Choose a distance'),
  size: z.enum(SIZES, 'Choose a shirt size'),
  phone: z
    .string()
    .trim()
    .regex(/^\+47 \d{8}$/, 'The phone number must look like +47 and eight digits, such as +47 12345678'),
});
const review = z.object({ terms: z.literal('on', 'Accept the terms') });

type Registration = z.infer<typeof runner> & z.infer<typeof race>;
type Values = Record<string, string>;

export interface Race {
  registrations: Registration[];
  /** Registrations that the organisers sent back, with what is wrong. */
  returned: (Registration & { id: number; problem: string })[];
}

const RETURNED = {
  id: 31,
  name: 'Siri Vang',
  born: '1990-02-14',
  club: 'Oslo Owls',
  distance: 'Half marathon',
  size: 'M',
  phone: '+47 9011223',
  problem: 'The phone number has a digit too few: the one we were told is 90112234.',
} as const;

const STEPS = [runner, race, review] as const;
const TITLES = ['Runner', 'Race', 'Review'] as const;
const fjordRun: Masthead = {
  name: 'Fjord Run',
  nav: [
    ['Register', '/register/1'],
    ['Returned registrations', '/returned'],
  ],
};

/** Registers in three steps, each of which is checked by the server before the next one. */
export const raceSite: Site<Race> = {
  name: 'race',
  newState: () => ({ registrations: [], returned: [RETURNED] }),
  app: state => {
    let draft: Values = {};
    return new Hono()
      .get('/', c => c.html(home()))
      .get('/register/:step', c => {
        const step = Number(c.req.param('step'));
        if (step === 1) draft = {};
        return step in TITLES || step === TITLES.length ? c.html(stepPage(step, draft)) : c.notFound();
      })
      .post('/register/:step', async c => {
        const step = Number(c.req.param('step'));
        draft = { ...draft, ...((await c.req.parseBody()) as Values) };
        for (let each = 1; each <= step; each++) {
          const checked = STEPS[each - 1]?.safeParse(draft);
          if (checked && !checked.success) return c.html(stepPage(each, draft, checked.error.issues), 422);
        }
        if (step < TITLES.length) return c.html(stepPage(step + 1, draft));
        state.registrations.push({ ...runner.parse(draft), ...race.parse(draft) });
        draft = {};
        return c.html(
          page(fjordRun, { title: 'You are registered', body: html`<p role="status">See you at the start.</p>` }),
        );
      })
      .get('/returned', c => c.html(returnedPage(state)))
      .get('/returned/:id', c => {
        const entry = state.returned.find(({ id }) => String(id) === c.req.param('id'));
        return entry === undefined ? c.notFound() : c.html(correction(entry, valuesOf(entry)));
      })
      .post('/returned/:id', async c => {
        const entry = state.returned.find(({ id }) => String(id) === c.req.param('id'));
        if (entry === undefined) return c.notFound();
        const given = (await c.req.parseBody()) as Values;
        const checked = race.safeParse(given);
        if (!checked.success) return c.html(correction(entry, given, checked.error.issues), 422);
        const { name, born, club } = entry;
        state.registrations.push({ name, born, club, ...checked.data });
        state.returned = state.returned.filter(each => each !== entry);
        return c.redirect('/returned', 303);
      });
  },
};

function valuesOf({ distance, size, phone }: Registration): Values {
  return { distance, size, phone };
}

function home() {
  const body = html`<p>From the pier to the glacier and back, on 6 September 2031.</p><a href="/register/1">Register a runner</a>`;
  return page(fjordRun, { title: 'Fjord Run 2031', body });
}

function returnedPage({ returned }: Race) {
  const list = returned.map(
    ({ id, name, problem }) =>
      html`<li><strong>${name}</strong>: ${problem} <a href="/returned/${id}">Correct ${name}</a></li>`,
  );
  const body = returned.length > 0 ? html`<ul>${list}</ul>` : html`<p role="status">Nothing is left to correct.</p>`;
  return page(fjordRun, { title: 'Returned registrations', body });
}

type Issues = readonly { path: readonly PropertyKey[]; message: string }[];

function stepPage(step: number, values: Values, issues: Issues = []) {
  const fields = [() => runnerFields(values), () => raceFields(values), () => reviewFields(values)][step - 1];
  const body = html`<p>Step ${step} of ${TITLES.length}</p>${problems(issues)}
<form method="post" action="/register/${step}" novalidate>${fields?.()}<button>${step === TITLES.length ? 'Register' : 'Continue'}</button></form>`;
  return page(fjordRun, { title: TITLES[step - 1] ?? '', body });
}

function correction({ id, name }: { id: number; name: string }, values: Partial<Values>, issues: Issues = []) {
  const body = html`${problems(issues)}<form method="post" action="/returned/${id}" novalidate>${raceFields(values)}<button>Hand in again</button></form>`;
  return page(fjordRun, { title: `Correct ${name}`, body });
}

function problems(issues: Issues): Markup {
  if (issues.length === 0) return html``;
  return html`<div class="error" role="alert"><ul>${issues.map(({ message }) => html`<li>${message}</li>`)}</ul></div>`;
}

function runnerFields({ name = '', born = '', club = '' }: Partial<Values>): Markup {
  return html`<label>First and last name <input type="text" name="name" value="${name}"></label>
<label>Date of birth <input type="date" name="born" value="${born}"></label>
<label>Club <select name="club"><option value="">Choose…</option>${CLUBS.map(each => html`<option ${each === club ? 'selected' : ''}>${each}</option>`)}</select></label>`;
}

function raceFields({ distance = '', size = '', phone = '' }: Partial<Values>): Markup {
  return html`<fieldset><legend>Distance</legend>${DISTANCES.map(each => html`<label><input type="radio" name="distance" value="${each}" ${each === distance ? 'checked' : ''}> ${each}</label>`)}</fieldset>
<label>Shirt size <select name="size"><option value="">Choose…</option>${SIZES.map(each => html`<option ${each === size ? 'selected' : ''}>${each}</option>`)}</select></label>
<label>Emergency phone <input type="text" name="phone" value="${phone}"></label>`;
}

function reviewFields({ name = '', distance = '', size = '', phone = '' }: Partial<Values>): Markup {
  return html`<p>${name}, ${distance}, shirt ${size}, in an emergency ${phone}.</p><label><input type="checkbox" name="terms"> I accept the terms</label>`;
}
