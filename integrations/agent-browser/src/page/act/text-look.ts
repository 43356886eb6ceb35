/** Decorations, backgrounds and shifts of a text come from elements this far around it. */
const LEVELS = 8;
const BOLD = 600;

/** How the text of an element looks, in words that a reader of the page would use: `bold`, `underlined`, `red text`. */
export function textLook(element: Element): string[] {
  const own = getComputedStyle(element);
  const words = new Set<string>();
  if (Number(own.fontWeight) >= BOLD) words.add('bold');
  if (own.fontStyle !== 'normal') words.add('italic');
  addFromAround(element, words);
  words.add(`${own.color} text`);
  words.add(`${own.fontSize} high`);
  const block = blockAround(element);
  if (block !== undefined) words.add(`aligned to the ${getComputedStyle(block).textAlign}`);
  return [...words];
}

/**
 * The text styles of the inline elements around a text, for these are not inherited (CSS Text Decoration, section 2).
 */
function addFromAround(element: Element, words: Set<string>): void {
  let at: Element | null = element;
  for (let level = 0; at !== null && level < LEVELS; level++) {
    const { textDecorationLine, verticalAlign, backgroundColor, display } = getComputedStyle(at);
    if (textDecorationLine.includes('underline')) words.add('underlined');
    if (textDecorationLine.includes('line-through')) words.add('struck through');
    if (verticalAlign === 'super') words.add('superscript');
    if (verticalAlign === 'sub') words.add('subscript');
    if (!isClear(backgroundColor)) words.add(`on ${backgroundColor}`);
    if (!display.startsWith('inline')) return;
    at = at.parentElement;
  }
}

function blockAround(element: Element): Element | undefined {
  let at: Element | null = element;
  while (at !== null && getComputedStyle(at).display.startsWith('inline')) at = at.parentElement;
  return at ?? undefined;
}

function isClear(color: string): boolean {
  return color === 'transparent' || /^rgba\(.*, 0\)$/.test(color);
}
