/** Numbers the blocks of a document, to tell afterwards which of them an extraction has kept. */
const NUMBER = 'data-n';
/** A block with so many characters outside links, and hardly any inside, is prose. */
export const PROSE_LENGTH = 80;
export const LINK_SHARE = 0.35;

const BLOCKS = new Set(
  'p,li,dd,dt,blockquote,pre,td,th,h1,h2,h3,h4,h5,h6,figcaption,div,section,article,main,table,dl,ul,ol'.split(','),
);
const BESIDE_TAGS = new Set(['nav', 'aside', 'footer', 'form']);
const BESIDE_ROLES = new Set(['navigation', 'complementary', 'contentinfo', 'search']);

/** Names that hold comments; others say that a page may have some. */
const COMMENTS =
  /(?:^|\s)(?:disqus|comments?)(?:[-_](?!open|closed|count|link|on\b|off\b|status|allowed)\S*)?(?=\s|$)/i;

/** A block and the text that is in no block inside it. */
export interface TextBlock {
  element: Element;
  /** As given by {@link numberBlocks}; -1 for what has none. */
  number: number;
  /** Characters. */
  length: number;
  isProse: boolean;
  /** It is beside what a page is about: navigation, forms, comments. */
  isBeside: boolean;
}

/** Numbers the blocks of a document in its order. Returns how many elements it has. */
export function numberBlocks(elements: Iterable<Element>): number {
  let count = 0;
  for (const element of elements) {
    if (BLOCKS.has(element.localName)) element.setAttribute(NUMBER, String(count));
    count++;
  }
  return count;
}

/** The number of a block; -1 for what has none. */
export function numberOf(element: Element): number {
  return Number(element.getAttribute(NUMBER) ?? -1);
}

/** The blocks that have text of their own, in document order. */
export function textBlocks(root: Element): TextBlock[] {
  const found: Omit<TextBlock, 'isProse'>[] = [];
  const linked = new Map<object, number>();
  const blockOf = (element: Element, isBeside: boolean) => ({
    element,
    number: numberOf(element),
    length: 0,
    isBeside,
  });
  const visit = (parent: Element, block: Omit<TextBlock, 'isProse'>, isLinked: boolean): void => {
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      if (node.nodeType === 3) {
        const { length } = (node.nodeValue ?? '').trim();
        if (length === 0) continue;
        if (block.length === 0) found.push(block);
        block.length += length;
        if (isLinked) linked.set(block, (linked.get(block) ?? 0) + length);
      } else if (node.nodeType === 1) {
        const element = node as Element;
        const inner = BLOCKS.has(element.localName) ? blockOf(element, block.isBeside) : block;
        if (isBeside(element)) visit(element, { ...blockOf(element, true), number: inner.number }, isLinked);
        else visit(element, inner, isLinked || element.localName === 'a');
      }
    }
  };
  visit(root, blockOf(root, false), false);
  return found.map(block => {
    const inLinks = linked.get(block) ?? 0;
    const isProse = block.length - inLinks >= PROSE_LENGTH && inLinks <= LINK_SHARE * block.length;
    return { ...block, isProse };
  });
}

/** Characters in blocks. */
export function lengthOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.length, 0);
}

/** Whether what is in an element is beside what its page is about. */
export function isBeside(element: Element): boolean {
  if (BESIDE_TAGS.has(element.localName) || BESIDE_ROLES.has(element.getAttribute('role') ?? '')) return true;
  return COMMENTS.test(`${element.getAttribute('id') ?? ''} ${element.getAttribute('class') ?? ''}`);
}
