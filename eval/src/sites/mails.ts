import type { Folder, Mail } from './mail.ts';

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
