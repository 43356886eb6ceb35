import { step } from '@browser-toolset/playground/dist/scripted-model/index.js';
import { MAILS, type Mailbox, mailSite } from '../sites/mail.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { answer, click, end, fill, type } from '../suite/script-steps.ts';

const folders = (mails: Mailbox['mails']) => mails.map(({ subject, folder }) => `${folder}: ${subject}`);
const untouched = folders([...MAILS]);
const isNewsletter = (from: string): boolean => from.startsWith('digest@');

export const mailTasks = tasksOn<Mailbox>('mail', () => serveSite(mailSite), [
  {
    id: 'mail-flight-code',
    level: 'easy',
    goal: 'What is the booking code of my flight to Lisbon?',
    answer: { form: 'the code', expected: () => 'QZ7R4M' },
    problems: ({ mails }) => differences('mails', folders(mails), untouched),
    script: [
      click('link', 'Your flight to Lisbon'),
      step('I read the mail.', 'browser_read'),
      answer(view => view.find(/Booking code: (\w+)/)),
    ],
  },
  {
    id: 'mail-reply',
    level: 'medium',
    goal: 'Reply to Paula about the budget for the stand with exactly this text: Yes, we stay below 4,200 dollars.',
    problems: ({ mails }) =>
      differences(
        'sent mails',
        mails.filter(({ folder }) => folder === 'sent').map(({ to, subject, body }) => ({ to, subject, body })),
        [
          {
            to: 'paula.reyes@northwind.example',
            subject: 'Re: Budget for the stand',
            body: 'Yes, we stay below 4,200 dollars.',
          },
        ],
      ),
    script: [
      click('link', 'Budget for the stand'),
      click('link', 'Reply'),
      type('textbox', 'Text', 'Yes, we stay below 4,200 dollars.'),
      click('button', 'Send'),
      end('The reply is sent.'),
    ],
  },
  {
    id: 'mail-archive-newsletters',
    level: 'medium',
    goal: 'Archive all mails in the inbox that the newsletter Garden Weekly (digest@gardenweekly.example) sent, and no other mail.',
    problems: ({ mails }) =>
      differences(
        'mails',
        folders(mails),
        MAILS.map(({ from, subject, folder }) => `${isNewsletter(from) ? 'archive' : folder}: ${subject}`),
      ),
    script: [
      fill(
        ...[
          'Garden Weekly: ten shrubs for shade',
          'Garden Weekly: when to cut back lavender',
          'Garden Weekly: a pond in a bucket',
        ].map(subject => ['checkbox', `Select ${subject}`, true] as const),
      ),
      click('button', 'Archive'),
      end('Three mails are archived.'),
    ],
  },
  {
    id: 'mail-empty-trash',
    level: 'medium',
    goal: 'Empty the trash for good.',
    problems: ({ mails }) =>
      differences('mails', folders(mails), folders(MAILS.filter(({ folder }) => folder !== 'trash'))),
    script: [
      click('link', 'Trash'),
      step('I empty it, and say yes when asked.', 'browser_click', view => ({
        ref: view.ref('button', 'Empty trash'),
        onDialog: { accept: true },
      })),
      end('The trash is empty.'),
    ],
  },
  {
    id: 'mail-forwarded-note',
    level: 'hard',
    goal: 'Find the flight that leaves first, write a mail with the subject "Flight" to lars@fjordrun.example that has nothing in it but its booking code, and then delete the mail about that flight.',
    problems: ({ mails }) => [
      ...differences(
        'sent mails',
        mails.filter(({ folder }) => folder === 'sent').map(({ to, subject, body }) => ({ to, subject, body })),
        [{ to: 'lars@fjordrun.example', subject: 'Flight', body: 'HT2P9X' }],
      ),
      ...differences(
        'mails',
        folders(mails.filter(({ folder }) => folder !== 'sent')),
        MAILS.map(({ subject, folder }) => `${subject === 'Your flight to Oslo' ? 'trash' : folder}: ${subject}`),
      ),
    ],
    script: [
      click('link', 'Your flight to Oslo'),
      step('I read the mail.', 'browser_read'),
      click('link', 'Write'),
      fill(['textbox', 'To', 'lars@fjordrun.example'], ['textbox', 'Subject', 'Flight'], ['textbox', 'Text', 'HT2P9X']),
      click('button', 'Send'),
      click('link', 'Inbox'),
      fill(['checkbox', 'Select Your flight to Oslo', true]),
      click('button', 'Delete'),
      end('The code is sent, and the mail is deleted.'),
    ],
  },
]);
