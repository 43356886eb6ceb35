import { describe, expect, test } from 'vitest';
import { humanActionLines } from '../src/human-actions.js';

describe('what a person did', () => {
  test('is told a line for each kind', () => {
    const url = { before: 'https://shop.example/', after: 'https://shop.example/cart' };
    const clicks = [
      { role: 'link', name: 'Cart' },
      { role: 'button', name: '' },
    ];
    const fields = [{ role: 'textbox', name: 'City', value: 'Bergen' }];
    expect(humanActionLines({ url, tabsClosed: ['t2'], clicks, fields, more: 2 })).toEqual([
      'went from https://shop.example/ to https://shop.example/cart',
      'closed tab t2',
      'clicked link "Cart", button',
      'changed textbox "City" to "Bergen"',
      'and 2 more',
    ]);
    expect(humanActionLines({})).toEqual([]);
  });

  test('leaves out what a secret field holds', () => {
    const fields = [{ role: 'textbox', name: 'Password', value: 'hunter2', secret: true }];
    expect(humanActionLines({ fields })).toEqual(['changed textbox "Password" (a secret)']);
  });
});
