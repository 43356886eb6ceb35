import { expect, test } from 'vitest';
import { VOCABULARY } from '../src/actions/vocabulary.js';
import { stage } from './fixtures.js';

const { agent } = stage({ tools: { also: ['browser_clipboard'] } });

test('what other agents call their actions is done by one that the model has', () => {
  const names = new Set([...agent(() => '').actions.map(({ name }) => name), 'done']);
  const missing = Object.entries(VOCABULARY).filter(([, { action }]) => !names.has(action));
  expect(missing.map(([name, { action }]) => `${name}: ${action}`)).toEqual([]);
});
