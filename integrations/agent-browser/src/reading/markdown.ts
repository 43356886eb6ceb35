import TurndownService from 'turndown';
import { addTableRules } from './markdown-table.js';

export interface MarkdownOptions {
  /** Keeps links and pictures as such; else only their text. */
  links: boolean;
}

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:)[-\s]?([\w+#.-]+)/;
const SECRET_NAME = /(<secret>[\w.-]+<\/secret>)/;
/** Where a heading, a list item or a quote begins. */
const LINE_START = /^((?:\s|#+ |[-*] |\d+\. |> )*)(.*)$/;

/** Markdown (GitHub's, with tables and struck text) of what is in an element. */
export function toMarkdown(root: Element, { links }: MarkdownOptions): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    hr: '---',
  });
  const escaped = service.escape;
  // Whoever reads the name of a secret writes it again.
  service.escape = text =>
    text
      .split(SECRET_NAME)
      .map((part, at) => (at % 2 === 1 ? part : escaped(part)))
      .join('');
  service.addRule('struck', {
    filter: ['del', 's', 'strike' as 's'],
    replacement: content => (content.trim() === '' ? '' : `~~${content.trim()}~~`),
  });
  service.addRule('checkbox', { filter: 'input', replacement: (_, node) => checkboxText(node as Element) });
  service.addRule('code', { filter: 'pre', replacement: (_, node) => codeBlock(node as Element) });
  service.addRule('link', {
    filter: node => node.nodeName === 'A',
    replacement: (content, node) => (links ? link(content, (node as Element).getAttribute('href')) : content),
  });
  service.addRule('picture', { filter: 'img', replacement: (_, node) => picture(node as Element, links) });
  service.addRule('item', { filter: 'li', replacement: (content, node) => listItem(content, node as Element) });
  service.addRule('term', { filter: 'dt', replacement: content => `\n\n**${content.trim()}**\n` });
  service.addRule('definition', { filter: 'dd', replacement: content => `\n${content.trim()}\n\n` });
  addTableRules(service);
  // The parser makes a text of its own of each entity, which would be taken for the beginning of a line.
  root.normalize();
  return service.turndown(root as HTMLElement).trim();
}

export function checkboxText(input: Element): string {
  return input.hasAttribute('checked') ? '[x]' : '[ ]';
}

function listItem(content: string, item: Element): string {
  const text = content.trim().replace(/\n{2,}(?=[-\d])/g, '\n');
  const list = item.parentElement;
  const before = list === null ? [] : [...list.children].filter(({ localName }) => localName === 'li');
  const first = Number(list?.getAttribute('start')) || 1;
  const mark = list?.localName === 'ol' ? `${first + before.indexOf(item)}. ` : '- ';
  return text === '' ? '' : `${mark}${text.replace(/\n/g, `\n${' '.repeat(mark.length)}`)}\n`;
}

/** Code as it stands, in a fence longer than any inside it. */
function codeBlock(pre: Element): string {
  for (const line of pre.querySelectorAll('br')) line.replaceWith('\n');
  const code = (pre.textContent ?? '').replace(/^\n|\s+$/g, '');
  if (code === '') return '';
  const classes = [pre, pre.querySelector('code'), pre.parentElement].map(
    element => element?.getAttribute('class') ?? '',
  );
  const language = classes.map(names => LANGUAGE.exec(names)?.[1]).find(Boolean) ?? '';
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

/** A link around several blocks, as of a card, becomes a link on the first line of them. */
function link(content: string, href: string | null): string {
  const text = content.trim();
  if (href === null || href === '' || text === '') return content;
  const target = `(${href.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')})`;
  const [first = '', ...rest] = text.split('\n');
  const [, start = '', words = ''] = LINE_START.exec(first) ?? [];
  // A link within a link reads as neither.
  if (words.includes('](')) return words.startsWith('![') && rest.length === 0 ? `[${words}]${target}` : content;
  const linked = [`${start}[${words}]${target}`, ...rest].join('\n');
  return rest.length > 0 ? `\n\n${linked}\n\n` : linked;
}

function picture(image: Element, links: boolean): string {
  const alt = (image.getAttribute('alt') ?? '').replace(/\s+/g, ' ').replace(/[[\]]/g, '\\$&').trim();
  const source = image.getAttribute('src');
  return !links || !source || alt === '' ? '' : `![${alt}](${source.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
