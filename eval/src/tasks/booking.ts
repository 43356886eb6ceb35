import { bookingSite, type Guesthouse } from '../sites/booking.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { answer, choose, click, end, fill } from '../suite/script-steps.ts';

export const bookingTasks = tasksOn<Guesthouse>('booking', () => serveSite(bookingSite), [
  {
    id: 'booking-garden-room',
    level: 'medium',
    goal: 'Book the Garden room from 8 July 2031 to 11 July 2031 for two guests, with breakfast, for Ann Berg, ann@example.com.',
    problems: ({ bookings }) =>
      differences('bookings', bookings, [
        {
          room: 'garden',
          from: '2031-07-08',
          to: '2031-07-11',
          guests: 2,
          breakfast: true,
          name: 'Ann Berg',
          email: 'ann@example.com',
        },
      ]),
    script: [
      click('link', 'See dates of the Garden room'),
      click('button', 'Next month'),
      click('button', 'Next month'),
      click('button', '8 July 2031'),
      click('button', '11 July 2031'),
      choose('Guests', '2'),
      fill(
        ['checkbox', 'Breakfast', true],
        ['textbox', 'Full name', 'Ann Berg'],
        ['textbox', 'Email', 'ann@example.com'],
      ),
      click('button', 'Book'),
      end(view => `Done: ${view.find(/booking (LH-\d+) is confirmed/)}.`),
    ],
  },
  {
    id: 'booking-first-free-saturday',
    level: 'hard',
    goal: 'On which Saturday in August 2031 is the night in the Loft free for the first time? Book nothing.',
    answer: { form: 'the date as YYYY-MM-DD', expected: () => '2031-08-16' },
    problems: ({ bookings }) => differences('bookings', bookings, []),
    script: [
      click('link', 'See dates of the Loft'),
      click('button', 'Next month'),
      click('button', 'Next month'),
      click('button', 'Next month'),
      answer(view => {
        const saturdays = [2, 9, 16, 23, 30];
        const free = saturdays.find(
          day => view.names('button', new RegExp(`^${day} August 2031$`)).length > 0 && !isDayDisabled(view, day),
        );
        return `2031-08-${String(free).padStart(2, '0')}`;
      }),
    ],
  },
]);

/** Taken days are shown as disabled. */
function isDayDisabled(view: { find(pattern: RegExp): string }, day: number): boolean {
  return /disabled/.test(view.find(new RegExp(`button "${day} August 2031".*`)));
}
