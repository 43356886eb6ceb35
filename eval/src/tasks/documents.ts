import { step } from '@browser-toolset/playground/dist/scripted-model/index.js';
import { type Documents, documentSite } from '../sites/documents.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { choose, click, end, type } from '../suite/script-steps.ts';

const documentsBefore = documentSite.newState();
const BILL = 'Bill 2231: 14 chairs, 1,120 dollars\n';

export const documentTasks = tasksOn<Documents>('documents', () => serveSite(documentSite), [
  {
    id: 'documents-hand-in',
    level: 'medium',
    goal: 'Add the file to the folder Invoices with the title "Bill for chairs".',
    files: { 'bill-2231.txt': BILL },
    problems: state =>
      differences('documents', state, {
        ...documentsBefore,
        files: [
          ...documentsBefore.files,
          { name: 'bill-2231.txt', title: 'Bill for chairs', folder: 'Invoices', text: BILL },
        ],
      }),
    script: [
      click('link', 'Add a file'),
      type('textbox', 'Title', 'Bill for chairs'),
      choose('Folder', 'Invoices'),
      step('I give the file to the field.', 'browser_upload', view => ({
        ref: view.ref('button', /^File/),
        paths: [view.findInTask(/The file is (.+)/)],
      })),
      click('button', 'Add'),
      end('The file is handed in.'),
    ],
  },
  {
    id: 'documents-fetch-report',
    level: 'easy',
    goal: 'Download the report of the third quarter of 2030, and no other file.',
    problems: state => differences('documents', state, { ...documentsBefore, fetched: ['report-2030-q3.csv'] }),
    script: [click('link', 'Reports'), click('link', 'Download report-2030-q3.csv'), end('It is downloaded.')],
  },
]);
