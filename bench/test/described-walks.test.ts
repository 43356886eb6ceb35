import { expect, test } from 'vitest';
import { deviations, toLines } from '../src/walks/described.ts';

const nothing = { node: [], page: [] };
const text = `# Three walks

## A click

1. \`tools/click.ts\` asks the page, where \`page/act/press.ts\` finds a point, and \`tools/click.ts\` presses. \`page/kept\` is a folder.

## A snapshot

## A viewer's mouse

1. \`packages/server/src/gate.ts\` lets it pass.

# Invariants

\`elsewhere.ts\` is of no walk.
`;

test('a file that ran is named, and one that is named ran; one of Node and the page is one', () => {
  const walks = {
    click: { node: ['shared.ts', 'tools/click.ts'], page: ['shared.ts'] },
    snapshot: nothing,
    viewersMouse: { node: ['packages/server/src/gate.ts'], page: [] },
  };
  const found = deviations(walks, text);
  expect(found).toEqual([
    { section: 'A click', missing: ['shared.ts'], tooMuch: ['page/act/press.ts'] },
    { section: 'A snapshot', missing: [], tooMuch: [] },
    { section: "A viewer's mouse", missing: [], tooMuch: [] },
  ]);
  expect(toLines(found).split('\n').slice(0, 3)).toEqual([
    'docs/architecture.md, "A click": 1 to name, 1 to take away',
    '  + `shared.ts`',
    '  - `page/act/press.ts`',
  ]);
});

test('a document without one of the sections is no description', () => {
  const walks = { click: nothing, snapshot: nothing, viewersMouse: nothing };
  expect(() => deviations(walks, '## A click\n')).toThrow('no section');
});
