import { READING_ATTRIBUTES } from '#page-engine/names/roles.js';
import { estimateTokens } from '../tokens.js';
import { mainContent } from './article.js';
import { parseDocument, toMarkdown, toPlainText, withDescendants } from './markdown.js';

/** The text of a web page, split into pages of limited size. */
export interface WrittenReading {
  pages: string[];
  /** `element` if only an element was requested; the others as in `MainContent`. */
  part: 'article' | 'page' | 'element';
  byline?: string;
  /** The web page is longer than the text. */
  cut?: true;
  /** The file, where the text is that of a PDF. */
  path?: string;
}

/** The latest reading, kept so that its pages stay consistent even if the document changes. */
export interface LatestReading {
  /** Identifies the document and the options of the reading. */
  key: string;
  reading: WrittenReading;
}

const FENCE = /^(`{3,})/;

/**
 * Splits a text into pages of at most `maxTokens` estimated tokens, between blocks where possible: code that continues
 * on the next page is fenced again, a table repeats its header, and only then are lines, words and characters split.
 */
export function splitIntoPages(text: string, maxTokens: number): string[] {
  if (estimateTokens(text) <= maxTokens) return [text];
  const pieces = blocksOf(text).flatMap(block => piecesOf(block, maxTokens));
  return joined(pieces, '\n\n', maxTokens);
}

/** Splits a text into paragraphs and fenced code, which may contain blank lines. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;
  const end = (): void => {
    if (block.length > 0) blocks.push(block.join('\n'));
    block = [];
  };
  for (const line of text.split('\n')) {
    if (fence === undefined && line.trim() === '') {
      end();
      continue;
    }
    block.push(line);
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (line.trim() === fence) fence = undefined;
  }
  end();
  return blocks;
}

function piecesOf(block: string, maxTokens: number): string[] {
  if (estimateTokens(block) <= maxTokens) return [block];
  const lines = block.split('\n');
  const fence = FENCE.exec(lines[0] ?? '')?.[1];
  if (fence !== undefined) return pack(lines.slice(1, -1), '\n', { maxTokens, head: lines[0], foot: fence });
  if (lines[0]?.startsWith('|') && /^\|[\s:|-]+\|$/.test(lines[1] ?? ''))
    return pack(lines.slice(2), '\n', { maxTokens, head: `${lines[0]}\n${lines[1]}` });
  if (lines.length > 1) return pack(lines, '\n', { maxTokens });
  return pack(block.split(/(?<=\s)(?=\S)/), '', { maxTokens });
}

interface Frame {
  maxTokens: number;
  /** Written at the beginning of each piece; `foot` at the end. */
  head?: string;
  foot?: string;
}

/** Splits parts that are too long, and joins them into pieces that fit. */
function pack(parts: readonly string[], glue: string, { maxTokens, head, foot }: Frame): string[] {
  const around = [head, foot].map(text => (text === undefined ? 0 : estimateTokens(text) + 1));
  const room = Math.max(20, maxTokens - (around[0] ?? 0) - (around[1] ?? 0));
  const fitting = parts.flatMap(part => splitTooLong(part, room));
  return joined(fitting, glue, room).map(body => [head, body, foot].filter(text => text !== undefined).join('\n'));
}

/** Joins parts as long as they fit. */
function joined(parts: readonly string[], glue: string, room: number): string[] {
  const pieces: string[][] = [];
  let size = 0;
  for (const part of parts) {
    const tokens = estimateTokens(part) + (glue === '' ? 0 : 1);
    size += tokens;
    if (pieces.length > 0 && size <= room) pieces.at(-1)?.push(part);
    else {
      pieces.push([part]);
      size = tokens;
    }
  }
  return pieces.map(piece => piece.join(glue));
}

/** Splits a part that is too long for one page: at words, otherwise at characters. */
function splitTooLong(part: string, room: number): string[] {
  if (estimateTokens(part) <= room) return [part];
  const words = part.split(/(?<=\s)(?=\S)/);
  if (words.length > 1) return pack(words, '', { maxTokens: room });
  return part.match(new RegExp(`[\\s\\S]{1,${room}}`, 'gu')) ?? [part];
}

/** The markup of a page as the engine serializes it: without scripts, styles, event handlers and hidden parts. */
export interface PageMarkup {
  html: string;
  title: string;
  cut?: true;
  /** The address of the PDF that is shown instead of markup. */
  pdf?: string;
}

export interface WriteOptions {
  format: 'markdown' | 'text' | 'html';
  links: boolean;
  /** Budget of one page in estimated tokens. */
  maxTokens: number;
  /** The part to write: the main content, the whole page, or an element. */
  scope: 'main' | 'page' | 'element';
}

/** Writes the content of a page as text in the requested format. */
export function writeReading({ html, title, cut }: PageMarkup, options: WriteOptions): WrittenReading {
  const { format, links, maxTokens, scope } = options;
  const main = scope === 'main' ? mainContent(html, title) : { root: parseDocument(html, title).body };
  const { root, part = scope === 'element' ? scope : 'page', byline } = { part: undefined, byline: undefined, ...main };
  const text =
    format === 'html' ? toCleanHtml(root, links) : format === 'text' ? toPlainText(root) : toMarkdown(root, { links });
  return { pages: splitIntoPages(text, maxTokens), part, ...(byline && { byline }), ...(cut && { cut }) };
}

/** Attributes that stay in the content; the others of the engine only help to find it. */
const KEPT_ATTRIBUTE_NAMES = new Set([...READING_ATTRIBUTES, 'href', 'src', 'alt', 'checked', 'type']);
const LANGUAGE_CLASS = /^(?:language|lang|highlight)-/;

/** The markup of an element's content: structure, text, links and images, without scripts and styling. */
function toCleanHtml(root: Element, links: boolean): string {
  for (const element of withDescendants(root)) {
    for (const { name, value } of [...element.attributes]) {
      const isKept = KEPT_ATTRIBUTE_NAMES.has(name) || (name === 'class' && LANGUAGE_CLASS.test(value));
      if (!isKept || (!links && (name === 'href' || name === 'src'))) element.removeAttribute(name);
    }
  }
  return root.innerHTML.replace(/\s*\n\s*\n\s*/g, '\n').trim();
}
