import type { LibraryTasks } from '../task.ts';

export const dates: LibraryTasks = {
  'air-datepicker': {
    calls: 4,
    done: ['2026-05-12', '2026-05-20'],
    play: async agent => {
      await agent.open();
      await agent.click('textbox "First and last day"', { says: ['May', '2026'] });
      await agent.clickDay(12, { says: '2026-05-12' });
      await agent.clickDay(20, { says: '2026-05-12 to 2026-05-20' });
    },
  },
  'vanillajs-datepicker': {
    calls: 6,
    done: '2025-11-17',
    play: async agent => {
      await agent.open();
      await agent.click('textbox "Date of birth"', { says: 'February 2026' });
      await agent.click('"February 2026"', { says: 'Nov' });
      await agent.click(/"Prev|"«/, { says: '2025' });
      await agent.click('"Nov"', { says: 'November 2025' });
      await agent.clickDay(17, { says: '2025-11-17' });
    },
  },
  pikaday: {
    calls: 4,
    done: '2026-09-15',
    play: async agent => {
      await agent.open();
      await agent.click('textbox "Day of the visit"', { says: ['July', '2026'] });
      await agent.select(/combobox.*July/, ['September'], { says: 'September' });
      await agent.clickDay(15, { says: '2026-09-15' });
    },
  },
  'day-picker': {
    calls: 4,
    done: ['2026-10-08', '2026-10-11'],
    play: async agent => {
      await agent.open({ says: 'September 2026' });
      await agent.click(/button "Go to the Next Month"/i, { says: 'October 2026' });
      await agent.clickDay(8);
      await agent.clickDay(11, { says: 'From 2026-10-08 to 2026-10-11' });
    },
  },
};
