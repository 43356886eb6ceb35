import { parseHTML } from 'linkedom';

/** Parses markup into a document that runs no scripts and loads nothing. */
export function parseDocument(html: string, title = ''): Document {
  const { document } = parseHTML(`<!doctype html><html><head><title></title></head><body>${html}</body></html>`);
  document.title = title;
  return document;
}

/** Every element below a node and the node itself, in document order. */
export function* elementsOf(root: Element): Generator<Element> {
  yield root;
  let element = root.firstElementChild ?? undefined;
  while (element !== undefined) {
    yield element;
    element = element.firstElementChild ?? afterIn(root, element);
  }
}

function afterIn(root: Element, element: Element): Element | undefined {
  for (let from: Element | null = element; from !== null && from !== root; from = from.parentElement) {
    if (from.nextElementSibling !== null) return from.nextElementSibling;
  }
  return undefined;
}

/** Text with its white space as a page shows it. */
export function plainText(node: Node): string {
  return (node.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** How much of the text in an element is in links, from 0 to 1. */
export function linkShare(element: Element): number {
  const links = element.localName === 'a' ? [element] : [...element.getElementsByTagName('a')];
  const linked = links.reduce((sum, link) => sum + plainText(link).length, 0);
  return linked / Math.max(1, plainText(element).length);
}
