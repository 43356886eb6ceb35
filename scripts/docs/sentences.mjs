import { blank, withoutCodeBlocks } from './markdown.mjs';

const FRONT_MATTER = /^---\n[\s\S]*?\n---$/m;
const GENERATED = /^<!-- ([\w:-]+):start -->[\s\S]*?^<!-- \1:end -->/gm;
const COMMENT = /(?<!`)<!--[\s\S]*?-->/g;
const CODE_SPAN = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;
const LINK = /!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g;
/** What stands before the text of a heading, a list item, a quote or a container. */
const MARKS = /^\s*(?:(?:#{1,6}|[-*+]|\d+[.)]|>|:::)\s+)+/;
const TABLE_ROW = /^\s*\|/;
const SENTENCE_END = /(?<=[.!?…]["'”’)\]*_]*)\s+(?=[^\p{Ll}\s])/gu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|cf|vs|approx|Mr|Ms|Dr)\.$/;

/**
 * The sentences of a document's prose. A heading, list item or table cell ends one; a code span is a word, a link its text.
 * @param {string} text Markdown
 * @returns {{ line: number, sentence: string, words: number }[]}
 */
export function sentencesOf(text) {
  return blocksOf(withSpansAsWords(proseOf(text))).flatMap(block => {
    let line = block.line;
    return split(block.text).map(part => {
      const sentence = { line, sentence: part.trim().replace(/\s+/g, ' '), words: wordsOf(part) };
      line += blank(part).length;
      return sentence;
    });
  });
}

/**
 * A document with its front matter, generated parts, code blocks and comments as empty lines.
 * @param {string} text Markdown
 */
function proseOf(text) {
  const body = text.startsWith('---\n') ? text.replace(FRONT_MATTER, blank) : text;
  return withoutCodeBlocks(body.replace(GENERATED, blank)).replace(COMMENT, blank);
}

/** @param {string} prose */
function withSpansAsWords(prose) {
  return prose.replace(CODE_SPAN, span => `\`…\`${blank(span)}`).replace(LINK, '$1');
}

/**
 * Paragraphs, headings, list items and table cells, each with its first line.
 * @param {string} prose
 */
function blocksOf(prose) {
  /** @type {{ line: number, text: string }[]} */
  const blocks = [];
  let continues = false;
  for (const [index, raw] of prose.split('\n').entries()) {
    const line = index + 1;
    const text = raw.replace(MARKS, '').trim();
    const last = blocks.at(-1);
    const isRow = TABLE_ROW.test(raw);
    if (isRow) blocks.push(...raw.split(/(?<!\\)\|/).map(cell => ({ line, text: cell.trim() })));
    else if (last !== undefined && continues && !MARKS.test(raw)) last.text += `\n${text}`;
    else blocks.push({ line, text });
    continues = text !== '' && !isRow && !/^\s*#/.test(raw);
  }
  return blocks.filter(({ text }) => text !== '');
}

/**
 * The sentences of a block, each with the space behind it.
 * @param {string} block
 */
function split(block) {
  const starts = [...block.matchAll(SENTENCE_END)]
    .filter(({ index }) => !ABBREVIATION.test(block.slice(0, index)))
    .map(end => end.index + end[0].length);
  return [0, ...starts].map((start, index) => block.slice(start, starts[index]));
}

/** @param {string} sentence */
function wordsOf(sentence) {
  return sentence.split(/\s+/).filter(word => /[\p{L}\p{N}`]/u.test(word)).length;
}
