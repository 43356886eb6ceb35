import { expect, test } from 'vitest';
import { ticker } from '../../../../bench/pages/sites/ticker.ts';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

test('beside prices, a clock and a carousel an action has its own effect in its result', async () => {
  const { session, ref, evaluate } = await openPage(ticker());
  await expect.poll(() => evaluate("document.querySelector('[data-every]').textContent")).not.toBe('100.00');
  for (const count of [1, 2, 3]) {
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Count') }));
    expect(changes).toMatch(new RegExp(`"${count}"`));
  }
  expectSuccess(await session.type({ ref: ref('textbox', 'Name'), text: 'Ada' }));
  expectSuccess(await session.select({ ref: ref('combobox', 'Colour'), labels: ['Blue'] }));
  expect(await evaluate("[document.getElementById('name').value, document.getElementById('colour').value]")).toEqual([
    'Ada',
    'Blue',
  ]);
});
