import { type Race, raceSite } from '../sites/race.ts';
import { serveSite } from '../sites/site.ts';
import { differences, tasksOn } from '../suite/own-task.ts';
import { click, end, fill, type } from '../suite/script-steps.ts';

export const raceTasks = tasksOn<Race>('race', () => serveSite(raceSite), [
  {
    id: 'race-register',
    level: 'medium',
    goal: 'Register Nora Lien, born 3 April 1988, of the Bergen Striders, for the half marathon: shirt size M, emergency phone 90223344 in Norway. Accept the terms.',
    problems: ({ registrations }) =>
      differences('registrations', registrations, [
        {
          name: 'Nora Lien',
          born: '1988-04-03',
          club: 'Bergen Striders',
          distance: 'Half marathon',
          size: 'M',
          phone: '+47 90223344',
        },
      ]),
    script: [
      click('link', 'Register a runner'),
      fill(
        ['textbox', 'First and last name', 'Nora Lien'],
        ['textbox', 'Date of birth', '1988-04-03'],
        ['combobox', 'Club', ['Bergen Striders']],
      ),
      click('button', 'Continue'),
      fill(
        ['radio', 'Half marathon', true],
        ['combobox', 'Shirt size', ['M']],
        ['textbox', 'Emergency phone', '90223344'],
      ),
      click('button', 'Continue'),
      type('textbox', 'Emergency phone', '+47 90223344'),
      click('button', 'Continue'),
      click('checkbox', 'I accept the terms'),
      click('button', 'Register'),
      end('Nora Lien is registered.'),
    ],
  },
  {
    id: 'race-correct',
    level: 'medium',
    goal: 'A registration was returned because of its phone number. Correct what the organisers say is wrong and hand it in again. Change nothing else.',
    problems: ({ registrations, returned }) => [
      ...differences('returned', returned, []),
      ...differences('registrations', registrations, [
        {
          name: 'Siri Vang',
          born: '1990-02-14',
          club: 'Oslo Owls',
          distance: 'Half marathon',
          size: 'M',
          phone: '+47 90112234',
        },
      ]),
    ],
    script: [
      click('link', 'Returned registrations'),
      { say: 'I read what is wrong.', call: () => ({ toolName: 'browser_read', input: {} }) },
      click('link', 'Correct Siri Vang'),
      type('textbox', 'Emergency phone', '+47 90112234'),
      click('button', 'Hand in again'),
      end('It is handed in again.'),
    ],
  },
]);
