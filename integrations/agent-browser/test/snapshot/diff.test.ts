import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Flag } from '#page-engine/protocol.js';
import { compareViews } from '../../src/diff/compare.js';
import { writeChanges } from '../../src/diff/write.js';
import { pruneToContent } from '../../src/snapshot/prune.js';
import { everyNode, type SnapshotNode } from '../../src/snapshot/tree.js';
import { estimateTokens } from '../../src/tokens.js';
import { forests, node, refOf } from './nodes.js';

function difference(before: SnapshotNode[], after: SnapshotNode[], maxTokens = 2000) {
  return writeChanges(compareViews(pruneToContent(before), pruneToContent(after)), { refOf, maxTokens });
}

describe('a difference', () => {
  test('says that there is none', () => {
    const tree = [node('main', '', {}, [node('button', 'Buy')])];
    expect(difference(tree, tree)).toEqual({ text: '(no change seen)', complete: true, shown: [] });
  });

  test('tells what came, what changed and what is gone', () => {
    const keep = node('button', 'Keep', { id: 1 });
    const before = [keep, node('button', 'Gone', { id: 2 }), node('textbox', 'Name', { id: 3 })];
    const after = [keep, node('textbox', 'Name', { id: 3, value: 'Ann' }), node('link', 'New', { id: 4 })];
    expect(difference(before, after).text.split('\n')).toEqual([
      '+ link "New" @e4',
      '~ textbox "Name" @e3 value="Ann"',
      '- button "Gone"',
    ]);
  });

  test('places a change below the line of its parent', () => {
    const list = (...names: string[]): SnapshotNode =>
      node(
        'list',
        'Cart',
        { id: 9 },
        names.map((name, i) => node('listitem', name, { id: 10 + i })),
      );
    expect(difference([list('Mug')], [list('Mug', 'Pot')]).text.split('\n')).toEqual([
      '  list "Cart"',
      '+   listitem "Pot"',
    ]);
  });

  test('does not tell of the focus alone, which every action moves', () => {
    const button = (flags: number): SnapshotNode => node('button', 'Buy', { id: 1, flags: Flag.Interactive | flags });
    expect(difference([button(0)], [button(Flag.Focused)]).text).toBe('(no change seen)');
    expect(difference([button(0)], [button(Flag.Disabled)]).text).toBe('~ button "Buy" @e1 disabled');
  });

  test('tells what was rendered again and reads the same once, with its new ref', () => {
    const main = (id: number): SnapshotNode[] => [
      node('main', '', { id: 1 }, [node('button', 'Buy', { id }), node('text', 'Only 3 left', { id: id + 1 })]),
    ];
    expect(difference(main(10), main(20)).text).toBe('~ button "Buy" @e20');
  });

  test('takes the loudest changes first when there is little room, and counts the others', () => {
    const links = Array.from({ length: 80 }, (_, i) => node('text', `Some more text number ${i}`));
    const { text, complete } = difference([], [...links, node('alert', 'Payment failed')], 60);
    expect(text).toContain('+ alert "Payment failed"');
    expect(text).toMatch(/… \d+ more changes.*\(browser_snapshot\)$/);
    expect(complete).toBe(false);
  });

  test('is empty for a page that stayed as it was, whatever it is', () => {
    fc.assert(
      fc.property(forests, roots => {
        expect(difference(roots, roots).text).toBe('(no change seen)');
      }),
    );
  });

  test('tells or counts every change, within its budget', () => {
    fc.assert(
      fc.property(forests, forests, fc.integer({ min: 40, max: 400 }), (before, added, maxTokens) => {
        const after = [...before.slice(1), ...added];
        const { text, complete } = difference(before, after, maxTokens);
        expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
        const lines = text.split('\n');
        const left = Number(/^… (\d+) (?:more change|removed)/.exec(lines.at(-1) ?? '')?.[1] ?? 0);
        expect(complete).toBe(left === 0);
        const signed = lines.filter(line => /^[+~-] /.test(line)).length;
        if (difference(before, after, 1_000_000).text === '(no change seen)') expect(signed + left).toBe(0);
        else expect(signed + left).toBeGreaterThan(0);
      }),
    );
  });

  test('tells every element that is new, when there is room', () => {
    fc.assert(
      fc.property(forests, forests, (before, added) => {
        const { shown, complete } = difference(before, [...before, ...added], 1_000_000);
        expect(complete).toBe(true);
        const known = new Set(shown.map(({ key }) => key));
        for (const { key, flags } of everyNode(added))
          if (flags & Flag.Interactive) expect(known.has(key) || isWrapper(added, key)).toBe(true);
      }),
    );
  });
});

/** Wrappers around one control are not listed, nor are surfaces of widgets that show nothing. */
function isWrapper(roots: SnapshotNode[], key: string): boolean {
  return [...everyNode(roots)].some(
    each => each.key === key && each.role === 'clickable' && (each.children.length > 0 || each.name === ''),
  );
}
