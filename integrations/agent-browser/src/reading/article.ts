import { Readability } from '#vendored/readability';
import { collapsedText, isDataTable, linkShare, parseDocument, withDescendants } from './markdown.js';

/** Attribute with the number of a block, which identifies the blocks that an extraction has kept. */
const NUMBER = 'data-n';
/** A block with at least this many characters outside links, and few inside, is prose. */
const PROSE_LENGTH = 80;
const LINK_SHARE = 0.35;

const BLOCK_TAGS = new Set(
  'p,li,dd,dt,blockquote,pre,td,th,h1,h2,h3,h4,h5,h6,figcaption,div,section,article,main,table,dl,ul,ol'.split(','),
);
const BESIDE_TAGS = new Set(['nav', 'aside', 'footer', 'form']);
const BESIDE_ROLES = new Set(['navigation', 'complementary', 'contentinfo', 'search']);

/** Ids and classes of comment sections. The excluded suffixes only state whether a page may have comments. */
const COMMENTS =
  /(?:^|\s)(?:disqus|comments?)(?:[-_](?!open|closed|count|link|on\b|off\b|status|allowed)\S*)?(?=\s|$)/i;

/** A block with its own text, which excludes the text of nested blocks. */
interface TextBlock {
  element: Element;
  /** As assigned by {@link numberBlocks}; -1 without a number. */
  number: number;
  /** In characters. */
  length: number;
  /** The part of it in links. */
  linked: number;
  isProse: boolean;
  /** It is outside the main content: in navigation, forms or comments. */
  isBeside: boolean;
}

/** Numbers the blocks in document order. */
function numberBlocks(elements: readonly Element[]): void {
  for (const [number, element] of elements.entries()) {
    if (BLOCK_TAGS.has(element.localName)) element.setAttribute(NUMBER, String(number));
  }
}

/** The number of a block; -1 without one. */
function blockNumber(element: Element): number {
  return Number(element.getAttribute(NUMBER) ?? -1);
}

/** The blocks with text of their own, in document order. */
function textBlocks(root: Element): TextBlock[] {
  const found: Omit<TextBlock, 'isProse'>[] = [];
  const blockOf = (element: Element, isBeside: boolean) => ({
    element,
    number: blockNumber(element),
    length: 0,
    linked: 0,
    isBeside,
  });
  const visit = (parent: Element, block: Omit<TextBlock, 'isProse'>, isLinked: boolean): void => {
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      if (node.nodeType === 3) {
        const { length } = (node.nodeValue ?? '').trim();
        if (length === 0) continue;
        if (block.length === 0) found.push(block);
        block.length += length;
        if (isLinked) block.linked += length;
      } else if (node.nodeType === 1) {
        const element = node as Element;
        const inner = BLOCK_TAGS.has(element.localName) ? blockOf(element, block.isBeside) : block;
        if (isAside(element)) visit(element, { ...blockOf(element, true), number: inner.number }, isLinked);
        else visit(element, inner, isLinked || element.localName === 'a');
      }
    }
  };
  visit(root, blockOf(root, false), false);
  return found.map(block => {
    const { length, linked } = block;
    return { ...block, isProse: length - linked >= PROSE_LENGTH && linked <= LINK_SHARE * length };
  });
}

/** The total number of characters in blocks. */
function lengthOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.length, 0);
}

/** Whether an element is outside the main content of its page. */
function isAside(element: Element): boolean {
  if (BESIDE_TAGS.has(element.localName) || BESIDE_ROLES.has(element.getAttribute('role') ?? '')) return true;
  return COMMENTS.test(`${element.getAttribute('id') ?? ''} ${element.getAttribute('class') ?? ''}`);
}

/** The part of a document that is worth reading. */
interface MainContent {
  root: Element;
  /** `article`: only the main content; `page`: the whole page, because extraction found or kept too little. */
  part: 'article' | 'page';
  byline?: string;
}

/** Larger documents are read as a whole, because extraction would block the process for too long. */
const MOST_ARTICLE_ELEMENTS = 30_000;
/** In characters of prose. */
const SHORTEST_ARTICLE = 400;
/** The smallest share of the page's prose that an article contains. */
const PROSE_SHARE = 0.4;
/** The smallest share of the text between its beginning and its end that an article keeps. */
const KEPT_SHARE = 0.7;
/** Content that an extractor mistakes for layout or links. */
const WHOLE_BLOCKS = 'table,pre,dl,blockquote,ul,ol,h2,h3,h4,h5,h6';
/** The smallest average length, in characters, of list items that are content. */
const ITEM_LENGTH = 25;
/** In a data table a larger share of the text may be links. */
const TABLE_LINK_SHARE = 0.8;
/** The smallest share of an article's prose that is in sibling paragraphs. */
const COHERENT_SHARE = 0.4;
const NOTES = /\b(?:references|footnotes?|endnotes?|bibliography|doc-endnotes)\b/i;

/** The article of a document, or the whole document if it has no article that contains its content. */
export function mainContent(html: string, title: string): MainContent {
  const document = parseDocument(html, title);
  const whole = (): MainContent => ({ root: parseDocument(html, title).body, part: 'page' });
  const elements = withDescendants(document.body);
  if (elements.length > MOST_ARTICLE_ELEMENTS) return whole();
  numberBlocks(elements);
  const before = textBlocks(document.body);
  const prose = lengthOf(before.filter(block => block.isProse && !block.isBeside));
  if (prose < SHORTEST_ARTICLE) return whole();
  // Readability modifies the document, so these are cloned first.
  const worthwhile = [...document.body.querySelectorAll(WHOLE_BLOCKS)]
    .filter(isWorthReading)
    .map(block => ({ block: block.cloneNode(true) as Element, before: numberBehind(block) }));
  const start = headingNumber(document.body);
  const extracted = new Readability(document, { keepClasses: true, serializer: node => node as Element }).parse();
  const root = extracted?.content;
  if (root == null) return whole();
  if (!isCoherent(textBlocks(root).filter(block => block.isProse))) return whole();
  restoreBlocks(root, worthwhile, start);
  dropTrailingLinks(root);
  const kept = new Set(withDescendants(root).map(blockNumber));
  if (lengthOf(textBlocks(root).filter(block => block.isProse)) < PROSE_SHARE * prose) return whole();
  if (keptShare(before, kept) < KEPT_SHARE) return whole();
  const byline = extracted?.byline?.replace(/\s+/g, ' ').trim();
  return { root, part: 'article', ...(byline && { byline }) };
}

/** The share of the text between the first and the last kept block that was kept. */
function keptShare(before: readonly TextBlock[], kept: ReadonlySet<number>): number {
  const isKept = ({ number }: TextBlock): boolean => kept.has(number);
  const between = before.slice(before.findIndex(isKept), before.findLastIndex(isKept) + 1);
  const content = between.filter(block => !block.isBeside);
  return lengthOf(content.filter(isKept)) / Math.max(1, lengthOf(content));
}

/** A block that should not be lost. */
interface Worthwhile {
  block: Element;
  /** For a heading: the number of the block that follows it. */
  before?: number;
}

function numberBehind(block: Element): number | undefined {
  if (!/^h[2-6]$/.test(block.localName)) return undefined;
  return block.nextElementSibling === null ? -1 : blockNumber(block.nextElementSibling);
}

/**
 * Restores tables, code and lists that were between kept blocks, or between the page heading and the first of them;
 * notes also where they came last.
 */
function restoreBlocks(root: Element, worthwhile: readonly Worthwhile[], start: number): void {
  const kept = new Map(withDescendants(root).map(element => [blockNumber(element), element]));
  kept.delete(-1);
  for (const { block, before } of worthwhile) {
    if (before !== undefined && !kept.has(before)) continue;
    const numbers = withDescendants(block)
      .map(blockNumber)
      .filter(number => number >= 0);
    const [first = -1, last = -1] = [numbers[0], numbers.at(-1)];
    const next = [...kept.keys()].reduce(
      (found, number) => (number > last ? Math.min(found, number) : found),
      Infinity,
    );
    const following = kept.get(next);
    const isBehindStart = first > start || [...kept.keys()].some(number => number < first);
    const isInPlace = following !== undefined || NOTES.test(namesOf(block));
    if (!isBehindStart || !isInPlace || numbers.some(number => kept.has(number))) continue;
    if (following === undefined) (root.firstElementChild ?? root).append(block);
    else following.parentNode?.insertBefore(block, following);
    for (const element of withDescendants(block))
      if (blockNumber(element) >= 0) kept.set(blockNumber(element), element);
  }
}

/** The number of the page heading (`h1`). */
function headingNumber(body: Element): number {
  const heading = body.querySelector('h1');
  return heading === null ? Infinity : blockNumber(heading);
}

function namesOf(element: Element): string {
  const { parentElement: parent } = element;
  return [element, parent]
    .map(each => `${each?.getAttribute('id') ?? ''} ${each?.getAttribute('class') ?? ''}`)
    .join(' ');
}

function isWorthReading(block: Element): boolean {
  for (let around: Element | null = block; around !== null; around = around.parentElement) {
    if (isAside(around)) return false;
  }
  const text = collapsedText(block);
  if (text === '') return false;
  if (/^(?:pre|h[2-6])$/.test(block.localName) || NOTES.test(namesOf(block))) return true;
  const links = linkShare(block);
  if (block.localName === 'table') return isDataTable(block) && links <= TABLE_LINK_SHARE;
  if (links > LINK_SHARE) return false;
  return text.length >= PROSE_LENGTH && text.length >= ITEM_LENGTH * block.querySelectorAll('li,dd').length;
}

/** Whether the paragraphs are siblings, as in an article; those of teasers and reviews are separate. */
function isCoherent(prose: readonly TextBlock[]): boolean {
  const families = Map.groupBy(prose, ({ element }) => element.parentElement);
  const together = [...families.values()].filter(family => family.length > 1).flat();
  // Text that is separated only by line breaks is one block.
  const alone = prose.filter(block => block.length >= SHORTEST_ARTICLE && !together.includes(block));
  return lengthOf([...together, ...alone]) >= COHERENT_SHARE * lengthOf(prose);
}

/** Drops parts after the last paragraph that are mostly links: they lead to other pages. */
function dropTrailingLinks(root: Element): void {
  const paragraphs = textBlocks(root).filter(({ element, isProse }) => isProse && element.closest('li') === null);
  const blocks = new Set([...paragraphs.map(({ element }) => element), ...root.querySelectorAll('pre,table')]);
  let element = withDescendants(root).findLast(candidate => blocks.has(candidate));
  while (element !== undefined && element !== root) {
    for (let next = element.nextElementSibling; next !== null; ) {
      const following: Element | null = next.nextElementSibling;
      if (linkShare(next) > 0.5) next.remove();
      next = following;
    }
    element = element.parentElement ?? undefined;
  }
}
