import { describe, expect, test } from 'vitest';
import { Flag } from '#page-engine/protocol.js';
import { compareViews, type Memory } from '../../src/diff/compare.js';
import { writeChanges } from '../../src/diff/write.js';
import { pruneToContent } from '../../src/snapshot/prune.js';
import { everyNode, type SnapshotNode } from '../../src/snapshot/tree.js';
import { type NodeParts, node, refOf } from './nodes.js';

interface Writing {
  maxTokens?: number;
  memory?: SnapshotNode[];
  wasShown?: (node: SnapshotNode) => boolean;
  openedTokens?: number;
}

function lines(before: SnapshotNode[], after: SnapshotNode[], { memory = [], maxTokens = 200, ...how }: Writing = {}) {
  const read: Memory = new Map([...everyNode(memory)].map(each => [each.key, each]));
  const changes = compareViews(pruneToContent(before), pruneToContent(after), read);
  return writeChanges(changes, { refOf, maxTokens, ...how }).text.split('\n');
}

const acted = (role: string, name: string, id: number, { flags = 0, ...parts }: NodeParts = {}): SnapshotNode =>
  node(role, name, { id, ...parts, flags: Flag.Interactive | flags });

describe('what an action disabled beside what it opened', () => {
  const boxes = (flags: number): SnapshotNode[] =>
    Array.from({ length: 7 }, (_, index) => acted('checkbox', `Option ${index}`, 10 + index, { flags }));

  test('is one line, below what opened', () => {
    const opened = node('dialog', 'Dates', { id: 1 }, [acted('button', 'Done', 2)]);
    expect(lines(boxes(0), [...boxes(Flag.Disabled), opened])).toEqual([
      '+ dialog "Dates"',
      '+   button "Done" @e2',
      '~ disabled: checkbox "Option 0" @e10, checkbox "Option 1" @e11, checkbox "Option 2" @e12 and 4 more (@e13-@e16)',
    ]);
  });

  test('and enabled again is one line each', () => {
    const [first, ...others] = boxes(Flag.Disabled);
    const now = [...boxes(0).slice(0, 1), ...others];
    expect(lines([first as SnapshotNode, ...others], now)).toEqual(['~ checkbox "Option 0" @e10 enabled']);
    expect(lines(boxes(Flag.Disabled), boxes(0))).toHaveLength(1);
  });

  test('is told one by one where it has another state as well', () => {
    const changed = lines(boxes(0), boxes(Flag.Disabled | Flag.Checked));
    expect(changed).toHaveLength(7);
    expect(changed[0]).toBe('~ checkbox "Option 0" @e10 checked disabled');
  });
});

describe('the way out of what opened', () => {
  const panel = (last: SnapshotNode[]): SnapshotNode =>
    node('dialog', 'Settings', { id: 1 }, [
      ...Array.from({ length: 60 }, (_, index) =>
        acted(index % 2 === 0 ? 'link' : 'checkbox', `Setting number ${index}`, 100 + index),
      ),
      ...last,
    ]);

  test.each([
    ['its last buttons', [acted('button', 'Cancel', 2), acted('button', 'Save', 3)]],
    ['its last button', [acted('button', 'Close', 3)]],
  ])('is told however small the budget is: %s', (_, buttons) => {
    const told = lines([], [panel(buttons)], { maxTokens: 120 });
    expect(told[0]).toBe('+ dialog "Settings"');
    for (const { name, id } of buttons) expect(told).toContain(`+   button "${name}" @e${id}`);
    expect(told.at(-1)).toMatch(/^… \d+ more changes/);
  });
});

describe('a place', () => {
  const button = (id: number, flags: number): SnapshotNode => acted('button', `Tool ${id}`, id, { flags });

  test.each(['toolbar', 'group', 'list'])('is said once for all that changed in it: %s', role => {
    const bar = (flags: number): SnapshotNode[] => [
      node(role, 'Actions', { id: 1 }, [button(2, flags), button(3, flags), button(4, flags)]),
    ];
    expect(lines(bar(0), bar(Flag.Pressed))).toEqual([
      `  ${role} "Actions"`,
      '~   button "Tool 2" @e2 pressed',
      '~   button "Tool 3" @e3 pressed',
      '~   button "Tool 4" @e4 pressed',
    ]);
  });
});

describe('a part without a name of its own is called by what it holds', () => {
  test('a header of a column that is sorted', () => {
    const header = (flags: number): SnapshotNode[] => [
      node('columnheader', 'Price', { id: 1, flags }, [acted('button', 'Price', 2)]),
    ];
    expect(lines(header(0), header(Flag.SortedAscending))).toEqual(['~ columnheader "Price" sorted ascending']);
    expect(lines(header(Flag.SortedAscending), header(0))).toEqual(['~ columnheader "Price" not sorted']);
    expect(lines(header(Flag.SortedAscending), header(Flag.SortedDescending))).toEqual([
      '~ columnheader "Price" sorted descending',
    ]);
  });

  test.each(['gridcell', 'cell'])('a %s whose text changed', role => {
    const row = (text: string): SnapshotNode[] => [
      node('row', '', { id: 1 }, [
        node('rowheader', 'Mug', { id: 2 }),
        acted(role, text, 3, { flags: Flag.NamedByContent }),
        node(role, '', { id: 4, flags: Flag.Interactive }, [node('text', text, { id: 5 })]),
      ]),
    ];
    expect(lines(row('5'), row('6'))).toEqual(['  row "Mug"', `~   ${role} "6" @e3`, `~   ${role} "6" @e4`]);
  });

  test('a cell that was empty', () => {
    const row = (...texts: SnapshotNode[]): SnapshotNode[] => [
      node('row', '', { id: 1 }, [
        node('rowheader', 'A', { id: 2 }),
        node('gridcell', '', { id: 3, flags: Flag.Interactive }, texts),
      ]),
    ];
    expect(lines(row(), row(node('text', 'X', { id: 4 })))).toEqual(['  row "A"', '~   gridcell "X" @e3']);
  });
});

test('options that a drop-down had before are not told again with its value', () => {
  const box = (value: string): SnapshotNode[] => [
    acted('combobox', 'Sort', 1, { value, options: ['Newest', 'Price'] }),
  ];
  expect(lines(box('Newest'), box('Price'))).toEqual(['~ combobox "Sort" @e1 value="Price"']);
});

describe('numbers in a row', () => {
  const numbered = (count: number, name: (number: number) => string): SnapshotNode[] =>
    Array.from({ length: count }, (_, index) => acted('button', name(index + 1), 100 + index));

  test.each([
    ['days', 30, (day: number) => `${day}`],
    ['days with their date', 31, (day: number) => `Monday, October ${day}, 2026`],
    ['days of a short month', 28, (day: number) => `2026-02-${String(day).padStart(2, '0')}`],
  ])('that are %s share a line', (_, count, name) => {
    const text = lines([], [node('text', 'October 2026', { id: 1 }), ...numbered(count, name)]);
    expect(text).toEqual(['+ caption "October 2026"', `+ days 1-${count}: @e100-@e${99 + count}`]);
  });

  test.each([
    ['pages of a list', 40, (page: number) => `${page}`],
    ['chapters', 30, (chapter: number) => `Chapter ${chapter}`],
    ['days with what they cost', 30, (day: number) => `${day} $${90 + day}`],
    ['dates with what they cost', 30, (day: number) => `September ${day}, 2026, from €${90 + day}`],
  ])('that are %s do not', (_, count, name) => {
    expect(lines([], numbered(count, name), { maxTokens: 2000 })).toHaveLength(count);
  });
});

describe('what is back', () => {
  const menu = node(
    'menu',
    'Style',
    { id: 50 },
    Array.from({ length: 12 }, (_, index) => acted('menuitem', `Style ${index}`, 60 + index)),
  );
  const page = [acted('button', 'Format', 1)];

  test('is one line where the agent was given it', () => {
    expect(lines(page, [...page, menu], { memory: [menu] })).toEqual(['+ again as before: menu "Style" (13 lines)']);
  });

  test('is told in full where the agent never was', () => {
    const told = lines(page, [...page, menu], { memory: [menu], wasShown: ({ id }) => id < 50, maxTokens: 400 });
    expect(told[0]).toBe('+ menu "Style"');
    expect(told).toContain('+   menuitem "Style 11" @e71');
  });

  test('is told in full where the agent was given a part of it', () => {
    const told = lines(page, [...page, menu], { memory: [menu], wasShown: ({ id }) => id < 65, maxTokens: 400 });
    expect(told).toHaveLength(13);
  });

  test('and has something new in it is told once', () => {
    const small = { ...menu, children: menu.children.slice(0, 2) };
    const grown = { ...small, children: [...small.children, acted('menuitem', 'Other', 90)] };
    expect(lines(page, [...page, grown], { memory: [small] }).filter(line => line.includes('Other'))).toHaveLength(1);
  });
});

test('what a choice is made by stays beside its control where there is no room for all texts', () => {
  const flight = (index: number): SnapshotNode =>
    node('listitem', '', { id: 100 + 10 * index }, [
      node('text', `0${index}:30`, { id: 101 + 10 * index }),
      node('text', 'operated by an airline with a long name, and sold by another one', { id: 102 + 10 * index }),
      node('text', `2 h 1${index} min`, { id: 103 + 10 * index }),
      node('text', `$12${index}`, { id: 104 + 10 * index }),
      acted('button', 'Select', 105 + 10 * index),
    ]);
  const list = node(
    'list',
    'Flights',
    { id: 1 },
    Array.from({ length: 6 }, (_, index) => flight(index)),
  );
  const told = lines([], [list]);
  expect(told.some(line => line.includes('button "Select" @e115 "01:30" "2 h 11 min" "$121"'))).toBe(true);
});

describe('what a filter leaves of a list', () => {
  const names = ['Norway', 'Oman', 'Peru', 'Qatar', 'Rwanda', 'Spain', 'Togo', 'Uganda'];
  const listOf = (role: string, chosen: readonly string[]): SnapshotNode[] => [
    node(
      'listbox',
      'Countries',
      { id: 1 },
      chosen.map(name => acted(role, name, 10 + names.indexOf(name))),
    ),
  ];

  test.each([
    ['option', ['Norway'], 'left: option "Norway" @e10'],
    ['menuitem', ['Peru', 'Spain'], 'left: menuitem "Peru" @e12, menuitem "Spain" @e15'],
    [
      'treeitem',
      ['Oman', 'Togo', 'Uganda'],
      'left: treeitem "Oman" @e11, treeitem "Togo" @e16, treeitem "Uganda" @e17',
    ],
  ])('is named with its refs: each %s', (role, left, told) => {
    const gone = names.length - left.length;
    expect(lines(listOf(role, names), listOf(role, left))).toEqual([
      '  listbox "Countries"',
      `~   ${told}`,
      expect.stringMatching(new RegExp(`^-   (${gone} lines: )?${gone} ${role}s`)),
    ]);
  });

  test('is not named where it is much, nothing, or told as a change already', () => {
    const all = listOf('option', names);
    const told = (now: SnapshotNode[]): string => lines(all, now).join('\n');
    expect(told(listOf('option', ['Norway', 'Oman', 'Peru', 'Qatar', 'Rwanda']))).not.toContain('left:');
    expect(told(listOf('option', []))).not.toContain('left:');
    const marked = [node('listbox', 'Countries', { id: 1 }, [acted('option', 'Norway', 10, { flags: Flag.Selected })])];
    expect(told(marked)).not.toContain('left:');
  });
});

describe('controls that were rendered again as before', () => {
  const pager = (first: number, names: readonly string[]): SnapshotNode[] => [
    node(
      'navigation',
      'Pages',
      { id: 1 },
      names.map((name, index) => acted('link', name, first + index)),
    ),
  ];
  const again = (names: readonly string[]): string | undefined =>
    lines(pager(10, names), pager(50, names)).find(line => line.includes('rendered again'));

  test.each([
    [['1', '2', '3'], '~   rendered again as before: link "1" @e50, link "2" @e51, link "3" @e52'],
    [
      ['Back', '1', '2', 'On'],
      '~   rendered again as before: link "Back" @e50, link "1" @e51, link "2" @e52, link "On" @e53',
    ],
    [['First', 'Back', 'On'], '~   rendered again as before: link "First" @e50, link "Back" @e51, link "On" @e52'],
  ])('are named with their new refs where they are few: %j', (names, line) => {
    expect(again(names)).toBe(line);
  });

  test('are counted where they are many or have no name', () => {
    const many = Array.from({ length: 30 }, (_, index) => `Page ${index + 1}`);
    expect(again(many)).toBe('~   rendered again as before: 30 links (@e50-@e79)');
    expect(again(['', '', ''])).toBe('~   rendered again as before: 3 links (@e50-@e52)');
  });

  test('are named where others have no name', () => {
    expect(again(['Back', '', ''])).toBe('~   rendered again as before: link "Back" @e50, 2 links (@e51-@e52)');
  });
});

describe('the rows of a table', () => {
  type Cells = readonly string[];
  const row = (id: number, cells: Cells): SnapshotNode =>
    node('row', '', { id }, [
      ...cells.map((text, index) => node('cell', text, { id: id + 1 + index })),
      node('cell', '', { id: id + 8 }, [acted('button', 'Invite', id + 9, { row: cells.join(' ') })]),
    ]);
  const table = (first: number, rows: readonly Cells[]): SnapshotNode[] => [
    node(
      'table',
      'Members',
      { id: 1 },
      rows.map((cells, index) => row(first + 10 * index, cells)),
    ),
  ];
  const people: Cells[] = [
    ['Ann', 'Oslo', '1950'],
    ['Bo', 'Bergen', '1962'],
    ['Cia', 'Bodø', '1977'],
  ];

  test('that came are called by their cells', () => {
    expect(lines(table(10, people.slice(0, 1)), table(10, people))).toEqual([
      '  table "Members"',
      '+   row "Bo Bergen 1962"',
      '+     button "Invite" @e29',
      '+   row "Cia Bodø 1977"',
      '+     button "Invite" @e39',
    ]);
  });

  test('that took the place of others are new ones, however few', () => {
    const now = [table(10, people.slice(0, 2)), table(100, [['Dag', 'Voss', '1981']])].map(([each]) => each);
    const rows = [...(now[0]?.children ?? []), ...(now[1]?.children ?? [])];
    expect(lines(table(10, people), [node('table', 'Members', { id: 1 }, rows)])).toEqual([
      '  table "Members"',
      '+   row "Dag Voss 1981"',
      '+     button "Invite" @e109',
      '-   row "Cia" (4 lines)',
    ]);
  });

  test('are all told where twice the budget is enough for everything, and not beyond', () => {
    const many = (count: number): SnapshotNode[] =>
      table(10, [...people, ...Array.from({ length: count }, (_, index) => [`Guest ${index}`, 'Molde', '1990'])]);
    const told = (count: number): string[] =>
      lines(table(10, people), many(count), { maxTokens: 120, openedTokens: 240 });
    const rows = (count: number): string[] => told(count).filter(line => line.includes('row "Guest'));
    expect(rows(7)).toHaveLength(7);
    expect(rows(60).length).toBeLessThan(7);
    expect(told(60).at(-1)).toMatch(/more/);
  });
});
