import { firstElementChild, getAttribute, getAttributeNames, localName, nextElementSibling } from '../dom.js';

/** Elements that HTML has for things of which there are several: they need no class to be alike. */
export const ITEMS: ReadonlySet<string> = new Set(['li', 'tr', 'td', 'th', 'dd', 'dt']);
/** Elements of HTML and SVG that only lay out a page. */
const NEUTRAL = new Set([
  'div',
  'span',
  'i',
  'img',
  'article',
  'section',
  'figure',
  'svg',
  'g',
  'rect',
  'circle',
  'ellipse',
  'path',
  'polygon',
  'text',
]);
/** Neutral elements that stand within a line. */
const INLINE = new Set(['span', 'i', 'img', 'svg']);
const NO_CONTENT = new Set(['script', 'style', 'template', 'link', 'meta', 'br', 'wbr', 'hr', 'colgroup']);
/** Attributes of frameworks and tests, which say nothing of what the page does. */
const FOREIGN_DATA =
  /^data-(v|react|reactid|reactroot|svelte|ng|astro|qa|cy|test|testid|test-id|src|srcset|lazy|ssr|s|n|aos)(-|$)/;
/** Classes for a state come and go, and differ among siblings. */
const STATE_CLASS =
  /^(is-|has-|js-)?(active|selected|current|disabled|open|opened|closed|hover|focus|first|last|odd|even|today|old|new|on|off|checked|highlight(ed)?)$/i;

/** Siblings that are alike, of which a page has one listener for all. */
export interface Family {
  members: Element[];
  /** Their author has marked them as things of one kind: by the element, a class or data. */
  isMarked: boolean;
}

export function childrenOf(element: Element): Element[] {
  const children: Element[] = [];
  for (let child = firstElementChild(element); child !== null; child = nextElementSibling(child))
    if (!NO_CONTENT.has(localName(child))) children.push(child);
  return children;
}

/**
 * The largest family among some siblings. Things in a line of text are one only where there is nothing else to read.
 * @param isRead Whether there is, in what does not belong to the family or around it.
 */
export function familyOf(
  children: readonly Element[],
  isRead: (others: readonly Element[], members: readonly Element[]) => boolean,
): Family | undefined {
  let largest: Family | undefined;
  for (const [tag, alike] of Map.groupBy(children, localName)) {
    const family = familyOfTag(tag, alike);
    if (family === undefined) continue;
    const others = children.filter(child => !family.members.includes(child));
    if (INLINE.has(tag) && isRead(others, family.members)) continue;
    if (largest === undefined || family.members.length > largest.members.length) largest = family;
  }
  return largest;
}

function familyOfTag(tag: string, alike: Element[]): Family | undefined {
  if (ITEMS.has(tag)) return { members: alike, isMarked: true };
  if (alike.length < 2 || !(NEUTRAL.has(tag) || tag.includes('-'))) return undefined;
  const marked = largestGroup(alike, marksOf);
  if (marked.length >= 2) return { members: marked, isMarked: true };
  const plain = alike.filter(element => marksOf(element).length === 0);
  return plain.length >= 3 ? { members: plain, isMarked: false } : undefined;
}

/** Those that share the mark that most of them have. */
function largestGroup(elements: readonly Element[], marks: (element: Element) => string[]): Element[] {
  const groups = new Map<string, Element[]>();
  for (const element of elements) {
    for (const mark of marks(element)) groups.set(mark, [...(groups.get(mark) ?? []), element]);
  }
  return [...groups.values()].reduce((most, group) => (group.length > most.length ? group : most), []);
}

/** Classes, and names of data attributes. */
function marksOf(element: Element): string[] {
  const classes = (getAttribute(element, 'class') ?? '')
    .split(/\s+/)
    .filter(name => name !== '' && !STATE_CLASS.test(name));
  return [...classes, ...dataOf(element)];
}

/** Names of the attributes in which a page keeps what a press of the element is for. */
export function dataOf(element: Element): string[] {
  return getAttributeNames(element).filter(name => name.startsWith('data-') && !FOREIGN_DATA.test(name));
}
