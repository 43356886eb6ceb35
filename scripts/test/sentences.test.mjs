import { expect, test } from 'vitest';
import { documents } from '../docs/documents.mjs';
import { sentencesOf } from '../docs/sentences.mjs';

const MOST_WORDS = 35;

/** @param {string} text */
const sentences = text => sentencesOf(text).map(({ line, sentence }) => `${line}: ${sentence}`);
/** @param {string} text */
const words = text => sentencesOf(text).map(sentence => sentence.words);

test(`no sentence of a document has more than ${MOST_WORDS} words`, () => {
  const long = documents().flatMap(({ file, text }) =>
    sentencesOf(text)
      .filter(sentence => sentence.words > MOST_WORDS)
      .map(({ line, sentence, words: count }) => `${file}:${line}: ${count} words: ${sentence}`),
  );
  expect(long).toEqual([]);
});

test('a sentence ends at a full stop, question or exclamation mark before anything but a small letter', () => {
  const text =
    'It acts. `click` waits! Does it?\n"It does." (Yes.) It takes 1.5 s, e.g. Here, cf. Section 2, and 5 ms. End';
  expect(sentences(text)).toEqual([
    '1: It acts.',
    '1: `…` waits!',
    '1: Does it?',
    '2: "It does."',
    '2: (Yes.)',
    '2: It takes 1.5 s, e.g. Here, cf. Section 2, and 5 ms.',
    '2: End',
  ]);
});

test('headings, paragraphs, list items, quotes and table cells end a sentence', () => {
  const text =
    '# One\ntwo\nthree\n\nfour\n- five\n  six\n1. seven\n> eight\n\n| nine | `a \\| b` |\n| --- | --- |\n| ten | x |';
  expect(sentences(text)).toEqual([
    ...['1: One', '2: two three', '5: four', '6: five six', '8: seven', '9: eight'],
    ...['11: nine', '11: `…`', '12: ---', '12: ---', '13: ten', '13: x'],
  ]);
});

test('a code span is one word, a link or picture its text, and signs are none', () => {
  expect(words('Call `run(a, b. C)` - now')).toEqual([3]);
  expect(words('See [the `long`\nguide](a/b.md#c) and ![a picture](x.webp), or <https://x.example/a>.')).toEqual([9]);
  expect(words('Twice ``a `b` c`` here')).toEqual([3]);
});

test('front matter, code blocks, comments and generated parts are left out, and lines stay right', () => {
  const generated = '<!-- gen:tools:start -->\nGenerated.\n<!-- gen:tools:end -->';
  const text = `---\n'a': minor\n---\n\n\`\`\`ts\ncode. Code\n\`\`\`\n<!-- a\ncomment -->\n${generated}\nHere. And\nthere.`;
  expect(sentences(text)).toEqual(['13: Here.', '13: And there.']);
});

test('markers that a document speaks of are no markers', () => {
  expect(words('Between `<!-- a:start -->` and `<!-- a:end -->` there are words.')).toEqual([7]);
});
