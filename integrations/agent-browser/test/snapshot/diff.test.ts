import { describe, expect, test } from 'vitest';
import { diffViews, knownView } from '../../src/snapshot/diff.js';
import { pruneToContent } from '../../src/snapshot/prune.js';
import type { SnapshotNode } from '../../src/snapshot/tree.js';
import { node, refs } from './nodes.js';

function diff(before: SnapshotNode[], after: SnapshotNode[], maxTokens = 200) {
  const refOf = refs();
  return diffViews(knownView(pruneToContent(before)), pruneToContent(after), { refOf, maxTokens });
}

const button = node('button', 'Pay', { id: 500 });

describe('a difference', () => {
  test('of a page that stayed as it was is none', () => {
    expect(diff([button], [button])).toMatchObject({ text: '(no change)', complete: true });
  });

  test('does not tell that the focus went elsewhere', () => {
    expect(diff([button], [{ ...button, flags: button.flags | (1 << 11) }]).text).toBe('(no change)');
  });

  test('tells what came with what is in it', () => {
    const alert = node('alert', '', {}, [node('text', 'Sold out')]);
    expect(diff([button], [button, alert]).text).toBe('+ alert\n+   text "Sold out"');
  });

  test('tells what an element says now', () => {
    const typed = { ...button, role: 'textbox', name: 'Email' };
    expect(diff([typed], [{ ...typed, value: 'ann@example.com' }]).text).toBe(
      '~ textbox "Email" @e1 value="ann@example.com"',
    );
  });

  test('tells what is gone by its outermost line', () => {
    const dialog = node('dialog', 'Sure?', { id: 600 }, [node('button', 'Yes'), node('button', 'No')]);
    expect(diff([button, dialog], [button]).text).toBe('- dialog "Sure?"');
  });

  test('tells an element that was rendered again once, with its new ref', () => {
    expect(diff([node('button', 'Like')], [node('button', 'Like')]).text).toBe('~ button "Like" @e1');
  });

  test('puts a change below the named thing that it is in', () => {
    const list = (items: SnapshotNode[]) => node('list', 'Cart', { id: 700 }, items);
    const item = node('listitem', '', { id: 701 }, [node('text', 'Mug', { id: 702 })]);
    const added = node('listitem', '', { id: 703 }, [node('text', 'Bowl', { id: 704 })]);
    expect(diff([list([item])], [list([item, added])]).text).toContain('list "Cart"');
  });

  test('counts what does not fit and says that it is not complete', () => {
    const many = Array.from({ length: 100 }, (_, i) => node('button', `Choice number ${i}`));
    const { text, complete, told } = diff([], many, 100);
    expect(complete).toBe(false);
    expect(text.split('\n').at(-1)).toBe(`… ${100 - told.length} more changes: browser_snapshot`);
  });

  test('tells an alert before a hundred other things', () => {
    const many = Array.from({ length: 100 }, (_, i) => node('text', `Line ${i}`));
    const { text } = diff([], [...many, node('alert', 'Your session expires')], 100);
    expect(text).toContain('alert "Your session expires"');
  });
});
