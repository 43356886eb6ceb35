import { expect, test } from 'vitest';
import { checkSources } from '../../src/tools/extract.js';

const page = ['The “Blue mug” costs\n1.299,50 kr — since 2024.'];
const check = (value: unknown, quote?: string) => checkSources({ value }, [{ path: 'value', quote }], page)[0];

test.each([
  ['Blue mug', 'The "Blue mug"', { verified: true, exact: true }],
  ['blue MUG', 'Blue mug', { verified: true, exact: true }],
  [1299.5, 'costs 1.299,50 kr - since', { verified: true, exact: true }],
  [2024, 'since 2024', { verified: true, exact: true }],
  [24, 'since 2024', { verified: true, exact: false }],
  [true, 'Blue mug', { verified: true, exact: false }],
  ['Red mug', 'Red mug', { verified: false, exact: false }],
  ['Blue mug', '', { verified: false, exact: false }],
  ['Blue mug', undefined, { verified: false, exact: false }],
])('%j from %j is %j', (value, quote, expected) => {
  expect(check(value, quote)).toMatchObject(expected);
});

test.each([
  'items[0].name',
  '$.items.0.name',
  'data.items[0].name',
  `["items"][0]["name"]`,
  `data['items'][0].name`,
  '/items/0/name',
  '$["items"].0.name',
])('the path %s is understood', path => {
  const [source] = checkSources({ items: [{ name: 'Blue mug' }] }, [{ path, quote: 'Blue mug' }], page);
  expect(source).toEqual({ path: 'items[0].name', quote: 'Blue mug', verified: true, exact: true });
});

test('a field called data is not taken for all of the data', () => {
  const claimed = [
    { path: 'data', quote: 'Blue mug' },
    { path: 'other', quote: 'costs' },
  ];
  expect(checkSources({ data: 'Blue mug', other: 'costs' }, claimed, page).map(({ verified }) => verified)).toEqual([
    true,
    true,
  ]);
  expect(checkSources('Blue mug', [{ path: '$', quote: 'Blue mug' }], page)[0]?.verified).toBe(true);
});

test('what says nothing needs no source', () => {
  expect(checkSources({ a: null, b: '', c: [], d: {} }, [], page)).toEqual([]);
});
