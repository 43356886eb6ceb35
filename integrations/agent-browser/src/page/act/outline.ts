import { getAttribute, localName } from '../dom.js';
import { identityOf } from '../walk/identity.js';

const NAME_LIMIT = 60;
const WORD_LIMIT = 40;

/** One line that tells a person which element is meant; what the page wrote is quoted and cut. */
export function outline(element: Element): string {
  const { role, name } = identityOf(element);
  const id = wordOf(getAttribute(element, 'id'));
  const names = (getAttribute(element, 'class') ?? '').trim().split(/\s+/, 2).map(wordOf).filter(Boolean).join('.');
  const tag = `<${wordOf(localName(element))}${id ? `#${id}` : names ? `.${names}` : ''}>`;
  return name === ''
    ? tag
    : `${tag} ${role === 'clickable' ? '' : `${role} `}${JSON.stringify(name.slice(0, NAME_LIMIT))}`;
}

/** Ids and classes are words for styles; whatever else they hold was meant for the reader. */
function wordOf(text: string | null): string {
  const word = text?.trim() ?? '';
  return /^[\w:/[\]-]+$/.test(word) ? word.slice(0, WORD_LIMIT) : '';
}
