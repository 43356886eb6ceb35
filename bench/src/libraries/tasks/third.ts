import type { LibraryTasks } from '../task.ts';

export const third: LibraryTasks = {
  tiptap: {
    calls: 5,
    done: '<h2>Dear Berit</h2><ul><li><p>Come soon</p></li></ul><p></p>',
    play: async agent => {
      await agent.open({ says: 'Dear Ann' });
      await agent.type('textbox', 'Dear Berit', { says: 'Dear Berit' });
      await agent.click('button "Heading"', { says: 'heading' });
      await agent.type('textbox', 'Come soon', { input: { clear: false }, says: 'Come soon' });
      await agent.click('button "List"');
    },
  },
  lexical: {
    calls: 4,
    done: 'Buy milk',
    play: async agent => {
      await agent.open();
      await agent.type('textbox', 'Buy milk', { says: 'Buy milk' });
      await agent.type('textbox', ' and bread', { input: { clear: false }, says: 'Buy milk and bread' });
      await agent.click('button "Undo"', { says: 'Buy milk' });
    },
  },
  trix: {
    calls: 4,
    done: '<div><strong>It snows.</strong></div>',
    play: async agent => {
      await agent.open({ says: 'It rains.' });
      await agent.type('textbox', 'It snows.', { says: 'It snows.' });
      await agent.press('Control+A', { on: 'textbox' });
      await agent.click('button "Bold"');
    },
  },
  'dnd-kit': {
    calls: 2,
    done: ['Voss', 'Geilo', 'Bergen', 'Oslo'],
    play: async agent => {
      await agent.open();
      await agent.drag('"Bergen"', '"Geilo"');
    },
  },
  dragula: {
    calls: 4,
    done: { planned: ['Paint the door', 'Cut the hedge'], doing: ['Mend the roof'], done: ['Sweep the yard'] },
    play: async agent => {
      await agent.open();
      await agent.find('Mend the roof');
      await agent.find('Doing', { says: 'list' });
      await agent.drag('"Mend the roof"', 'list "Doing"', { says: 'inside' });
    },
  },
  uppy: {
    calls: 3,
    done: ['plan.txt'],
    play: async agent => {
      await agent.open();
      await agent.call(
        'upload',
        { ref: await agent.ref(/button "browse files"|browse/i), paths: ['notes.txt', 'plan.txt'] },
        { says: ['notes.txt', 'plan.txt'] },
      );
      await agent.click(['"notes.txt"', 'button "Remove file"']);
    },
  },
  splide: {
    calls: 4,
    done: { slide: 2, booked: 'Harbour' },
    play: async agent => {
      await agent.open();
      await agent.click(/button "Next slide"/, { says: 'Glacier' });
      await agent.click(/button "Next slide"/, { says: 'Harbour' });
      await agent.click('button "Book Harbour"', { says: 'Booked: Harbour' });
    },
  },
  imask: {
    calls: 2,
    done: ['4242424242424242', 1250.5, '12/29'],
    play: async agent => {
      await agent.open();
      await agent.fill(
        [
          ['textbox "Card number"', '4242424242424242'],
          ['textbox "Amount"', '1250.5'],
          ['textbox "Valid until"', '12/29'],
        ],
        { says: '4242 4242 4242 4242' },
      );
    },
  },
  'intl-tel-input': {
    calls: 5,
    done: ['no', '41234567'],
    play: async agent => {
      await agent.open({ says: 'United States' });
      await agent.click(/(combobox|button) "[^"]*(United States|country)/i, { says: 'Search' });
      await agent.type(/(searchbox|textbox|combobox) "Search"/, 'norw', { says: 'Norway' });
      await agent.click(/option "Norway/, { says: 'Norway' });
      await agent.type('textbox "Phone number"', '41234567', { says: '41234567' });
    },
  },
  chartjs: {
    calls: 2,
    done: 'March',
    play: async agent => {
      await agent.open({ says: 'Sales by month' });
      await agent.call('click', { x: 395, y: 300 }, { says: 'Chosen: March' });
    },
  },
  leaflet: {
    calls: 4,
    done: { zoom: 9, reserved: 'Finse' },
    play: async agent => {
      await agent.open({ says: ['Zoom in', 'Finse'] });
      await agent.click('button "Zoom in"');
      await agent.click('"Finse"', { says: 'Reserve a bed' });
      await agent.click('button "Reserve a bed"', { says: 'Reserved' });
    },
  },
  konva: {
    calls: 2,
    done: { isRight: true, isDown: true, said: true, left: 8 },
    play: async agent => {
      await agent.open();
      await agent.call('drag', { from: { x: 88, y: 140 }, to: { x: 400, y: 300 } }, { says: 'Table at' });
    },
  },
  cookieconsent: {
    calls: 4,
    done: ['necessary', 'statistics'],
    play: async agent => {
      await agent.open({ says: ['Cookies', 'Accept all', 'Choose'] });
      await agent.click('button "Choose"', { says: ['Which cookies', 'Save choice'] });
      await agent.click(/(checkbox|switch) "Statistics"/, { says: 'checked' });
      await agent.click('button "Save choice"');
    },
  },
  tippy: {
    calls: 4,
    done: { isSeen: true, done: 'Repeat order' },
    play: async agent => {
      await agent.open();
      await agent.hover('button "About the fee"', { says: 'Three euros, by boat.' });
      await agent.click('button "More"', { says: 'Repeat order' });
      await agent.click('button "Repeat order"', { says: 'Done: Repeat order' });
    },
  },
  shoelace: {
    calls: 5,
    done: { name: 'Rocinante', kind: 'cargo', gears: 12, electric: true },
    play: async agent => {
      await agent.open();
      await agent.click('button "New bicycle"', { says: ['Name', 'Kind', 'Gears', 'Electric', 'Save'] });
      await agent.fill([
        ['textbox "Name"', 'Rocinante'],
        ['slider "Gears"', '12'],
        ['checkbox "Electric"', true],
      ]);
      await agent.select('combobox "Kind"', ['Cargo'], { says: 'Cargo' });
      await agent.click('button "Save"');
    },
  },
  'material-web': {
    calls: 4,
    done: { melody: 'birds', vibrates: true, loudness: 8, days: ['Sunday'] },
    play: async agent => {
      await agent.open();
      await agent.click('tab "Sound"', { says: ['Melody', 'Vibrate', 'Loudness', 'Sunday'] });
      await agent.fill([
        ['"Vibrate"', true],
        ['slider "Loudness"', '8'],
        ['combobox "Melody"', ['Birds']],
      ]);
      await agent.click('"Sunday"');
    },
  },
  vuetify: {
    calls: 7,
    done: { kind: 'River', tools: ['Rope', 'Lamp'], weight: 25, stars: 4 },
    play: async agent => {
      await agent.open();
      await agent.click('combobox "Kind"', { says: ['Mountain', 'River'] });
      await agent.click('"River"');
      await agent.type('combobox "Tools"', 'Lamp', { input: { submit: true }, says: 'Lamp' });
      await agent.click('button "Weight and difficulty"', { says: 'slider' });
      await agent.fill([[/slider/, '25']], { says: '25' });
      await agent.click('button "Rating 4 of 5"', { says: 'checked' });
    },
  },
  primevue: {
    calls: 6,
    done: { chosen: ['Wine 4', 'Wine 9'], regions: ['Loire'] },
    play: async agent => {
      await agent.open();
      await agent.click(['row "Wine 4', 'checkbox'], { says: 'checked' });
      await agent.click('button "Page 2"', { says: 'Wine 9' });
      await agent.click(['row "Wine 9', 'checkbox'], { says: 'checked' });
      await agent.click('button "Filter"', { says: 'Regions' });
      await agent.select('combobox "Regions"', ['Loire'], { says: 'Loire' });
    },
  },
  'element-plus': {
    calls: 5,
    done: { transfer: ['Lunch', 'Boat'], time: '09:30' },
    play: async agent => {
      await agent.open();
      await agent.fill([
        ['checkbox "Lunch"', true],
        ['checkbox "Boat"', true],
      ]);
      await agent.click(['checkbox "Insurance"', /button .*(to-right|right|2 of 2)/]);
      await agent.click('button "Next step"', { says: 'Start' });
      await agent.select(/combobox/, ['09:30'], { says: '09:30' });
    },
  },
  'naive-ui': {
    calls: 6,
    done: { folder: 'recipes', tags: ['draft', 'cakes'], copies: 3 },
    play: async agent => {
      await agent.open();
      await agent.click(/Choose a folder/, { says: 'Recipes' });
      await agent.click('"Recipes"', { says: 'Recipes' });
      await agent.click(['"Tags"', /button (?!"close)/]);
      await agent.type('textbox', 'cakes', { input: { submit: true }, says: 'cakes' });
      await agent.type('textbox "Copies"', '3', { says: '3' });
    },
  },
  'vue-datepicker': {
    calls: 5,
    done: '2026-07-22',
    play: async agent => {
      await agent.open({ says: '2026' });
      await agent.click('combobox "Datepicker input"', { says: ['Jun', '2026'] });
      await agent.click(/button "Next month"/i, { says: 'Jul' });
      await agent.clickDay(22);
      await agent.click('button "Select"', { says: 'At 2026-07-22' });
    },
  },
  driver: {
    calls: 4,
    done: { isActive: false, said: 'A letter was begun' },
    play: async agent => {
      await agent.open({ says: 'Begin a letter here.' });
      await agent.click('button "Next', { says: 'Find old letters here.' });
      await agent.click('button "Done"');
      await agent.click('button "Write"', { says: 'A letter was begun' });
    },
  },
  gridstack: {
    calls: 2,
    done: { below: true, mail: 0 },
    play: async agent => {
      await agent.open();
      await agent.call('drag', { from: await agent.ref('"Weather"'), to: { x: 100, y: 460 } });
    },
  },
  survey: {
    calls: 5,
    done: { state: 'completed', food: 4, seen: ['Garden', 'Tower'], more: 'No' },
    play: async agent => {
      await agent.open();
      await agent.fill([
        ['radio "4"', true],
        ['checkbox "Garden"', true],
        ['checkbox "Tower"', true],
      ]);
      await agent.click('button "Next"', { says: 'Anything else?' });
      await agent.type('textbox "Anything else?"', 'No');
      await agent.click('button "Complete"', { says: 'Thank you' });
    },
  },
  photoswipe: {
    calls: 4,
    done: { seen: [1, 2], isOpen: false },
    play: async agent => {
      await agent.open();
      await agent.click('"A green field"', { says: ['Next', 'Close'] });
      await agent.click('button "Next"');
      await agent.click('button "Close"', { says: /dialog.* closed/ });
    },
  },
  mantine: {
    calls: 9,
    done: { step: 2, pin: '4711', size: 'Large', day: '2026-04-15', guests: ['Berit', 'Olav'] },
    play: async agent => {
      await agent.open();
      await agent.type(['group "Code"', 'textbox'], '4711', { input: { slowly: true } });
      await agent.click('button "Go on"', { says: 'Guests' });
      await agent.click('radio "Large"');
      await agent.click(/button.*Day|"Day"/, { says: 'March 2026' });
      await agent.click(/button .*next\]/, { says: 'April 2026' });
      await agent.clickDay(15);
      await agent.type(/(textbox|combobox) "Guests"/, 'Berit,Olav,', {
        says: ['Berit', 'Olav'],
        mayDiffer: true,
        input: { slowly: true },
      });
      await agent.click('button "Go on"', { says: 'All is ready.' });
    },
  },
  'headless-ui': {
    calls: 7,
    done: { person: 'Carl Lie', rank: 'Owner' },
    play: async agent => {
      await agent.open();
      await agent.type('combobox "Person"', 'car', { says: 'Carl Lie' });
      await agent.click('option "Carl Lie"', { says: 'Carl Lie' });
      await agent.click('tab "Rights"', { says: 'Advanced' });
      await agent.click('button "Advanced"', { says: 'Reader' });
      await agent.click('"Reader"', { says: 'Owner' });
      await agent.click('option "Owner"', { says: 'Owner' });
    },
  },
};
