import { BOOKS } from '../sites/books.ts';
import { type Library, librarySite } from '../sites/library.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { answer, choose, click, end, fill, type } from '../suite/script-steps.ts';

const newestGerman = BOOKS.filter(
  ({ author, language, copies }) => author === 'Mara Lindqvist' && language === 'German' && copies > 0,
).sort((a, b) => b.year - a.year)[0];
const none = ({ reservations }: Library) => differences('reservations', reservations, []);

export const libraryTasks = tasksOn<Library>('library', () => serveSite(librarySite), [
  {
    id: 'library-reserve-newest',
    level: 'medium',
    goal: 'Reserve the newest German book by Mara Lindqvist that is in, for pick-up at the branch Harbour, with the card number 482910.',
    problems: ({ reservations }) =>
      differences('reservations', reservations, [{ book: newestGerman?.id, branch: 'Harbour', card: '482910' }]),
    script: [
      fill(
        ['textbox', 'Title or author', 'Lindqvist'],
        ['combobox', 'Language', ['German']],
        ['combobox', 'Order', ['Newest first']],
        ['checkbox', 'Only what is in', true],
      ),
      click('button', 'Search'),
      click('link', /^Das /),
      choose('Branch', 'Harbour'),
      type('textbox', 'Card number', '482910'),
      click('button', 'Reserve'),
      end('It is reserved.'),
    ],
  },
  {
    id: 'library-count-portuguese',
    level: 'easy',
    goal: 'How many books in Portuguese does the library have? Reserve nothing.',
    answer: { form: 'the number', expected: () => BOOKS.filter(({ language }) => language === 'Portuguese').length },
    problems: none,
    script: [
      choose('Language', 'Portuguese'),
      click('button', 'Search'),
      { say: 'I read the list.', call: () => ({ toolName: 'browser_read', input: { full: true } }) },
      answer(view => view.find(/(\d+) books, page/)),
    ],
  },
  {
    id: 'library-shelf-of-oldest',
    level: 'medium',
    goal: 'On which shelf does the oldest book of the library stand? Reserve nothing.',
    answer: { form: 'the shelf', expected: () => BOOKS.toSorted((a, b) => a.year - b.year)[0]?.shelf ?? '' },
    problems: none,
    script: [
      choose('Order', 'Oldest first'),
      click('button', 'Search'),
      click('link', 'Knots and splices'),
      { say: 'I read where it stands.', call: () => ({ toolName: 'browser_read', input: { full: true } }) },
      answer(view => view.find(/\b([A-F]-\d\d)\b/)),
    ],
  },
]);
