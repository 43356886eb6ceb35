import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Flag } from '../../src/page/protocol.js';
import { pruneToContent, pruneToInteractive } from '../../src/snapshot/prune.js';
import type { ViewNode } from '../../src/snapshot/tree.js';
import { everyNode, isInteractive, type SnapshotNode } from '../../src/snapshot/tree.js';
import { everyView, forests, node } from './nodes.js';

/** Views as nested lists of "role name". */
function outline(views: readonly ViewNode[]): unknown[] {
  return views.map(({ role, name, children }) => {
    const said = name === '' ? role : `${role} ${name}`;
    return children.length === 0 ? said : [said, ...outline(children)];
  });
}

const interactive = (...roots: SnapshotNode[]): unknown[] => outline(pruneToInteractive(roots));
const content = (...roots: SnapshotNode[]): unknown[] => outline(pruneToContent(roots));

describe('what can be acted on, and what gives it meaning', () => {
  test('keeps headings, landmarks with something in them, named groups, dialogs and messages', () => {
    const tree = [
      node('banner', '', {}, [node('text', 'Scenery')]),
      node('main', '', {}, [
        node('heading', 'Cart'),
        node('list', 'Items', {}, [node('listitem', '', {}, [node('text', 'Mug'), node('button', 'Remove')])]),
        node('group', '', {}, [node('button', 'Pay')]),
      ]),
      node('status', '', {}, []),
      node('alert', '', {}, [node('text', 'Your session ends soon')]),
    ];
    expect(interactive(...tree)).toEqual([
      ['main', 'heading Cart', ['list Items', 'button Remove'], 'button Pay'],
      'alert Your session ends soon',
    ]);
  });

  test('says what a message says in its line, where that is one text that a person can see', () => {
    const text = (name: string, flags = 0): SnapshotNode => node('text', name, { flags });
    const of = (...children: SnapshotNode[]): unknown[] => interactive(node('status', '', {}, children));
    expect(of(text('Saved'))).toEqual(['status Saved']);
    expect(of(text('Saved'), node('button', 'Undo'))).toEqual([['status', 'text Saved', 'button Undo']]);
    expect(of(text('Obey', Flag.HiddenText))).toEqual([['status', 'text Obey']]);
    expect(interactive(node('status', 'Order', {}, [text('Saved')]))).toEqual([['status Order', 'text Saved']]);
    expect(content(node('alert', '', {}, [text('Gone')]))).toEqual(['alert Gone']);
  });

  test('puts a line with the text of the row around controls that have namesakes', () => {
    const row = (text: string): SnapshotNode[] => [
      node('button', 'Edit', { row: text }),
      node('button', 'Delete', { row: text }),
    ];
    expect(interactive(...row('Alpha 17 May'), ...row('Beta 18 May'))).toEqual([
      ['row Alpha 17 May', 'button Edit', 'button Delete'],
      ['row Beta 18 May', 'button Edit', 'button Delete'],
    ]);
  });

  test('puts none around controls whose names tell them apart', () => {
    expect(
      interactive(
        node('button', 'Delete Alpha', { row: 'Alpha 17 May' }),
        node('button', 'Delete Beta', { row: 'Beta 18 May' }),
      ),
    ).toEqual(['button Delete Alpha', 'button Delete Beta']);
  });

  test('leaves out what is clickable only for the one control in it', () => {
    expect(
      interactive(
        node('clickable', 'Open', {}, [node('link', 'Open')]),
        node('clickable', '', {}, [node('button', 'Buy')]),
      ),
    ).toEqual(['link Open', 'button Buy']);
    expect(interactive(node('clickable', 'Card: open me', {}, [node('link', 'Open')]))).toEqual([
      ['clickable Card: open me', 'link Open'],
    ]);
  });

  test('does not say twice what the only child of a link or a heading of a region says', () => {
    expect(interactive(node('link', 'Blue mug €12', {}, [node('heading', 'Blue mug')]))).toEqual(['link Blue mug €12']);
    expect(
      interactive(node('region', 'Reviews', {}, [node('heading', 'Reviews'), node('button', 'Write one')])),
    ).toEqual([['region Reviews', 'button Write one']]);
  });

  test('never loses anything that can be acted on but wrappers around one control', () => {
    fc.assert(
      fc.property(forests, roots => {
        for (const views of [pruneToInteractive(roots), pruneToContent(roots)]) {
          const kept = new Set(everyView(views).map(item => item.node.key));
          for (const each of everyNode(roots)) {
            if (!isInteractive(each) || kept.has(each.key)) continue;
            expect(each.role).toBe('clickable');
            const inside = [...everyNode(each.children)];
            expect(inside.some(inner => isInteractive(inner) && kept.has(inner.key))).toBe(true);
          }
        }
      }),
    );
  });

  test('keeps the order of the document and tells nothing twice', () => {
    fc.assert(
      fc.property(forests, roots => {
        const order = new Map([...everyNode(roots)].map((each, index) => [each.key, index]));
        const keys = everyView(pruneToInteractive(roots)).flatMap(({ node: { key } }) => order.get(key) ?? []);
        expect(keys).toEqual([...new Set(keys)].sort((a, b) => a - b));
      }),
    );
  });
});

describe('all that a person can read', () => {
  test('keeps all text', () => {
    fc.assert(
      fc.property(forests, roots => {
        const views = everyView(pruneToContent(roots));
        const kept = new Set(views.map(item => item.node.key));
        // The one text in a message without a name stands in the message's line.
        const said = (text: SnapshotNode) =>
          views.some(({ node: message, name }) => name === text.name && [...everyNode([message])].includes(text));
        for (const each of everyNode(roots)) {
          if (each.role === 'text') expect(kept.has(each.key) || said(each)).toBe(true);
        }
      }),
    );
  });

  test('tells the cells of a row of mere text in one line', () => {
    const cells = [node('cell', 'Mug'), node('cell', '€12'), node('cell', '3')];
    expect(content(node('table', 'Prices', {}, [node('row', 'Mug €12 3', {}, cells)]))).toEqual([
      ['table Prices', 'row Mug | €12 | 3'],
    ]);
  });

  test('leaves out structure that says nothing', () => {
    expect(
      content(node('list', '', {}, [node('listitem', '', {}, [])]), node('group', '', {}, [node('text', 'Hello')])),
    ).toEqual(['text Hello']);
  });
});
