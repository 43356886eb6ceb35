import type { LibraryTasks } from '../task.ts';

export const second: LibraryTasks = {
  choices: {
    calls: 3,
    done: 'Norway',
    play: async agent => {
      await agent.open();
      await agent.click(/combobox .*Country/, { says: 'Norway' });
      await agent.click('option "Norway"', { says: 'Norway' });
    },
  },
  'slim-select': {
    calls: 4,
    done: ['Ham', 'Olives'],
    play: async agent => {
      await agent.open();
      await agent.click(/combobox "[^"]*"/, { says: 'Olives' });
      await agent.click('option "Ham"', { says: 'Ham' });
      await agent.click('option "Olives"', { says: 'Olives' });
    },
  },
  sweetalert2: {
    calls: 5,
    done: { name: 'marianne', isOpen: false },
    play: async agent => {
      await agent.open();
      await agent.click('button "Rename account"', { says: ['New name', 'Cancel'] });
      await agent.type('textbox "Name of the account"', 'ann', {
        input: { submit: true },
        says: 'At least four letters',
      });
      await agent.type('textbox "Name of the account"', 'marianne');
      await agent.click('button "OK"', { says: 'Renamed to marianne' });
    },
  },
  mui: {
    calls: 6,
    done: { film: 'Fargo', stars: 4, isPublic: true },
    play: async agent => {
      await agent.open();
      await agent.click('button "Write a review"', { says: ['Review', '2 Stars', 'Cancel'] });
      await agent.type('combobox "Film"', 'far', { says: 'Fargo' });
      await agent.click('"Fargo"', { says: 'Fargo' });
      await agent.fill([
        ['radio "4 Stars"', true],
        ['"Everybody may read it"', true],
      ]);
      await agent.click('button "Send"', { says: 'Fargo: 4 stars' });
    },
  },
  antd: {
    calls: 7,
    done: { place: ['Sweden', 'Malmö'], day: '2026-10-21', people: 5 },
    play: async agent => {
      await agent.open();
      await agent.click('combobox "* Place"', { says: ['Norway', 'Sweden'] });
      await agent.click(/menuitemcheckbox "Sweden/, { says: 'Malmö' });
      await agent.click(/menuitemcheckbox "Malmö/, { says: 'Malmö' });
      await agent.click('textbox "Day"', { says: ['Oct', '2026'] });
      await agent.clickDay(21, { says: '2026-10-21' });
      await agent.call(
        'fill_form',
        {
          fields: [{ ref: await agent.ref('spinbutton "People"'), value: '5' }],
          submit: await agent.ref('button "Book"'),
        },
        { says: 'Booked Sweden, Malmö on 2026-10-21 for 5' },
      );
    },
  },
  datatables: {
    calls: 5,
    done: { invited: ['Member 36'], page: 1, order: [[2, 'asc']], search: 'o' },
    play: async agent => {
      await agent.open({ says: 'Showing 1 to 10 of 57' });
      await agent.type(/(searchbox|textbox) "Search/, 'o', { says: 'filtered from 57' });
      await agent.click(/(button|columnheader) "Born/, { says: 'sorted' });
      await agent.click(/(link|button) "2"/, { says: 'Showing 11 to' });
      await agent.click(['Member 36', 'button "Invite"'], { says: 'Invited: Member 36' });
    },
  },
  gridjs: {
    calls: 3,
    done: 'P-1210',
    play: async agent => {
      await agent.open();
      await agent.type(/(searchbox|textbox) "/, 'P-12', { says: 'P-1210' });
      await agent.click('"P-1210"');
    },
  },
  'tanstack-virtual': {
    calls: 4,
    done: ['Song number 3', 'Song number 22'],
    play: async agent => {
      await agent.open();
      await agent.click(['"Song number 3"', 'button "Like"'], { says: '1 liked' });
      await agent.call('scroll', { direction: 'down', amount: 600 }, { says: 'Song number 22' });
      await agent.click(['"Song number 22"', 'button "Like"'], { says: '2 liked' });
    },
  },
  'ion-rangeslider': {
    calls: 2,
    done: 70,
    play: async agent => {
      await agent.open();
      await agent.press(
        Array.from({ length: 8 }, () => 'ArrowRight'),
        { on: /clickable @e\d+ \[irs-line/, says: '70' },
      );
    },
  },
  pickr: {
    calls: 4,
    done: '#00AA00',
    play: async agent => {
      await agent.open();
      await agent.click(/button "toggle color picker dialog"/i, { says: 'save and close' });
      await agent.click(/button "color swatch" @e\d+ \[#00aa00/);
      await agent.click('button "save and close"');
    },
  },
  'vanilla-colorful': {
    calls: 3,
    done: { isGreen: true, ordered: true },
    play: async agent => {
      await agent.open();
      await agent.fill([[/slider "Hue"/, '120']], { says: '#' });
      await agent.click('button "Order this colour"', { says: 'Ordered' });
    },
  },
};
