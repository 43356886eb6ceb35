import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitToBudget, nextPart } from '../../src/snapshot/budget.js';
import { pruneToInteractive } from '../../src/snapshot/prune.js';
import { type Line, renderLines } from '../../src/snapshot/render.js';
import { estimateTokens } from '../../src/snapshot/tokens.js';
import type { SnapshotNode } from '../../src/snapshot/tree.js';
import { node, refs } from './nodes.js';

const names = fc.string({ maxLength: 40 });

const page = fc.array(
  fc.oneof(
    fc.tuple(names, fc.nat(5000)).map(([name, distance]) => node('link', `a${name}`, { distance })),
    fc.tuple(names, fc.array(names, { minLength: 1, maxLength: 30 }), fc.nat(5000)).map(([name, items, distance]) =>
      node(
        'navigation',
        `n${name}`,
        { distance },
        items.map(item => node('button', `b${item}`, { distance })),
      ),
    ),
  ),
  { maxLength: 40 },
);

function linesOf(nodes: SnapshotNode[], refOf = refs()): Line[] {
  return renderLines(pruneToInteractive(nodes), { refOf });
}

describe('a budget', () => {
  test('is kept, whatever the page is', () => {
    fc.assert(
      fc.property(page, fc.integer({ min: 100, max: 3000 }), (nodes, maxTokens) => {
        const refOf = refs();
        const { text } = fitToBudget(linesOf(nodes, refOf), { maxTokens, refOf });
        expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });

  test('shows a line with all its parents or not at all', () => {
    fc.assert(
      fc.property(page, fc.integer({ min: 100, max: 1000 }), (nodes, maxTokens) => {
        const refOf = refs();
        const lines = linesOf(nodes, refOf);
        const { shown } = fitToBudget(lines, { maxTokens, refOf });
        for (const line of lines) {
          if (!line.nodes.every(item => shown.includes(item)) || line.parent < 0) continue;
          expect(shown).toEqual(expect.arrayContaining((lines[line.parent] as Line).nodes));
        }
      }),
    );
  });

  test('leaves the rest to be read on, every line once', () => {
    fc.assert(
      fc.property(page, fc.integer({ min: 100, max: 600 }), (nodes, maxTokens) => {
        const refOf = refs();
        const lines = linesOf(nodes, refOf);
        let part = fitToBudget(lines, { maxTokens, refOf });
        let read = part.shownLines;
        for (let i = 0; part.rest.length > 0 && i < 10_000; i++) {
          part = nextPart(part.rest, maxTokens);
          read += part.shownLines;
        }
        expect(read).toBe(lines.length);
      }),
    );
  });

  test('folds siblings that look alike and names their refs', () => {
    const items = Array.from({ length: 40 }, (_, i) => node('link', `Thing number ${i}`));
    const refOf = refs();
    const { text } = fitToBudget(linesOf(items, refOf), { maxTokens: 150, refOf });
    expect(text.split('\n')).toEqual([
      'link "Thing number 0" @e1',
      'link "Thing number 1" @e2',
      'link "Thing number 2" @e3',
      '… 37 more like this (@e4-@e40)',
    ]);
  });

  test('gives up what is farthest from the viewport first', () => {
    const near = node('navigation', 'Here', {}, [node('link', 'Near')]);
    const far = Array.from({ length: 60 }, (_, i) =>
      node('heading', `Chapter ${'x'.repeat(i)}`, { distance: 900 + i, level: 2 }),
    );
    const refOf = refs();
    const { text } = fitToBudget(linesOf([...far, near], refOf), { maxTokens: 120, refOf });
    expect(text).toContain('link "Near"');
    expect(text).not.toContain('x'.repeat(50));
  });
});
