import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { bytesOf, fileTrouble, NAME_BYTES, plainError, withinBytes } from '../src/files.js';

const folder = mkdtempSync(join(tmpdir(), 'core-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a text within so many bytes', () => {
  test.each([
    ['plain', 5, 'plain'],
    ['plain', 3, 'pla'],
    ['報告書', 8, '報告'],
    ['a😀b', 4, 'a'],
    ['e\u0301e\u0301', 5, 'e\u0301'],
    ['👨‍👩‍👧x', 17, ''],
    ['', 0, ''],
  ])('%j within %i is %j', (text, most, kept) => {
    expect(withinBytes(text, most)).toBe(kept);
  });

  test('is a beginning of it that leaves no room for one more character', () => {
    const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.nat(300), (text, most) => {
        const kept = withinBytes(text, most);
        expect(text.startsWith(kept)).toBe(true);
        expect(bytesOf(kept)).toBeLessThanOrEqual(most);
        const starts = [...characters.segment(text)].map(({ index }) => index);
        if (kept !== text) expect(starts).toContain(kept.length);
      }),
    );
  });
});

describe('the error of a file', () => {
  const raised = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const odd = join(folder, "it's, odd\nname");

  test.each([
    [
      'a name that is too long',
      () => writeFileSync(join(folder, 'é'.repeat(NAME_BYTES)), ''),
      /too long \(ENAMETOOLONG\)$/,
    ],
    [
      'a folder below a file',
      () => mkdirSync(join(file, 'below'), { recursive: true }),
      /file is where .* \(ENOTDIR\)$/,
    ],
    ['a copy from nowhere', () => copyFileSync(odd, join(folder, 'copy')), /not there \(ENOENT\)$/],
    ['a folder that is read', () => readFileSync(folder), /folder is where .* \(EISDIR\)$/],
  ])('says in words what is wrong, without a path: %s', (_, work, words) => {
    const error = raised(work) as Error;
    for (const told of [fileTrouble(error), fileTrouble(error.message), plainError(error)]) {
      expect(told).toMatch(words);
      expect(told).not.toContain(folder);
    }
    // As Playwright passes it on.
    expect(fileTrouble(new Error(`download.saveAs: ${error.message}`))).toMatch(words);
  });

  test('has the words of Node where there are no others', () => {
    expect(fileTrouble(new Error("EXDEV: cross-device link not permitted, rename '/a' -> '/b'"))).toBe(
      'cross-device link not permitted (EXDEV)',
    );
  });

  test.each(['net::ERR_FAILED at http://x', 'connect ECONNREFUSED 127.0.0.1:1', 'Element: not found, really', ''])(
    'is none: %j',
    message => {
      expect(fileTrouble(new Error(message))).toBeUndefined();
      expect(plainError(new Error(message))).toBe(message);
    },
  );
});
