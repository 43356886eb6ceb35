import { type Step, step, type View } from '@browser-toolset/playground/dist/scripted-model/index.js';
import { type Board, boardSite } from '../sites/board.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { click, end, type } from '../suite/script-steps.ts';

const { columns: before } = boardSite.newState();

/** Refs of cards, which `browser_find` gives: a card is no control. */
const find = (title: string): Step => step(`I look for “${title}”.`, 'browser_find', () => ({ text: title }));
const drag = (card: string, onto: string): Step =>
  step(`I drag “${card}” to “${onto}”.`, 'browser_drag', view => ({
    from: refOfCard(view, card),
    to: refOfCard(view, onto),
  }));
const refOfCard = (view: View, title: string): string => view.ref('listitem', title);

export const boardTasks = tasksOn<Board>('board', () => serveSite(boardSite), [
  {
    id: 'board-to-done',
    level: 'medium',
    goal: 'Measure windows is finished: move that card to the column Done.',
    problems: ({ columns }) =>
      differences(
        'columns',
        { ...columns, Done: columns.Done.toSorted() },
        { ...before, 'In progress': ['Strip wallpaper'], Done: ['Empty the attic', 'Measure windows'] },
      ),
    script: [
      find('Measure windows'),
      find('Empty the attic'),
      drag('Measure windows', 'Empty the attic'),
      end('It is in Done.'),
    ],
  },
  {
    id: 'board-new-on-top',
    level: 'hard',
    goal: 'Add a card "Buy skirting boards" and put it at the top of the column To do.',
    problems: ({ columns }) =>
      differences('columns', columns, { ...before, 'To do': ['Buy skirting boards', ...before['To do']] }),
    script: [
      type('textbox', 'New card', 'Buy skirting boards'),
      click('button', 'Add card'),
      find('Buy skirting boards'),
      find('Order paint'),
      drag('Buy skirting boards', 'Order paint'),
      end('It is on top.'),
    ],
  },
]);
