import { type Account, accountSite } from '../sites/account.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { choose, click, end, fill } from '../suite/script-steps.ts';

const accountBefore = accountSite.newState();

export const accountTasks = tasksOn<Account>('account', () => serveSite(accountSite), [
  {
    id: 'account-settings',
    level: 'medium',
    goal: 'Turn the monthly newsletter off and the two-step login on, set the language to Norsk, and save.',
    problems: state =>
      differences('account', state, {
        ...accountBefore,
        preferences: { newsletter: false, twoStep: true, language: 'Norsk' },
      }),
    script: [
      click('switch', 'Monthly newsletter'),
      click('switch', 'Two-step login'),
      choose('Language', 'Norsk'),
      click('button', 'Save settings'),
      end('The settings are saved.'),
    ],
  },
  {
    id: 'account-feedback',
    level: 'medium',
    goal: 'Give feedback: Fair, with the comment "The statements are hard to find". Leave the settings alone.',
    problems: state =>
      differences('account', state, {
        ...accountBefore,
        feedback: [{ rating: 'Fair', comment: 'The statements are hard to find' }],
      }),
    script: [
      fill(['radio', 'Fair', true], ['textbox', 'Comment', 'The statements are hard to find']),
      click('button', 'Send feedback'),
      end('The feedback is sent.'),
    ],
  },
]);
