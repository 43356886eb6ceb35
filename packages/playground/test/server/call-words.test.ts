import { TOOL_IDS } from '@browser-toolset/agent-browser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callWords, gistOf, type Known } from '../../src/server/call-words.js';
import { ElementNames, ThreadElements } from '../../src/server/element-names.js';

const elements = new ThreadElements();
elements.learn(
  [
    'textbox "Name on card" @e1',
    'textbox "Expiry date" @e2',
    'textbox "Security code" @e3',
    'button "Confirm card" @e4',
    'combobox "Country" @e5',
    'clickable @e6',
    'textbox "Say \\"hi\\"" @e7',
    'checkbox "Terms" @e8',
  ].join('\n'),
);
elements.learnHidden({ fields: [{ ref: '@e3', value: '123' }] }, { fields: [{ ref: '@e3', value: '••••••••' }] });

const words = (tool: string, input: Record<string, unknown>, more: Partial<Known> = {}) => {
  const known: Known = {
    elementOf: ref => elements.elementOf(ref),
    shownValueOf: ref => elements.shownValueOf(ref),
    ...more,
  };
  const { sentence, lines } = callWords(tool, input, known);
  return [sentence, ...lines.map(({ name, value }) => `${name}: ${value}`)];
};

const PAYMENT = {
  fields: [
    { ref: '@e1', value: 'Ann Berg' },
    { ref: '@e2', value: '12/49' },
    { ref: '@e3', value: '123' },
    { ref: '@e8', value: true },
  ],
  submit: '@e4',
};

describe('a call in words', () => {
  test('has a form in lines, codes hidden, and the button last', () => {
    const read = [
      'Fill in 4 fields, then press button "Confirm card"',
      'Name on card: Ann Berg',
      'Expiry date: 12/49',
      'Security code: ••••••••',
      'Terms: checked',
      'Then press: button "Confirm card"',
    ];
    expect(words('browser_fill_form', PAYMENT)).toEqual(read);
    // As some models write it.
    expect(words('browser_fill_form', { fields: JSON.stringify(PAYMENT.fields), submit: 'ref=e4' })).toEqual(read);
    expect(gistOf('browser_fill_form', PAYMENT, elements)).toBe(
      'Name on card, Expiry date, Security code, Terms, then button "Confirm card"',
    );
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    [
      'browser_click',
      { ref: '@e4', button: 'right', modifiers: ['Shift'] },
      ['Click with the right button button "Confirm card"', 'Modifiers: Shift'],
    ],
    ['browser_click', { ref: '@e6', clickCount: 2 }, ['Click clickable twice']],
    ['browser_click', { x: 3, y: 4 }, ['Click the point 3, 4']],
    ['browser_click', { ref: '@e99' }, ['Click an element that is no longer known (@e99)']],
    [
      'browser_type',
      { ref: '@e7', text: 'mug', submit: true },
      ['Type "mug" into textbox "Say \\"hi\\"", then press Enter'],
    ],
    ['browser_type', { ref: '@e3', text: '123' }, ['Type "••••••••" into textbox "Security code"']],
    ['browser_type', { ref: '@e1', text: '<secret>PW</secret>' }, ['Type "(secret PW)" into textbox "Name on card"']],
    ['browser_type', { ref: '@e1', text: 'a\nb' }, ['Type a text into textbox "Name on card"', 'Text: a\nb']],
    ['browser_select', { ref: '@e5', labels: ['Norway'] }, ['Choose "Norway" in combobox "Country"']],
    ['browser_select', { ref: '@e5', indexes: [0, 2] }, ['Choose "option 1", "option 3" in combobox "Country"']],
    ['browser_select', { ref: '@e5' }, ['List the options of combobox "Country"']],
    ['browser_wait', { for: { gone: 'Pier kettle' } }, ['Wait until "Pier kettle" is gone']],
    ['browser_wait', { for: '{"ref":"@e4","state":"enabled"}' }, ['Wait until button "Confirm card" is enabled']],
    ['browser_wait', { for: { seconds: 2 } }, ['Wait 2 seconds']],
    ['browser_drag', { from: '@e6', to: { x: 1, y: 2 } }, ['Drag clickable to the point 1, 2']],
    [
      'browser_press',
      { keys: ['Tab', 'Enter'], onDialog: { accept: true } },
      ['Press Tab, Enter', 'On dialog: accept: yes'],
    ],
    [
      'browser_page_tools',
      { action: 'call', name: 'add', input: { to: '@e4', list: [{ id: 1 }] } },
      ['Call "add", a tool of the page', 'Input: to: button "Confirm card"', 'Input: list 1: id: 1'],
    ],
    ['browser_evaluate', { expression: 'a()\nb()' }, ['Run a script in the page', 'Expression: a()\nb()']],
    [
      'other_tool',
      { shipTo: { city: 'Bergen' }, isGift: false },
      ['Other tool', 'Ship to: city: Bergen', 'Is gift: no'],
    ],
  ])('%s %j', (tool, input, read) => expect(words(tool, input)).toEqual(read));

  test('says what is at a point, and what a dialog asks', () => {
    expect(words('browser_click', { x: 3, y: 4 }, { atPoint: 'button "Pay"' })).toEqual(['Click button "Pay" at 3, 4']);
    expect(words('browser_dialog', { action: 'accept' }, { dialog: 'Delete all?' })).toEqual(['Accept "Delete all?"']);
  });

  test('leaves out nothing of any input, and writes no objects', () => {
    const value = fc.oneof(
      fc.string({ minLength: 1 }).filter(text => !/^\s*[[{]/.test(text)),
      fc.integer(),
    );
    const name = fc.stringMatching(/^[a-z]{6,10}$/);
    const input = fc.dictionary(name, fc.oneof(value, fc.array(value), fc.dictionary(name, value)));
    fc.assert(
      fc.property(fc.constantFrom(...TOOL_IDS, 'foreign'), input, (tool, given) => {
        const read = words(tool, given).join('\n');
        for (const each of Object.values(given).flatMap(value =>
          typeof value === 'object' ? Object.values(value) : value,
        ))
          expect(read).toContain(String(each));
        expect(read).not.toContain('[object');
      }),
    );
  });
});

test('elements are named in each thread by what its agent read last', () => {
  const names = new ElementNames();
  names.of('ann').learn('button "Place order" @e2');
  names.of('ann').learn('clickable @e3 "@e4" @e5');
  expect(names.of('ann').elementOf('@e2')).toBe('button "Place order"');
  names.of('ann').learn('button "Order again" @e2');
  names.of('ann').learn('Filled: @e2 "Ann", @e3\nClicked @e2');
  expect(names.of('ann').elementOf('@e2')).toBe('button "Order again"');
  expect(names.of('bo').elementOf('@e2')).toBeUndefined();
  for (let thread = 0; thread < 150; thread++) names.of(`thread ${thread}`);
  expect(names.of('ann').elementOf('@e2')).toBeUndefined();
});
