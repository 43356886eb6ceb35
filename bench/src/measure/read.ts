import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { articles, articleText } from '../../pages/articles.ts';
import { savedFile } from '../../pages/saved.ts';
import type { PageServer } from '../../pages/server.ts';
import { interleave, type Rounds } from '../interleave.ts';
import { median, round, type Spread } from '../statistics.ts';
import { newToolset } from '../toolset.ts';

interface Score {
  f1: number;
  ms: Spread;
}

/** One saved article: its words, and how much of them and of nothing else was read. */
export interface ReadResult {
  page: string;
  words: number;
  ours: Score;
  /** Readability on the page's own markup, parsed by linkedom. */
  library: Score;
}

/** What reads pages. */
export interface PageReader {
  navigate(input: { url: string }): Promise<{ success: boolean; message?: string }>;
  read(input: { format: 'text'; maxTokens: number }): Promise<{ content?: string; message?: string }>;
}

/** Reads every saved article with the toolset, and its markup with the extractor alone. */
export async function measureRead(server: PageServer, rounds: Rounds): Promise<ReadResult[]> {
  const toolset = await newToolset();
  try {
    const session = toolset.session('read');
    const results: ReadResult[] = [];
    for (const file of Object.keys(articles)) results.push(await measureArticle(file, server, { session, rounds }));
    return results;
  } finally {
    await toolset.close();
  }
}

async function measureArticle(
  file: string,
  server: PageServer,
  { session, rounds }: { session: PageReader; rounds: Rounds },
): Promise<ReadResult> {
  const reference = articleText(file);
  const texts = { ours: await readByToolset(session, server.article(file)), library: readByLibrary(file) };
  const samples = await interleave(
    [
      { name: 'ours', run: () => session.read({ format: 'text', maxTokens: 1_000_000 }) },
      { name: 'library', run: async () => readByLibrary(file) },
    ],
    rounds,
  );
  const score = (of: 'ours' | 'library'): Score => {
    const times = samples.get(of) ?? [];
    const spread = { median: median(times), min: Math.min(...times), max: Math.max(...times), samples: times.length };
    return { f1: round(f1(texts[of], reference), 4), ms: spread };
  };
  return { page: file, words: wordsOf(reference).length, ours: score('ours'), library: score('library') };
}

/** What the toolset reads of a page. */
export async function readByToolset(session: PageReader, url: string): Promise<string> {
  const arrived = await session.navigate({ url });
  if (!arrived.success) throw new Error(arrived.message);
  const { content, message } = await session.read({ format: 'text', maxTokens: 1_000_000 });
  if (content === undefined) throw new Error(message);
  return content;
}

/** What the extractor alone reads of a saved article. */
export function readByLibrary(file: string): string {
  const { document } = parseHTML(savedFile(file).toString('utf8'));
  return new Readability(document).parse()?.textContent ?? '';
}

/** Harmonic mean of precision and recall, word by word, whatever their order. */
export function f1(text: string, reference: string): number {
  const [found, wanted] = [wordsOf(text), wordsOf(reference)];
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let hits = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count > 0) hits++;
    left.set(word, count - 1);
  }
  return found.length + wanted.length === 0 ? 1 : (2 * hits) / (found.length + wanted.length);
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
