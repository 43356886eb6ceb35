import type { LibraryTasks } from '../task.ts';

export const first: LibraryTasks = {
  flatpickr: {
    calls: 4,
    done: '2026-04-21',
    play: async agent => {
      await agent.open();
      await agent.click('textbox "Arrival"');
      await agent.click(/img @e\d+ \[[^\]]*next.month/i);
      await agent.clickDay(21);
    },
  },
  'tom-select': {
    calls: 5,
    done: ['Cherry', 'Pear'],
    play: async agent => {
      await agent.open();
      await agent.click('combobox "Fruit"', { says: 'Cherry' });
      await agent.click('option "Cherry"', { says: 'Cherry' });
      await agent.click('option "Pear"', { says: 'Pear' });
      await agent.click(['"Plum ×"', 'button "×"']);
    },
  },
  'react-select': {
    calls: 3,
    done: 'Tromsø',
    play: async agent => {
      await agent.open();
      await agent.click('combobox "City"', { says: 'Tromsø' });
      await agent.click('option "Tromsø"', { says: 'Tromsø' });
    },
  },
  jstree: {
    calls: 4,
    done: ['bills', 'pics', 'holiday', 'family'],
    play: async agent => {
      await agent.open();
      await agent.press('ArrowRight', { on: '"Documents"', says: 'Bills' });
      await agent.click('"Bills"', { says: 'Bills' });
      await agent.click('"Pictures"', { says: 'Pictures' });
    },
  },
  tabulator: {
    calls: 5,
    done: { sorted: ['price asc'], changed: ['Nail 157: 25'] },
    play: async agent => {
      await agent.open();
      await agent.click(/columnheader "Price"/);
      await agent.type(/(textbox|searchbox)(?! "(Price|Count))/, 'Nail 157', { says: 'Nail 157' });
      await agent.click(/"10"/);
      await agent.type(/textbox.*value="10"|textbox/, '25', { input: { submit: true }, says: '25' });
    },
  },
  nouislider: {
    calls: 2,
    done: [600, 1200],
    play: async agent => {
      await agent.open();
      await agent.fill(
        [
          ['slider "Lowest rent"', '600'],
          ['slider "Highest rent"', '1200'],
        ],
        { says: '600 to 1200 euros' },
      );
    },
  },
  tagify: {
    calls: 4,
    done: ['rivers', 'mountains', 'moors'],
    play: async agent => {
      await agent.open();
      await agent.click(['generic "lakes"', 'button "remove tag"']);
      await agent.type('textbox', 'mountains', { input: { submit: true }, says: 'mountains' });
      await agent.type('textbox', 'moors', { input: { submit: true }, says: 'moors' });
    },
  },
  codemirror: {
    calls: 2,
    done: 'const price = 15;\nconst count = 3;\n',
    play: async agent => {
      await agent.open({ says: 'const price = 12;' });
      await agent.type('textbox "Script"', 'const price = 15;\nconst count = 3;\n', { says: '15' });
    },
  },
  filepond: {
    calls: 3,
    done: ['plan.txt'],
    play: async agent => {
      await agent.open();
      await agent.call(
        'upload',
        { ref: await agent.ref(/Browse|Drag/), paths: ['notes.txt', 'plan.txt'] },
        { says: 'plan.txt' },
      );
      await agent.click(['group "notes.txt"', 'button "Remove"'], { says: 'Removed notes.txt' });
    },
  },
  'radix-menubar': {
    calls: 6,
    done: { done: ['As picture'], isWrapped: true },
    play: async agent => {
      await agent.open();
      await agent.click('"File"', { says: 'Export' });
      await agent.click('"Export"', { says: 'As picture' });
      await agent.click('"As picture"');
      await agent.click('"View"', { says: 'Wrap lines' });
      await agent.click('"Wrap lines"');
    },
  },
};
