import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Flag } from '#page-engine/protocol.js';
import { pruneToContent, pruneToInteractive } from '../../src/snapshot/prune.js';
import { renderLines } from '../../src/snapshot/render.js';
import type { ViewNode } from '../../src/snapshot/tree.js';
import { everyNode, isInteractive, type SnapshotNode } from '../../src/snapshot/tree.js';
import { everyView, forests, node, refOf } from './nodes.js';

/** Views as nested lists of "role name". */
function outline(views: readonly ViewNode[]): unknown[] {
  return views.map(({ role, name, children }) => {
    const said = name === '' ? role : `${role} ${name}`;
    return children.length === 0 ? said : [said, ...outline(children)];
  });
}

const ACTED = Flag.Interactive;

/** Keys of what is clickable, and shows nothing. */
function keysOfBlank(nodes: readonly SnapshotNode[]): string[] {
  return [...everyNode(nodes)]
    .filter(({ role, name, hint, children }) => role === 'clickable' && `${name}${hint ?? ''}` === '' && !children[0])
    .map(({ key }) => key);
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

  test.each([
    [
      'whole, if it is not long',
      'IC 708, 06:32 to 08:41, direct, 29.00 EUR',
      'IC 708, 06:32 to 08:41, direct, 29.00 EUR',
    ],
    [
      'with its price',
      'Grilled Pork Tenderloin with meat that is gluten-free, for 4, from $24.50 a head',
      'Grilled Pork Tenderloin with… $24.50',
    ],
    [
      'between its words',
      'Ann Lee, ann.lee@mail.example, 12 Main Street, Springfield, since 5 May 2024',
      'Ann Lee, ann.lee@mail.example,…',
    ],
  ])('says of a row %s', (_how, text, label) => {
    const row = (said: string): SnapshotNode[] => ['Edit', 'Delete'].map(name => node('button', name, { row: said }));
    expect(interactive(...row(text), ...row('Beta'))).toEqual([
      [`row ${label}`, 'button Edit', 'button Delete'],
      ['row Beta', 'button Edit', 'button Delete'],
    ]);
  });

  test('says no row whose text the lines below say, and of an article only what its name does not', () => {
    const buttons = (row: string): SnapshotNode[] => ['Edit', 'Delete'].map(name => node('button', name, { row }));
    const row = (title: string): SnapshotNode[] => [
      node('button', 'Edit', { row: `${title}, since 2024` }),
      node('link', title, { row: `${title}, since 2024` }),
      node('link', 'since 2024', { row: `${title}, since 2024` }),
    ];
    expect(interactive(...row('Alpha'), ...row('Beta'))).toEqual([
      ['row', 'button Edit', 'link Alpha', 'link since 2024'],
      ['row', 'button Edit', 'link Beta', 'link since 2024'],
    ]);
    const article = (title: string): SnapshotNode =>
      node('article', title, {}, [node('link', 'Top'), ...buttons(`${title} ${title}: 25 min`)]);
    expect(interactive(article('Pork'), article('Soup'))).toEqual([
      ['article Pork', 'link Top', ['row 25 min', 'button Edit', 'button Delete']],
      ['article Soup', 'link Top', ['row 25 min', 'button Edit', 'button Delete']],
    ]);
  });

  test('gives a row that can be clicked a name only where its cells do not say it', () => {
    const row = (...cells: SnapshotNode[]): SnapshotNode =>
      node('row', 'Ann Lee, Active, $3,706', { flags: Flag.Interactive }, cells);
    const cells = ['Ann Lee', 'Active', '$3,706'].map(name => node('cell', name));
    expect(content(row(...cells))).toEqual([['row', 'cell Ann Lee', 'cell Active', 'cell $3,706']]);
    expect(interactive(row(...cells))).toEqual(['row Ann Lee, Active, $3,706']);
    expect(content(row(...cells.slice(0, 2)))).toEqual([
      ['row Ann Lee, Active, $3,706', 'cell Ann Lee', 'cell Active'],
    ]);
  });

  test('keeps the mark of a cell in the line of the control in it', () => {
    const day = (flags: number, name = '14'): SnapshotNode =>
      node('gridcell', name, { flags }, [node('button', '14', { id: 14 })]);
    const lines = (...roots: SnapshotNode[]): string[] =>
      renderLines(pruneToInteractive(roots), { refOf }).map(line => line.text);
    expect(lines(day(Flag.Selected))).toEqual(['gridcell selected  button "14" @e14']);
    expect(lines(day(Flag.Current, 'Today, 14'))).toEqual(['gridcell current  button "14" @e14']);
    expect(lines(day(0))).toEqual(['button "14" @e14']);
    const clickable = node('gridcell', '14', { id: 7, flags: Flag.Interactive | Flag.Selected }, [
      node('button', '14', { id: 14 }),
    ]);
    expect(lines(clickable)).toEqual(['gridcell @e7 selected  button "14" @e14']);
  });

  test('lists a tab and the link that fills it as one', () => {
    const tab = (...children: SnapshotNode[]): SnapshotNode =>
      node('tab', 'Details', { flags: Flag.Interactive | Flag.Selected }, children);
    expect(interactive(tab(node('link', 'Details')))).toEqual(['tab Details']);
    expect(content(tab(node('clickable', 'Details')))).toEqual(['tab Details']);
    expect(interactive(tab(node('button', 'Close')))).toEqual([['tab Details', 'button Close']]);
  });

  test.each(['tab', 'slider', 'button', 'option', 'switch'])(
    'takes what listens in a %s and shows nothing for the widget',
    role => {
      const widget = (...children: SnapshotNode[]): SnapshotNode => node(role, 'Tone', { flags: ACTED }, children);
      const ripple = node('clickable', '', { flags: ACTED });
      expect(interactive(widget(ripple))).toEqual([`${role} Tone`]);
      expect(content(widget(node('generic', '', {}, [ripple])))).toEqual([`${role} Tone`]);
      const icon = node('clickable', '', { flags: ACTED, hint: 'trash' });
      expect(interactive(widget(icon))).toEqual([[`${role} Tone`, 'clickable']]);
      expect(interactive(node('treeitem', 'Tone', { flags: ACTED }, [ripple]))).toEqual([
        ['treeitem Tone', 'clickable'],
      ]);
    },
  );

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
          const widgets = [...everyNode(roots)].filter(each => isInteractive(each) && each.role !== 'clickable');
          const surfaces = new Set(widgets.flatMap(({ children }) => keysOfBlank(children)));
          for (const each of everyNode(roots)) {
            if (!isInteractive(each) || kept.has(each.key)) continue;
            expect(each.role).toBe('clickable');
            if (surfaces.has(each.key)) continue;
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
