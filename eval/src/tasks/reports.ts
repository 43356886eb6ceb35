import { step } from '@browser-toolset/playground/dist/scripted-model/index.js';
import { type Reports, reportSite } from '../sites/reports.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { choose, click, end, fill, waitFor } from '../suite/script-steps.ts';

export const reportTasks = tasksOn<Reports>('reports', () => serveSite(reportSite), [
  {
    id: 'reports-release',
    level: 'medium',
    goal: 'Make the report of April 2031 and, once it is ready, release it with its code and the note "checked".',
    problems: ({ jobs, released }) => [
      ...differences(
        'months of reports',
        jobs.map(({ month }) => month),
        ['April 2031'],
      ),
      ...differences('released', released, [{ month: 'April 2031', note: 'checked' }]),
    ],
    script: [
      choose('Month', 'April 2031'),
      click('button', 'Make report'),
      waitFor('Its code is'),
      step('I read the code.', 'browser_find', () => ({ text: 'Its code is' })),
      step('I write the code down.', 'browser_type', view => ({
        ref: view.ref('textbox', 'Code'),
        text: view.find(/Its code is (R-\d+)/),
      })),
      fill(['textbox', 'Note', 'checked']),
      click('button', 'Release'),
      end('The report is released.'),
    ],
  },
]);
