import { serveSite } from '../sites/site.ts';
import { CONNECTIONS, type Railway, trainSite } from '../sites/trains.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { answer, click, clickBehind, end, fill, type, waitFor } from '../suite/script-steps.ts';

const cheapestDirect = CONNECTIONS.filter(({ changes }) => changes === 0).sort((a, b) => a.price - b.price)[0];
const look = {
  say: 'I look at the connections.',
  call: () => ({ toolName: 'browser_snapshot', input: { interactiveOnly: false } }),
};
const search = [
  type('combobox', 'From', 'Zuri'),
  click('option', 'Zurich'),
  type('combobox', 'To', 'Gen'),
  click('option', 'Geneva'),
  fill(['textbox', 'Date', '2031-09-12']),
  click('button', 'Search'),
  waitFor('Zurich to Geneva'),
  look,
];

export const trainTasks = tasksOn<Railway>('trains', () => serveSite(trainSite), [
  {
    id: 'trains-cheapest-direct',
    level: 'hard',
    goal: 'Buy a ticket from Zurich to Geneva on 12 September 2031 for the cheapest train without a change. Hana Sato travels and wants a window seat.',
    problems: ({ tickets }) =>
      differences('tickets', tickets, [
        {
          from: 'Zurich',
          to: 'Geneva',
          date: '2031-09-12',
          connection: cheapestDirect?.id,
          traveller: 'Hana Sato',
          seat: 'window',
        },
      ]),
    script: [
      ...search,
      clickBehind('IC 716', 'button "Choose"'),
      fill(['textbox', 'Traveller', 'Hana Sato'], ['radio', 'window', true]),
      click('button', 'Buy ticket'),
      end('The ticket is bought.'),
    ],
  },
  {
    id: 'trains-price-of-last',
    level: 'medium',
    goal: 'What does the train from Zurich to Geneva that leaves last on 12 September 2031 cost in francs? Buy nothing.',
    answer: { form: 'the number', expected: () => CONNECTIONS.at(-1)?.price ?? 0 },
    problems: ({ tickets }) => differences('tickets', tickets, []),
    script: [...search, answer(view => view.find(/11:05 to 14:02[^"\n]*CHF (\d+)/))],
  },
]);
