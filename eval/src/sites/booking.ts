import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { BOOKING_SCRIPT } from './booking-calendar.ts';
import { inScript, type Masthead, page } from './layout.ts';
import type { Site } from './site.ts';

const day = z.iso.date();
const booking = z.object({
  room: z.string(),
  from: day,
  to: day,
  guests: z.coerce.number().int().min(1).max(4),
  breakfast: z.boolean().default(false),
  name: z.string().trim().min(3, 'Enter your full name'),
  email: z.email('Enter an email address'),
});
type Booking = z.infer<typeof booking>;

export interface Guesthouse {
  bookings: Booking[];
}

interface Room {
  id: string;
  name: string;
  /** Dollars a night. */
  price: number;
  beds: number;
  /** Nights that are gone, each from the first to the second date, the second not included. */
  taken: readonly (readonly [string, string])[];
}

const ROOMS: readonly Room[] = [
  {
    id: 'garden',
    name: 'Garden room',
    price: 90,
    beds: 2,
    taken: [
      ['2031-05-02', '2031-05-09'],
      ['2031-07-01', '2031-07-06'],
    ],
  },
  {
    id: 'loft',
    name: 'Loft',
    price: 140,
    beds: 4,
    taken: [
      ['2031-08-01', '2031-08-16'],
      ['2031-08-22', '2031-08-25'],
    ],
  },
  { id: 'attic', name: 'Attic', price: 70, beds: 1, taken: [['2031-06-10', '2031-06-20']] },
];

const guesthouse: Masthead = { name: 'Lindenhof guesthouse', nav: [['Rooms', '/']] };

export const bookingSite: Site<Guesthouse> = {
  name: 'booking',
  newState: () => ({ bookings: [] }),
  app: state =>
    new Hono()
      .get('/', c => c.html(rooms()))
      .get('/rooms/:room', c => {
        const room = ROOMS.find(({ id }) => id === c.req.param('room'));
        return room === undefined ? c.notFound() : c.html(roomPage(room));
      })
      .post('/bookings', async c => {
        const asked = booking.safeParse(await c.req.json());
        if (!asked.success) return c.json({ error: asked.error.issues[0]?.message }, 422);
        const problem = problemOf(asked.data, state.bookings);
        if (problem !== undefined) return c.json({ error: problem }, 422);
        state.bookings.push(asked.data);
        return c.json({ number: `LH-${700 + state.bookings.length}` });
      }),
};

function problemOf({ room: id, from, to, guests }: Booking, booked: readonly Booking[]): string | undefined {
  const room = ROOMS.find(each => each.id === id);
  if (room === undefined) return 'There is no such room';
  if (to <= from) return 'Check-out must be after check-in';
  if (guests > room.beds) return `The ${room.name} has beds for ${room.beds}`;
  const gone = [...room.taken, ...booked.filter(each => each.room === id).map(each => [each.from, each.to] as const)];
  return gone.some(([first, last]) => from < last && first < to) ? 'The room is taken in these nights' : undefined;
}

function rooms() {
  const body = html`<p>Quiet rooms by the river, open all year.</p>
<ul>${ROOMS.map(
    ({ id, name, price, beds }) =>
      html`<li><h2>${name}</h2><p>$${price} a night, beds for ${beds}. Breakfast $12.</p><a href="/rooms/${id}">See dates of the ${name}</a></li>`,
  )}</ul>`;
  return page(guesthouse, { title: 'Our rooms', body });
}

function roomPage({ id, name, beds, taken }: Room) {
  const guests = [1, 2, 3, 4].map(count => html`<option ${count === 1 ? 'selected' : ''}>${count}</option>`);
  const body = html`<p>Choose the day you come, then the day you leave.</p>
<div class="row"><button type="button" id="previous">Previous month</button><h2 id="month" aria-live="polite"></h2>
<button type="button" id="next">Next month</button></div>
<table aria-labelledby="month"><thead><tr>${['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map(each => html`<th>${each}</th>`)}</tr></thead><tbody id="days"></tbody></table>
<p id="stay" role="status">No days chosen</p>
<form id="form">
  <label>Guests <select name="guests">${guests}</select></label><p class="muted">Beds for ${beds}.</p>
  <label><input type="checkbox" name="breakfast"> Breakfast</label>
  <label>Full name <input type="text" name="name"></label>
  <label>Email <input type="text" name="email"></label>
  <p class="error" id="error" role="alert"></p>
  <button>Book</button>
</form>`;
  return page(guesthouse, {
    title: name,
    body,
    script: `const room = ${inScript({ id, taken })};\n${BOOKING_SCRIPT}`,
  });
}
