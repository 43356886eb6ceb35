import { peopleSite, type Staff } from '../sites/people.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { answer, choose, click, clickBehind, end, type } from '../suite/script-steps.ts';

const BEFORE = peopleSite.newState().people;
const changes = ({ people }: Staff) =>
  people
    .filter((person, i) => JSON.stringify(person) !== JSON.stringify(BEFORE[i]))
    .map(({ name, department, role, status }) => ({ name, department, role, status }));
const salesBySpend = BEFORE.filter(({ department }) => department === 'Sales').sort((a, b) => b.spend - a.spend);
/** Of two people with one name, the one to be suspended. */
const [ida, otherIda] = BEFORE.filter(({ name }) => name === 'Ida Ek');

export const peopleTasks = tasksOn<Staff>('people', () => serveSite(peopleSite), [
  {
    id: 'people-highest-spend',
    level: 'medium',
    goal: 'Who of the department Sales has the highest spend? Change nothing.',
    answer: { form: 'first and last name', expected: () => salesBySpend[0]?.name ?? '' },
    problems: state => differences('changed people', changes(state), []),
    script: [
      choose('Department', 'Sales'),
      click('button', 'Spend'),
      click('button', 'Spend'),
      { say: 'I read the table.', call: () => ({ toolName: 'browser_read', input: {} }) },
      answer(view => view.find(/\| (\w+ \w+) \| Sales/)),
    ],
  },
  {
    id: 'people-suspend-one-of-two',
    level: 'hard',
    goal: `Two people are called Ida Ek. Suspend the one in the department ${ida?.department}; the other one stays as she is.`,
    problems: state =>
      differences('changed people', changes(state), [
        { name: 'Ida Ek', department: ida?.department, role: 'Viewer', status: 'Suspended' },
      ]),
    script: [
      type('textbox', 'Find by name', 'Ida Ek'),
      {
        say: 'I look at who is left.',
        call: () => ({ toolName: 'browser_snapshot', input: { interactiveOnly: false } }),
      },
      clickBehind(`"${ida?.department}"`, 'button "Edit"'),
      choose('Status', 'Suspended'),
      click('button', 'Save'),
      end(`Done; ${otherIda?.name} of ${otherIda?.department} is as before.`),
    ],
  },
  {
    id: 'people-last-page-role',
    level: 'medium',
    goal: 'Sort the people by name. The very last one in the whole list gets the role Admin.',
    problems: state => {
      const last = BEFORE.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id)).at(-1);
      return differences('changed people', changes(state), [
        { name: last?.name, department: last?.department, role: 'Admin', status: 'Active' },
      ]);
    },
    script: [
      click('button', 'Name'),
      {
        say: 'The last one is the first one now.',
        call: () => ({ toolName: 'browser_snapshot', input: { interactiveOnly: false } }),
      },
      click('button', 'Edit'),
      choose('Role', 'Admin'),
      click('button', 'Save'),
      end('Done.'),
    ],
  },
]);
