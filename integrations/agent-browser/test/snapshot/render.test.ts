import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Flag } from '#page-engine/protocol.js';
import { pruneToContent, pruneToInteractive } from '../../src/snapshot/prune.js';
import { indent, renderHeader, renderLines } from '../../src/snapshot/render.js';
import type { SnapshotNode } from '../../src/snapshot/tree.js';
import { forests, node, page, refOf } from './nodes.js';

function text(roots: SnapshotNode[], maxDepth?: number): string[] {
  return renderLines(pruneToContent(roots), { refOf, maxDepth }).map(line => indent(line.depth) + line.text);
}

/** Longest name and value that are told in full. */
const [NAME, VALUE] = [70, 80];

describe('a line', () => {
  test('has the role, the quoted name, the ref, then the states that matter', () => {
    const field = node('textbox', 'Email', {
      id: 2,
      value: 'ann@example.com',
      flags: Flag.Interactive | Flag.Required | Flag.Invalid,
    });
    expect(text([field])).toEqual(['textbox "Email" @e2 value="ann@example.com" required invalid']);
    expect(text([node('button', 'Pay now', { id: 7, flags: Flag.Interactive | Flag.Disabled })])).toEqual([
      'button "Pay now" @e7 disabled',
    ]);
    expect(text([node('heading', 'Checkout', { level: 1 })])).toEqual(['heading "Checkout" level=1']);
  });

  test('quotes names with the escapes of JSON, so that it stays one line', () => {
    expect(text([node('button', 'a "b"\n\\ \u2028c', { id: 1 })])).toEqual([
      `button ${JSON.stringify('a "b"\n\\ \u2028c')} @e1`,
    ]);
  });

  test('cuts long names and values and says so', () => {
    const [line = ''] = text([node('textbox', 'n'.repeat(500), { id: 1, value: 'v'.repeat(500) })]);
    expect(line).toBe(`textbox "${'n'.repeat(NAME)}…" @e1 value="${'v'.repeat(VALUE)}…"`);
  });

  test('cuts no character in half', () => {
    const [line = ''] = text([node('button', `${'n'.repeat(NAME - 1)}😀😀`, { id: 1 })]);
    expect(line).toBe(`button "${'n'.repeat(NAME - 1)}…" @e1`);
  });

  test('is shared by what says nothing but that one thing is in it', () => {
    expect(text([node('list', '', {}, [node('listitem', '', {}, [node('link', 'Blue mug', { id: 12 })])])])).toEqual([
      'list  listitem  link "Blue mug" @e12',
    ]);
  });

  test('counts the items of a list', () => {
    const items = ['a', 'b', 'c'].map((name, i) => node('listitem', '', {}, [node('link', name, { id: i + 1 })]));
    expect(text([node('list', 'Letters', {}, items)])[0]).toBe('list "Letters" (3)');
  });

  test('says how much is below where the depth ends', () => {
    const deep = node('main', '', {}, [
      node('heading', 'One'),
      node('region', 'Two', {}, [node('button', 'a', { id: 1 }), node('button', 'b', { id: 2 })]),
    ]);
    expect(text([deep], 2)).toEqual(['main', '  heading "One"', '  region "Two" … 2 below']);
    expect(text([deep], 1)).toEqual(['main … 4 below']);
  });
});

describe('lines', () => {
  test('are one line each, whatever the page says', () => {
    fc.assert(
      fc.property(forests, roots => {
        for (const line of text(roots)) expect(line).not.toMatch(/[\n\r]/);
      }),
    );
  });

  test('know their parent and where what is below them ends', () => {
    fc.assert(
      fc.property(forests, roots => {
        const lines = renderLines(pruneToInteractive(roots), { refOf });
        for (const [index, line] of lines.entries()) {
          expect(line.end).toBeGreaterThan(index);
          const parent = lines[line.parent];
          expect(line.depth).toBe(parent === undefined ? 0 : parent.depth + 1);
          if (parent !== undefined) expect(line.end).toBeLessThanOrEqual(parent.end);
          for (let i = index + 1; i < line.end; i++) expect(lines[i]?.depth).toBeGreaterThan(line.depth);
        }
      }),
    );
  });
});

describe('the first line', () => {
  test('tells the page and where in it the viewport stands', () => {
    expect(renderHeader(page([], { title: 'Checkout - "Acme"', url: 'https://shop.example/checkout' }))).toBe(
      'page "Checkout - \\"Acme\\"" https://shop.example/checkout',
    );
    expect(renderHeader(page([], { scroll: { top: 504, length: 2880, viewport: 720 } }))).toBe(
      'page "Title" http://site/  (scrolled 23%, 2.3 pages below)',
    );
    expect(renderHeader(page([], { modal: true }))).toContain('a modal dialog hides the rest of the page');
    expect(renderHeader(page([], { cut: true }))).toContain('only its first part is listed');
  });

  test('is one line, whatever the title is', () => {
    expect(renderHeader(page([], { title: 'a\nb' })).split('\n')).toHaveLength(1);
  });
});
