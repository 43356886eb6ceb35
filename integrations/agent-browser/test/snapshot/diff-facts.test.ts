import { describe, expect, test } from 'vitest';
import { Flag } from '#page-engine/protocol.js';
import { compareViews, type Memory } from '../../src/diff/compare.js';
import { foldFamiliar } from '../../src/diff/known-page.js';
import { writeChanges } from '../../src/diff/write.js';
import { pruneToContent, pruneToInteractive } from '../../src/snapshot/prune.js';
import { renderLines } from '../../src/snapshot/render.js';
import { everyNode, type SnapshotNode } from '../../src/snapshot/tree.js';
import { node, refOf } from './nodes.js';

interface Before {
  tree: SnapshotNode[];
  memory?: SnapshotNode[];
}

function lines({ tree, memory = [] }: Before, after: SnapshotNode[], maxTokens = 400): string[] {
  const read: Memory = new Map([...everyNode(memory)].map(each => [each.key, each]));
  const changes = compareViews(pruneToContent(tree), pruneToContent(after), read);
  return writeChanges(changes, { refOf, maxTokens }).text.split('\n');
}

const items = (names: readonly string[], first = 10): SnapshotNode[] =>
  names.map((name, index) =>
    node('listitem', '', { id: first + index }, [node('text', name, { id: first + 100 + index })]),
  );
const list = (children: SnapshotNode[]): SnapshotNode => node('list', 'Results', { id: 1 }, children);

describe('the order of siblings', () => {
  const before = { tree: [list(items(['Alpha', 'Beta', 'Gamma']))] };
  const told = ['~ reordered: list "Results": "Gamma", "Alpha", "Beta"'];

  test('is told when the elements were moved', () => {
    const [alpha, beta, gamma] = items(['Alpha', 'Beta', 'Gamma']) as [SnapshotNode, SnapshotNode, SnapshotNode];
    expect(lines(before, [list([gamma, alpha, beta])])).toEqual(told);
  });

  test('is told when the same elements say other things', () => {
    expect(lines(before, [list(items(['Gamma', 'Alpha', 'Beta']))])).toEqual(told);
  });

  test('is told when they were rendered again', () => {
    expect(lines(before, [list(items(['Gamma', 'Alpha', 'Beta'], 500))])).toEqual(told);
  });

  test('is no change when they were rendered again as they were', () => {
    expect(lines(before, [list(items(['Alpha', 'Beta', 'Gamma'], 500))])).toEqual(['(no change seen)']);
  });

  test('is not all that is told when something came as well', () => {
    const [alpha, beta, gamma] = items(['Alpha', 'Beta', 'Gamma']) as [SnapshotNode, SnapshotNode, SnapshotNode];
    const text = lines(before, [list([gamma, alpha, beta, ...items(['Delta'], 900)])]);
    expect(text).toContain('~ reordered: list "Results": "Gamma", "Alpha", "Beta", "Delta"');
    expect(text).toContain('+   listitem  text "Delta"');
  });
});

test('a place that has changed itself stands in one line with what is new in it', () => {
  const button = (expanded: boolean): SnapshotNode =>
    node('button', 'File', { id: 1, flags: Flag.Interactive | (expanded ? Flag.Expanded : Flag.Collapsed) }, [
      ...(expanded ? [node('link', 'Open', { id: 2 })] : []),
    ]);
  expect(lines({ tree: [button(false)] }, [button(true)])).toEqual([
    '~ button "File" @e1 expanded',
    '+   link "Open" @e2',
  ]);
});

test('a place that has changed itself is told once, whatever else has changed as much', () => {
  const card = (id: number, flags: number, text: string): SnapshotNode =>
    node('link', `Card ${id}`, { id, flags: Flag.Interactive | flags }, [node('text', text, { id: id + 100 })]);
  const page = (flags: number, text: string): SnapshotNode[] => [card(1, flags, text), card(2, flags, text)];
  expect(lines({ tree: page(0, 'open') }, page(Flag.Disabled, 'shut'))).toEqual([
    '~ link "Card 1" @e1 disabled',
    '~   text "shut"',
    '~ link "Card 2" @e2 disabled',
    '~   text "shut"',
  ]);
});

test('a value that changed is told before other changes', () => {
  const day = (id: number, selected: boolean): SnapshotNode =>
    node('link', `${id}`, { id, flags: Flag.Interactive | (selected ? Flag.Selected : 0) });
  const page = (selected: boolean, value: string): SnapshotNode[] => [
    ...Array.from({ length: 30 }, (_, index) => day(10 + index, selected)),
    node('textbox', 'Day', { id: 1, value }),
  ];
  expect(lines({ tree: page(false, '') }, page(true, '2026-11-15'), 100)[0]).toBe(
    '~ textbox "Day" @e1 value="2026-11-15"',
  );
});

test('an option that was moved to another list is told where it is now', () => {
  const option = node('option', 'Red', { id: 5, flags: Flag.Interactive });
  const chosen = (children: SnapshotNode[]): SnapshotNode => node('listbox', 'Chosen', { id: 2 }, children);
  const offered = (children: SnapshotNode[]): SnapshotNode => node('listbox', 'Offered', { id: 3 }, children);
  const other = node('option', 'Blue', { id: 6, flags: Flag.Interactive });
  const fixed = node('option', 'Green', { id: 7, flags: Flag.Interactive });
  const before = [chosen([fixed]), offered([option, other])];
  expect(lines({ tree: before }, [chosen([fixed, option]), offered([other])])).toEqual([
    '  listbox "Chosen"',
    '~   moved here: option "Red" @e5',
  ]);
});

describe('a text', () => {
  test('with an @ in it is a text', () => {
    const before = [node('text', 'Contact @bob at x', { id: 1 }), node('button', 'Stay', { id: 2 })];
    expect(lines({ tree: before }, [node('button', 'Stay', { id: 2 })])).toEqual(['- text "Contact @bob at x"']);
  });

  test('that takes the place of another is one that changed', () => {
    const around = (text: SnapshotNode): SnapshotNode[] => [node('group', 'Sum', { id: 1 }, [text])];
    expect(
      lines({ tree: around(node('text', 'Total 5', { id: 2 })) }, around(node('text', 'Total 6', { id: 3 }))),
    ).toEqual(['  group "Sum"', '~   text "Total 6"']);
  });

  test('in a cell names its row', () => {
    const row = (count: string): SnapshotNode[] => [
      node('row', '', { id: 1 }, [
        node('cell', 'Blue mug', { id: 2 }),
        node('cell', count, { id: 3 }),
        node('cell', '', { id: 4 }, [node('button', 'Remove', { id: 5 })]),
      ]),
    ];
    expect(lines({ tree: row('1') }, row('2'))).toEqual(['  row "Blue mug"', '~   cell "2"']);
  });
});

describe('a state that is over', () => {
  test.each([
    [Flag.Checked, 'not checked'],
    [Flag.Selected, 'not selected'],
    [Flag.Pressed, 'not pressed'],
    [Flag.Disabled, 'enabled'],
  ])('is said in words: %i', (flag, words) => {
    const box = (flags: number): SnapshotNode[] => [
      node('checkbox', 'Terms', { id: 1, flags: Flag.Interactive | flags }),
    ];
    expect(lines({ tree: box(flag) }, box(0))).toEqual([`~ checkbox "Terms" @e1 ${words}`]);
  });
});

describe('what was read before', () => {
  const shop = [node('main', 'Shop', { id: 1 }, items(Array.from({ length: 40 }, (_, index) => `Item ${index}`)))];
  const dialog = node('dialog', 'Settings', { id: 900 }, [node('button', 'Close', { id: 901 })]);

  test('is not told to be gone behind a dialog', () => {
    expect(lines({ tree: shop }, [dialog])).toEqual(['+ dialog "Settings"', '+   button "Close" @e901']);
  });

  test('is not told as new when the dialog closes', () => {
    expect(lines({ tree: [dialog], memory: shop }, shop)).toEqual(['- dialog "Settings" closed']);
  });

  test('is one line when it comes back by itself, and what is new in it is told', () => {
    const [main] = shop as [SnapshotNode];
    const grown = [{ ...main, children: [...main.children, node('button', 'More', { id: 950 })] }];
    expect(lines({ tree: [node('button', 'Back', { id: 2 })], memory: shop }, grown)).toEqual([
      '  main "Shop"',
      '+   button "More" @e950',
      '+ again as before: main "Shop" (82 lines)',
      '- button "Back"',
    ]);
  });
});

describe('a budget', () => {
  const days = Array.from({ length: 63 }, (_, index) =>
    node('link', `${index + 1}`, { id: 100 + index, flags: Flag.Interactive }),
  );

  test('goes to what heads a calendar, and folds its days', () => {
    const calendar = [
      node('heading', 'March 2026', { id: 1, level: 2 }),
      node('button', 'Previous', { id: 2 }),
      node('button', 'Next', { id: 3 }),
      ...days,
    ];
    const text = lines({ tree: [] }, calendar, 200);
    expect(text.slice(0, 3)).toEqual([
      '+ heading "March 2026" level=2',
      '+ button "Previous" @e2',
      '+ button "Next" @e3',
    ]);
    expect(text.at(-1)).toMatch(/… \d+ more like this \(@e\d+-@e162\)$/);
  });

  test('goes to what can be acted on before what is only said', () => {
    const texts = Array.from({ length: 60 }, (_, index) =>
      node('text', `A sentence that says little, number ${index}`),
    );
    const text = lines({ tree: [] }, [...texts, node('link', 'Continue', { id: 7 })], 120);
    expect(text).toContain('+ link "Continue" @e7');
    expect(text.at(-1)).toMatch(/^… 60 more changes: 60 texts \(browser_snapshot\)$/);
  });

  test('says so when removals alone are left out', () => {
    const parts = Array.from({ length: 4 }, (_, index) =>
      node('group', `Part number ${index} of a page with a long name`, { id: 200 + index }, [
        node('text', `Text of part ${index} that goes on and on`, { id: 300 + index }),
        node('button', `Keep ${index}`, { id: 400 + index }),
      ]),
    );
    const without = parts.map(part => ({ ...part, children: part.children.slice(1) }));
    expect(lines({ tree: parts }, without, 60).at(-1)).toMatch(/^… \d removed$/);
  });

  test('does not go to twenty removals one by one', () => {
    const texts = Array.from({ length: 20 }, (_, index) => node('text', `Text ${index}`, { id: 50 + index }));
    expect(lines({ tree: texts }, [node('heading', 'Thanks', { id: 9, level: 1 })])).toEqual([
      '+ heading "Thanks" level=1',
      '- 20 lines: 20 texts',
    ]);
  });
});

describe('what a page shares with the one before', () => {
  const menu = (first: number): SnapshotNode =>
    node(
      'navigation',
      'Main',
      { id: first },
      ['Shop', 'Delivery', 'About'].map((name, index) =>
        node('link', name, { id: first + 1 + index, flags: Flag.Interactive }),
      ),
    );

  test('takes one line, which names its few controls', () => {
    const before = pruneToInteractive([menu(10), node('heading', 'Home', { id: 20, level: 1 })]);
    const after = pruneToInteractive([menu(30), node('heading', 'Mugs', { id: 40, level: 1 })]);
    const text = renderLines(foldFamiliar(after, before, refOf), { refOf }).map(line => line.text);
    expect(text).toEqual([
      'navigation "Main" as before: "Shop" @e31, "Delivery" @e32, "About" @e33',
      'heading "Mugs" level=1',
    ]);
  });

  test('is told in full where it says something else', () => {
    const other = {
      ...menu(30),
      children: [
        node('link', 'Shop', { id: 31, flags: Flag.Interactive }),
        node('link', 'Cart, 1 item', { id: 32, flags: Flag.Interactive }),
      ],
    };
    const text = renderLines(foldFamiliar(pruneToInteractive([other]), pruneToInteractive([menu(10)]), refOf), {
      refOf,
    }).map(line => line.text);
    expect(text).toEqual(['navigation "Main"', 'link "Shop" @e31', 'link "Cart, 1 item" @e32']);
  });
});

describe('what the page before had, in one line,', () => {
  const folded = (...tree: SnapshotNode[]): string[] => {
    const views = pruneToContent(tree);
    return renderLines(foldFamiliar(views, views, refOf), { refOf }).map(({ text }) => text);
  };
  const mail = (name: string, id: number, parts = {}): SnapshotNode =>
    node('listitem', name, { id, flags: Flag.Interactive, ...parts }, [node('text', name)]);

  test('keeps its heading and the names of its items', () => {
    expect(
      folded(node('heading', 'Inbox'), node('list', '', {}, [mail('Ann: hello', 6), mail('Bo: 4711', 7)])),
    ).toEqual(['… as before: heading "Inbox", "Ann: hello" @e6, "Bo: 4711" @e7']);
  });

  test('has the hint of what has no name', () => {
    const icon = (hint: string, id: number): SnapshotNode => node('button', '', { id, hint });
    expect(folded(icon('star', 1), icon('trash', 2), node('button', '', { id: 3 }))).toEqual([
      '… as before: [star] @e1, [trash] @e2, button @e3',
    ]);
  });

  test('has its heading where it has too many controls for their names', () => {
    const mails = Array.from({ length: 12 }, (_, index) => node('link', `Mail ${index}`, { id: 20 + index }));
    expect(folded(node('heading', 'Inbox'), ...mails)).toEqual(['… as before: heading "Inbox", 13 lines (@e20-@e31)']);
  });
});

describe('a field that is gone', () => {
  const field = (name: string, value: string): SnapshotNode => node('textbox', name, { value });

  test('is counted with what is gone around it, also without a name', () => {
    const gone = ['', 'Note', ''].map(name => node('group', '', {}, [field(name, 'Dear Bo'), node('text', 'Draft')]));
    expect(
      lines({ tree: [...gone, node('heading', 'Mail', { id: 5 })] }, [node('heading', 'Mail', { id: 5 })]),
    ).toEqual(['- 6 lines: 3 textboxes, 3 texts']);
  });

  test('does not tell what it held; what measures does', () => {
    expect(lines({ tree: [field('Note', 'Dear Bo')] }, [])).toEqual(['- textbox "Note"']);
    expect(lines({ tree: [node('progressbar', '', { value: '40%' })] }, [])).toEqual(['- progressbar value="40%"']);
  });
});
