import { getAttribute, hasAttribute } from './dom.js';

/** Endings of what browsers save rather than show. */
const FILE = /\.(?:zip|gz|tgz|bz2|xz|7z|rar|csv|tsv|xlsx?|docx?|pptx?|od[tsp]|exe|msi|dmg|pkg|deb|rpm|apk|iso|epub)$/i;

/** What the browser itself does when an element is pressed. */
export function deedOf(element: Element): 'submit' | 'download' | undefined {
  if (element instanceof HTMLButtonElement)
    return element.type === 'submit' && element.form !== null ? 'submit' : undefined;
  if (element instanceof HTMLInputElement) return /^(?:submit|image)$/.test(element.type) ? 'submit' : undefined;
  if (!(element instanceof HTMLAnchorElement)) return undefined;
  return hasAttribute(element, 'download') || FILE.test(pathOf(getAttribute(element, 'href'))) ? 'download' : undefined;
}

function pathOf(href: string | null): string {
  return href?.split(/[?#]/)[0] ?? '';
}
