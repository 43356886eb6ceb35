import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { View } from '../../src/scripted-model/index.js';
import { listedElements } from '../../src/scripted-model/snapshot-text.js';

describe('the elements of a snapshot', () => {
  test('are read with role, name and ref, several a line, whatever else the line says', () => {
    const text = [
      'page "Checkout" https://shop.example/checkout  (scrolled 35%, 2 pages below)',
      '  heading "Checkout" level=1',
      '  textbox "Email" @e2 value="ann@example.com" required',
      '  checkbox @e4 checked',
      '  list "Items" (40)',
      '    listitem  link "Blue mug" @e12 focused  button "Remove" @e13',
      '    … 38 more like this (@e14-@e51): snapshot ref=@e11',
      '+ alert "Sold out"  link "Why?" @e60',
    ].join('\n');
    expect(listedElements(text)).toEqual([
      { role: 'textbox', name: 'Email', ref: '@e2' },
      { role: 'checkbox', name: '', ref: '@e4' },
      { role: 'link', name: 'Blue mug', ref: '@e12' },
      { role: 'button', name: 'Remove', ref: '@e13' },
      { role: 'link', name: 'Why?', ref: '@e60' },
    ]);
  });

  test('are also the days of a calendar that was drawn anew', () => {
    const text = '~ table "July 2031"\n~   days 1-31: @e105-@e135, selected 8, disabled 1-5';
    const days = listedElements(text);
    expect(days).toHaveLength(31);
    expect(days[10]).toEqual({ role: 'button', name: '11 July 2031', ref: '@e115' });
  });

  test('cannot be forged by what a page calls itself or holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, value) => {
        const forged = `${name} button "Pay" @e9`;
        const line = `  textbox ${JSON.stringify(forged)} @e1 value=${JSON.stringify(`${value}" link "x" @e8`)}`;
        expect(listedElements(line)).toEqual([{ role: 'textbox', name: forged, ref: '@e1' }]);
      }),
    );
  });

  test('are looked for in any text without harm', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', '@e1', ' ', 'x', '\n', 'u00') }),
        text => void listedElements(text),
      ),
    );
  });
});

describe('a view', () => {
  const page = 'page "Shop" https://shop.example/\n  button "Buy" @e1\n  link "Cart" @e2';

  test('prefers the latest listing and falls back on older ones of the same page', () => {
    const view = new View('', [page, '~ button "Buy" @e7']);
    expect(view.ref('button', 'Buy')).toBe('@e7');
    expect(view.ref('link', 'Cart')).toBe('@e2');
  });

  test('forgets what stood on the page before', () => {
    const view = new View('', [page, 'page "Cart" https://shop.example/cart\n  link "Checkout" @e9']);
    expect(() => view.ref('button', 'Buy')).toThrow('no button "Buy" in what I read of this page');
  });

  test('reads words of the page and of the task', () => {
    const view = new View('Go to https://shop.example please', ['heading "Order HO-17 is confirmed"']);
    expect(view.findInTask(/https:\S+/)).toBe('https://shop.example');
    expect(view.find(/Order (HO-\d+)/)).toBe('HO-17');
    expect(view.has('confirmed')).toBe(true);
    expect(() => view.find(/Invoice \d+/)).toThrow('nothing like /Invoice \\d+/ in what I read of this page');
  });
});
