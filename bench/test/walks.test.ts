import { expect, test } from 'vitest';
import { deviations, toLines } from '../src/walks/described.ts';
import { measureWalks } from '../src/walks/measure-walks.ts';

// `npm run bench -- --only walks --print` prints the lines to write.
test('the three walks of docs/architecture.md name the files that run, and no others', async () => {
  const found = deviations(await measureWalks());
  const wrong = found.filter(({ missing, tooMuch }) => missing.length + tooMuch.length > 0);
  expect(wrong, toLines(wrong)).toEqual([]);
});
