import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCUMENTS, root } from './documents.js';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe.each(DOCUMENTS)('%s', file => {
  it('links only to what exists', () => {
    const targets = [...read(file).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target = '']) => target);
    const missing = targets.filter(target => {
      const [path = '', heading] = target.split('#');
      const linked = path === '' ? file : join(dirname(file), path);
      return !existsSync(join(root, linked)) || (heading !== undefined && !headings(linked).includes(heading));
    });
    expect(missing).toEqual([]);
  });
});

/** The anchors of a file's headings. */
function headings(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
