import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { page } from './layout.ts';
import type { Site } from './site.ts';
import { TRAINS_SCRIPT } from './train-search.ts';

const STATIONS = [
  'Aarburg',
  'Aarhus',
  'Basel',
  'Bergen',
  'Berlin',
  'Bern',
  'Bernau',
  'Geneva',
  'Hamburg',
  'Lausanne',
  'Lucerne',
  'Zurich',
  'Zurich Airport',
];

export interface Connection {
  id: string;
  departs: string;
  arrives: string;
  changes: number;
  /** Francs. */
  price: number;
}

interface Ticket {
  from: string;
  to: string;
  date: string;
  connection: string;
  traveller: string;
  seat: 'window' | 'aisle' | 'any';
}

export interface Railway {
  tickets: Ticket[];
}

export const CONNECTIONS: readonly Connection[] = [
  { id: 'IC 708', departs: '06:32', arrives: '08:41', changes: 0, price: 58 },
  { id: 'RE 1714', departs: '07:05', arrives: '10:02', changes: 2, price: 29 },
  { id: 'IC 712', departs: '08:32', arrives: '10:41', changes: 0, price: 51 },
  { id: 'IR 2020', departs: '09:10', arrives: '11:48', changes: 1, price: 44 },
  { id: 'IC 716', departs: '10:32', arrives: '12:41', changes: 0, price: 47 },
  { id: 'RE 1722', departs: '11:05', arrives: '14:02', changes: 2, price: 31 },
];

const station = z.enum(STATIONS, 'Choose a station from the list');
const tripQuery = z.object({ from: station, to: station, date: z.iso.date('Enter the date') });
const ticket = tripQuery.extend({
  connection: z.enum(CONNECTIONS.map(({ id }) => id)),
  traveller: z.string().trim().min(3, 'Enter who travels'),
  seat: z.enum(['window', 'aisle', 'any']),
});
/** Milliseconds that a search takes, as one over several railways does. */
const SEARCH = 700;

/** Stations that suggest themselves while one types, and results that take their time. */
export const trainSite: Site<Railway> = {
  name: 'trains',
  newState: () => ({ tickets: [] }),
  app: state =>
    new Hono()
      .get('/', c => c.html(searchPage()))
      .get('/stations', c => {
        const words = (c.req.query('q') ?? '').toLowerCase();
        return c.json(words === '' ? [] : STATIONS.filter(name => name.toLowerCase().startsWith(words)));
      })
      .post('/search', async c => {
        const asked = tripQuery.safeParse(await c.req.json());
        if (!asked.success) return c.json({ error: asked.error.issues[0]?.message }, 422);
        await new Promise(done => setTimeout(done, SEARCH));
        return c.json(CONNECTIONS);
      })
      .post('/tickets', async c => {
        const asked = ticket.safeParse(await c.req.json());
        if (!asked.success) return c.json({ error: asked.error.issues[0]?.message }, 422);
        state.tickets.push(asked.data);
        return c.json({ number: `T-${state.tickets.length + 80}` });
      }),
};

function searchPage() {
  const stationField = (name: string, label: string) =>
    html`<div class="station"><label>${label} <input type="text" name="${name}" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-controls="${name}-list" autocomplete="off"></label><ul role="listbox" id="${name}-list" aria-label="${label}" hidden></ul></div>`;
  const body = html`<form id="search">${stationField('from', 'From')}${stationField('to', 'To')}
<label>Date <input type="date" name="date"></label><button>Search</button><p class="error" id="error" role="alert"></p></form>
<section aria-live="polite" aria-label="Connections" id="results"></section>
<form id="buy" hidden><h2 id="chosen"></h2><label>Traveller <input type="text" name="traveller"></label>
<fieldset><legend>Seat</legend>${['window', 'aisle', 'any'].map(each => html`<label><input type="radio" name="seat" value="${each}" ${each === 'any' ? 'checked' : ''}> ${each}</label>`)}</fieldset>
<button>Buy ticket</button><p class="error" id="refused" role="alert"></p></form>`;
  return page({ name: 'Rails of the Alps' }, { title: 'Find a train', body, script: TRAINS_SCRIPT });
}
