import { elementsOf } from './dom.js';

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
export function toCleanHtml(root: Element, links: boolean): string {
  for (const element of [...elementsOf(root)]) {
    for (const { name, value } of [...element.attributes]) {
      const isKept = KEPT.has(name) || (name === 'class' && LANGUAGE.test(value));
      if (!isKept || (!links && (name === 'href' || name === 'src'))) element.removeAttribute(name);
    }
  }
  return root.innerHTML.replace(/\s*\n\s*\n\s*/g, '\n').trim();
}
