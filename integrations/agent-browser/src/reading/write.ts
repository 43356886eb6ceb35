import { mainContent } from './article.js';
import { elementsOf, parseDocument } from './dom.js';
import type { Reading } from './latest-reading.js';
import { toMarkdown } from './markdown.js';
import { splitIntoPages } from './pages.js';
import { toPlainText } from './plain-text.js';

/** Markup of a page as the engine writes it: no scripts, styles, handlers or hidden parts. */
export interface PageMarkup {
  html: string;
  title: string;
  cut?: true;
}

export interface WriteOptions {
  format: 'markdown' | 'text' | 'html';
  links: boolean;
  /** Estimated tokens of one page at most. */
  maxTokens: number;
  /** The part to write: the main content, all of it, or all of an element. */
  scope: 'main' | 'page' | 'element';
}

/** Writes what a page says. */
export function writeReading({ html, title, cut }: PageMarkup, options: WriteOptions): Reading {
  const { format, links, maxTokens, scope } = options;
  const main = scope === 'main' ? mainContent(html, title) : { root: parseDocument(html, title).body };
  const { root, part = scope === 'element' ? scope : 'page', byline } = { part: undefined, byline: undefined, ...main };
  const text =
    format === 'html' ? toCleanHtml(root, links) : format === 'text' ? toPlainText(root) : toMarkdown(root, { links });
  return { pages: splitIntoPages(text, maxTokens), part, ...(byline && { byline }), ...(cut && { cut }) };
}

const KEPT = new Set([
  'href',
  'src',
  'alt',
  'colspan',
  'rowspan',
  'scope',
  'start',
  'reversed',
  'lang',
  'dir',
  'datetime',
  'checked',
  'type',
  'value',
]);
const LANGUAGE = /^(?:language|lang|highlight)-/;

/** Markup of what is in an element: its structure, text, links and pictures, and nothing that runs or styles. */
function toCleanHtml(root: Element, links: boolean): string {
  for (const element of [...elementsOf(root)]) {
    for (const { name, value } of [...element.attributes]) {
      const isKept = KEPT.has(name) || (name === 'class' && LANGUAGE.test(value));
      if (!isKept || (!links && (name === 'href' || name === 'src'))) element.removeAttribute(name);
    }
  }
  return root.innerHTML.replace(/\s*\n\s*\n\s*/g, '\n').trim();
}
