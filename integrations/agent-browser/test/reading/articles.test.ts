import { afterAll, expect, test } from 'vitest';
import { articles, articleText } from '../../../../bench/pages/articles.ts';
import { servePages } from '../../../../bench/pages/server.ts';
import { f1, type PageReader, readByLibrary, readByToolset } from '../../../../bench/src/measure/read.ts';
import { testToolset } from '../fixtures.js';

const server = await servePages();
afterAll(() => server.close());

test('saved articles are read at least as well as the extractor alone reads them', async () => {
  const session = testToolset().session() as PageReader;
  const scores: { file: string; ours: number; library: number }[] = [];
  for (const file of Object.keys(articles)) {
    const reference = articleText(file);
    const ours = f1(await readByToolset(session, server.article(file)), reference);
    scores.push({ file, ours, library: f1(readByLibrary(file), reference) });
  }
  const mean = (of: 'ours' | 'library') => scores.reduce((sum, score) => sum + score[of], 0) / scores.length;
  expect(mean('ours'), JSON.stringify(scores)).toBeGreaterThanOrEqual(mean('library'));
  // No single page may pay for the others.
  expect(scores.filter(({ ours, library }) => ours < library - 0.03)).toEqual([]);
});
