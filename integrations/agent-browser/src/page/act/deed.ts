import { getAttribute, hasAttribute } from '../dom.js';
import { isFileUrl } from './file-endings.js';

/** The browser's own action when an element is pressed. */
export function deedOf(element: Element): 'submit' | 'download' | undefined {
  if (element instanceof HTMLButtonElement)
    return element.type === 'submit' && element.form !== null ? 'submit' : undefined;
  if (element instanceof HTMLInputElement) return /^(?:submit|image)$/.test(element.type) ? 'submit' : undefined;
  if (!(element instanceof HTMLAnchorElement)) return undefined;
  return hasAttribute(element, 'download') || isFileUrl(getAttribute(element, 'href') ?? '') ? 'download' : undefined;
}
