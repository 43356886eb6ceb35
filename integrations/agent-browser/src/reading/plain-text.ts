import { checkboxText } from './markdown.js';

const BLOCKS =
  /^(?:address|article|aside|blockquote|caption|details|dialog|div|dl|dd|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|legend|main|menu|nav|ol|p|pre|section|summary|table|tr|ul|body)$/;
const SPACED = /^(?:p|h[1-6]|blockquote|pre|table|ul|ol|dl|figure)$/;

/** The text of an element, a line a block. */
export function toPlainText(root: Element): string {
  const out: string[] = [];
  write(root, out, false);
  return out
    .join('')
    .replace(/[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function write(element: Element, out: string[], isCode: boolean): void {
  const { localName: tag } = element;
  const code = isCode || tag === 'pre';
  const edge = SPACED.test(tag) ? '\n\n' : BLOCKS.test(tag) ? '\n' : '';
  const end = (): void => {
    if (edge !== '' && out.length > 0 && !out.at(-1)?.endsWith(edge)) out.push(edge);
  };
  end();
  if (tag === 'br') out.push('\n');
  else if (tag === 'input') out.push(checkboxText(element));
  else if (tag === 'li') out.push(bullet(element));
  for (const child of element.childNodes) {
    if (child.nodeType === 1) write(child as Element, out, code);
    else if (child.nodeType === 3) pushText(out, child.textContent ?? '', code);
  }
  if ((tag === 'td' || tag === 'th') && element.nextElementSibling !== null) out.push('\t');
  end();
}

function pushText(out: string[], text: string, isCode: boolean): void {
  if (isCode) out.push(text);
  else {
    const collapsed = text.replace(/\s+/g, ' ');
    const isAtStart = out.length === 0 || /\s$/.test(out.at(-1) ?? '');
    out.push(isAtStart ? collapsed.trimStart() : collapsed);
  }
}

function bullet(item: Element): string {
  if (item.parentElement?.localName !== 'ol') return '- ';
  const items = [...item.parentElement.children].filter(child => child.localName === 'li');
  const start = Number(item.parentElement.getAttribute('start')) || 1;
  return `${start + items.indexOf(item)}. `;
}
