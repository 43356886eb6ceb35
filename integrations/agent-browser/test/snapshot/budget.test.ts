import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Budgeted, fitToBudget, nextPart } from '../../src/snapshot/budget.js';
import { pruneToContent } from '../../src/snapshot/prune.js';
import { indent, type Line, renderLines } from '../../src/snapshot/render.js';
import type { SnapshotNode } from '../../src/snapshot/tree.js';
import { estimateTokens } from '../../src/tokens.js';
import { forests, node, refOf } from './nodes.js';

const usualTokens = 6_000;
const linesOf = (roots: SnapshotNode[]): Line[] => renderLines(pruneToContent(roots), { refOf });
const written = (line: Line): string => indent(line.depth) + line.text;

const rows = (count: number): SnapshotNode[] => [
  node('heading', 'Items'),
  node(
    'list',
    'Items',
    {},
    Array.from({ length: count }, (_, i) =>
      node('listitem', '', {}, [node('text', `Item ${i}`), node('button', 'Delete', { id: 100 + i })]),
    ),
  ),
  node('button', 'Next', { id: 1 }),
];

/** All parts of a snapshot, as an agent gets them by `next`. */
function allParts(lines: readonly Line[], maxTokens: number): Budgeted[] {
  const parts = [fitToBudget(lines, { maxTokens, usualTokens, refOf })];
  for (let rest = parts[0]?.rest ?? []; rest.length > 0; rest = parts.at(-1)?.rest ?? [])
    parts.push(nextPart(rest, maxTokens));
  return parts;
}

describe('a text within its budget', () => {
  test('is the whole text when it fits', () => {
    const lines = linesOf(rows(3));
    const { text, rest, shownLines } = fitToBudget(lines, { maxTokens: 6000, usualTokens, refOf });
    expect(text.split('\n')).toEqual(lines.map(written));
    expect(rest).toEqual([]);
    expect(shownLines).toBe(lines.length);
  });

  test('folds what repeats itself first, and names the refs in the fold and that of what holds it', () => {
    const roots = rows(40);
    const [, list] = roots;
    const { text, holders } = fitToBudget(linesOf(roots), { maxTokens: 300, usualTokens, refOf });
    expect(holders).toEqual([list]);
    expect(text.split('\n')).toEqual([
      'heading "Items"',
      'list "Items" (40)',
      '  listitem',
      '    text "Item 0"',
      '    button "Delete" @e100',
      '  listitem',
      '    text "Item 1"',
      '    button "Delete" @e101',
      '  listitem',
      '    text "Item 2"',
      '    button "Delete" @e102',
      `  … 37 more like this (@e103-@e139): snapshot ref=@e${list?.id}`,
      'button "Next" @e1',
    ]);
  });

  test('folds items that are made of several lines each, and at the top names nothing that holds them', () => {
    const items = Array.from({ length: 30 }, (_, i) => [
      node('heading', `Mug ${i}`),
      node('link', 'Details', { id: 100 + 2 * i }),
      node('button', 'Add to cart', { id: 101 + 2 * i }),
    ]).flat();
    const { text } = fitToBudget(linesOf([...items, node('button', 'Next', { id: 1 })]), {
      maxTokens: 200,
      usualTokens,
      refOf,
    });
    expect(text.split('\n')).toEqual([
      'heading "Mug 0"',
      'link "Details" @e100',
      'button "Add to cart" @e101',
      'heading "Mug 1"',
      'link "Details" @e102',
      'button "Add to cart" @e103',
      'heading "Mug 2"',
      'link "Details" @e104',
      'button "Add to cart" @e105',
      '… 27 more like this (@e106-@e159)',
      'button "Next" @e1',
    ]);
  });

  test('names what holds a fold only where all of it can be read by that', () => {
    const roots = rows(40);
    const { text, holders } = fitToBudget(linesOf(roots), { maxTokens: 300, usualTokens: 400, refOf });
    expect(text).toMatch(/… 37 more like this \(@e103-@e139\)$/m);
    expect(holders).toEqual([]);
  });

  test('names nothing in a dialog, which is told word for word', () => {
    const [heading, list, button] = rows(40);
    const dialog = node('dialog', 'Choose', {}, [heading, list, button] as SnapshotNode[]);
    const { text, holders } = fitToBudget(linesOf([dialog]), { maxTokens: 300, usualTokens, refOf });
    expect(text).toMatch(/… 37 more like this \(@e103-@e139\)$/m);
    expect(holders).toEqual([]);
  });

  test('names no row that lines were put below, which is no element', () => {
    const links = (first: number) =>
      Array.from({ length: 8 }, (_, i) =>
        node('link', `Number ${i} with quite a long name to fold`, { id: first + i }),
      );
    const element = node('row', '', {}, links(100));
    const madeUp = node('row', '', { key: 'd:200:row', id: 200 }, links(200));
    const { holders } = fitToBudget(linesOf([element, madeUp]), { maxTokens: 200, usualTokens, refOf });
    expect(holders).toEqual([element]);
  });

  test('names no refs in a fold that are not in it', () => {
    const numbers = [5, 6, 7, 20, 21, 8, 40, 9];
    const list = node(
      'list',
      'Items',
      {},
      numbers.map(id => node('link', `Number ${id} with quite a long name to fold`, { id })),
    );
    const { text } = fitToBudget(linesOf([list]), { maxTokens: 100, usualTokens, refOf });
    expect(text.split('\n').at(-1)).toBe(`  … 7 more like this (@e6-@e7, @e20-@e21, …): snapshot ref=${refOf(list)}`);
  });

  test('then leaves out what is farthest from the viewport', () => {
    const far = Array.from({ length: 30 }, (_, i) =>
      node(i % 2 ? 'link' : 'button', `Far away number ${i}`, { distance: 100 * i }),
    );
    const { text, rest } = fitToBudget(linesOf([...far, node('button', 'Here', { distance: 0 })]), {
      maxTokens: 120,
      usualTokens,
      refOf,
    });
    expect(text).toContain('"Here"');
    expect(text).toContain('"Far away number 0"');
    expect(rest.map(line => line.text).join()).toContain('"Far away number 29"');
  });

  test('never takes more tokens than it has, but for one line that alone is longer', () => {
    fc.assert(
      fc.property(forests, fc.integer({ min: 100, max: 800 }), (roots, maxTokens) => {
        for (const { text, shownLines } of allParts(linesOf(roots), maxTokens)) {
          if (shownLines > 1 || text.includes('more like this'))
            expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
        }
      }),
    );
  });

  test('never takes more tokens than it has where it is to use them up, with several lists folded', () => {
    const lines = linesOf(Array.from({ length: 12 }, () => rows(30)).flat());
    for (let maxTokens = 200; maxTokens <= 3_200; maxTokens += 100) {
      const { text } = fitToBudget(lines, { maxTokens, usualTokens, refOf, isFilled: true });
      expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
    }
  });

  test('never cuts a line, and never shows one without its parents', () => {
    fc.assert(
      fc.property(forests, fc.integer({ min: 100, max: 400 }), (roots, maxTokens) => {
        const lines = linesOf(roots);
        const whole = new Set(lines.map(written));
        const { text, rest } = fitToBudget(lines, { maxTokens, usualTokens, refOf });
        for (const line of text.split('\n').filter(Boolean))
          if (!line.includes('more like this')) expect(whole).toContain(line);
        const left = new Set(rest);
        for (const line of lines) {
          if (!left.has(line) && line.parent >= 0) expect(left.has(lines[line.parent] as Line)).toBe(false);
        }
      }),
    );
  });

  test('shows something of every page that has something to show', () => {
    const name = '長い名前の項目'.repeat(12);
    const { shownLines } = fitToBudget(linesOf([node('textbox', name, { value: name })]), {
      maxTokens: 100,
      usualTokens,
      refOf,
    });
    expect(shownLines).toBe(1);
  });

  test('can be paged through: every line comes exactly once, in the order of the page', () => {
    fc.assert(
      fc.property(forests, fc.integer({ min: 100, max: 300 }), (roots, maxTokens) => {
        const lines = linesOf(roots);
        const parts = allParts(lines, maxTokens);
        const shown = parts.map(({ text }) =>
          text.split('\n').filter(line => line !== '' && !/^\s*… \d+ more like this/.test(line)),
        );
        expect(shown.flat().sort()).toEqual(lines.map(written).sort());
        expect(parts.reduce((sum, part) => sum + part.shownLines, 0)).toBe(lines.length);
        const order = new Map(lines.map((line, index) => [line, index]));
        for (const { rest } of parts) {
          const places = rest.map(line => order.get(line) ?? -1);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  test('is made of very many lines', () => {
    const lines = linesOf(Array.from({ length: 50 }, () => rows(400)).flat());
    expect(lines.length).toBeGreaterThan(60_000);
    fitToBudget(lines, { maxTokens: 6000, usualTokens, refOf });
  });
});
