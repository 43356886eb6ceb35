export type Attributes = Record<string, string | number | true | undefined>;
export type Children = string | readonly Children[];

const voidTags = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);

/** One element as HTML text; children are HTML already, text goes through `text`. */
export function h(tag: string, attributes: Attributes = {}, ...children: readonly Children[]): string {
  const head = `<${tag}${Object.entries(attributes).map(attribute).join('')}>`;
  return voidTags.has(tag) ? head : `${head}${children.flat(20).join('')}</${tag}>`;
}

export function text(value: string | number): string {
  return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A div with a class: the commonest element of any page. */
export function box(className: string, ...children: readonly Children[]): string {
  return h('div', { class: className }, ...children);
}

/** Content inside `levels` more divs: the wrappers that layout and frameworks add. */
export function wrapped(levels: number, className: () => string, content: string): string {
  return levels === 0 ? content : box(className(), wrapped(levels - 1, className, content));
}

export function link(href: string, label: string, attributes: Attributes = {}): string {
  return h('a', { href, ...attributes }, text(label));
}

export function times<T>(count: number, build: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => build(index));
}

/** An inline icon as component libraries emit it: decorative, two nodes. */
export function icon(className = 'icon'): string {
  return h(
    'svg',
    { class: className, viewBox: '0 0 24 24', width: 16, height: 16, 'aria-hidden': 'true', focusable: 'false' },
    h('path', { d: 'M4 12h16M12 4v16M6 6l12 12', stroke: 'currentColor', fill: 'none' }),
  );
}

const pixel = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/%3E";

export function picture(alt: string, width: number, height: number): string {
  return h(
    'picture',
    {},
    h('source', { media: '(min-width: 900px)', srcset: pixel }),
    h('img', { src: pixel, alt, width, height, loading: 'lazy', class: 'media' }),
  );
}

function attribute([name, value]: [string, Attributes[string]]): string {
  if (value === undefined) return '';
  if (value === true) return ` ${name}`;
  return ` ${name}="${String(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}
