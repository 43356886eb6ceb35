import { expect, test } from 'vitest';
import { Lateness } from '../../src/browser/tab/tab.js';

const KEYS = ['browser_type d:1', 'browser_type d textbox'];
const SIBLING = ['browser_type d:2', 'browser_type d textbox'];

test('a control that was late, and others of its kind, get that time and half of it again', () => {
  const lateness = new Lateness();
  expect(lateness.of(KEYS)).toBeUndefined();
  lateness.ended(KEYS, 1_000);
  lateness.came(1_300);
  expect([lateness.of(KEYS), lateness.of(SIBLING)]).toEqual([450, 450]);
  expect(lateness.of(['browser_click d:1'])).toBeUndefined();
});

test('a wait in vain ends that, but not for the control that was late itself', () => {
  const lateness = new Lateness();
  lateness.ended(KEYS, 1_000);
  lateness.came(1_300);
  lateness.wasInVain(SIBLING);
  expect([lateness.of(KEYS), lateness.of(SIBLING)]).toEqual([450, 0]);
  lateness.wasInVain(KEYS);
  expect(lateness.of(KEYS)).toBe(0);
});

test('only the first change after an action counts, and none that comes before or much later', () => {
  const lateness = new Lateness();
  lateness.came(500);
  lateness.ended(KEYS, 1_000);
  lateness.came(900);
  lateness.came(1_300);
  lateness.ended(KEYS, 2_000);
  lateness.came(4_001);
  expect(lateness.of(KEYS)).toBeUndefined();
});

test('the controls of a long session are forgotten in the order in which they were used', () => {
  const lateness = new Lateness();
  for (let n = 0; n < 1_000; n++) {
    lateness.ended([`key ${n}`], 0);
    lateness.came(100);
  }
  expect(lateness.of(['key 0'])).toBeUndefined();
  expect(lateness.of(['key 999'])).toBe(150);
});
