import { expect, test } from 'vitest';
import { ElementNames } from '../../src/server/element-names.js';

const PAGE = `form "Delivery"
  textbox "Full name" @e1
  button "Place order" @e2
  clickable @e3`;

test('a call names what it acts on, by the latest text that told of it', () => {
  const names = new ElementNames();
  expect(names.gist('ann', { ref: '@e2' })).toBe('ref="@e2"');
  names.learn('ann', PAGE);
  expect(names.gist('ann', { ref: '@e2' })).toBe('button "Place order"');
  expect(names.gist('ann', { ref: '@e3', button: 'right' })).toBe('clickable button="right"');
  expect(names.gist('ann', { from: '@e1', to: '@e2' })).toBe('from: textbox "Full name" to: button "Place order"');
  expect(names.gist('ann', { fields: [{ ref: '@e1', value: 'Ann Lee' }], submit: '@e2' })).toBe(
    'textbox "Full name" value="Ann Lee" submit: button "Place order"',
  );
  names.learn('ann', '~ button "Order again" @e2');
  expect(names.gist('ann', { ref: '@e2' })).toBe('button "Order again"');
});

test('another thread has elements of its own, and a ref that nobody told of stays one', () => {
  const names = new ElementNames();
  names.learn('ann', PAGE);
  expect(names.gist('bo', { ref: '@e2' })).toBe('ref="@e2"');
  expect(names.gist('ann', { url: 'https://shop.example/', values: ['@e2'] })).toBe(
    'url="https://shop.example/" values=["@e2"]',
  );
});

test('a long call is cut, and what is remembered has a limit', () => {
  const names = new ElementNames();
  expect(names.gist('ann', { text: 'x'.repeat(500) })).toHaveLength(121);
  names.learn('ann', PAGE);
  for (let thread = 0; thread < 100; thread++) names.learn(`thread ${thread}`, PAGE);
  expect(names.gist('ann', { ref: '@e2' })).toBe('ref="@e2"');
});
