import { getOrInsert } from '#page-engine/dom/get-or-insert.js';
import { singleSpaced } from '#page-engine/text/line-breaks.js';
import { isOneNumber, isRaisedOver, STRUCK } from '#page-engine/text/text-marks.js';
import { parseHTML } from '#vendored/linkedom';
import TurndownService from '#vendored/turndown';

/** Parses markup into a document that runs no scripts and loads no resources. */
export function parseDocument(html: string, title = ''): Document {
  const { document } = parseHTML(`<!doctype html><html><head><title></title></head><body>${html}</body></html>`);
  document.title = title;
  return document;
}

/** An element and its descendants, in document order. */
export function withDescendants(root: Element): Element[] {
  return [root, ...root.querySelectorAll('*')];
}

/** The text of a node with white space collapsed, as a page shows it. */
export function collapsedText(node: Node): string {
  return singleSpaced(node.textContent ?? '');
}

/** The share of an element's text that is in links, from 0 to 1. */
export function linkShare(element: Element): number {
  const links = element.localName === 'a' ? [element] : [...element.getElementsByTagName('a')];
  const linked = links.reduce((sum, link) => sum + collapsedText(link).length, 0);
  return linked / Math.max(1, collapsedText(element).length);
}

const CELL_SELECTOR = 'th,td';
/** Content that only layout tables have in their cells. */
const LAYOUT = 'table,h1,h2,h3,h4,h5,h6,section,article,form,p ~ p';
/** Larger `colspan` values are a mistake of the page. */
const MOST_COLUMNS = 1000;

/**
 * Turndown rules for tables: data tables become GitHub Flavored Markdown tables, and layout tables become the blocks
 * that they arrange.
 */
function addTableRules(service: TurndownService): void {
  const kinds = new WeakMap<Element, boolean>();
  const isData = (node: Element): boolean => {
    const table = node.closest('table');
    if (table === null) return false;
    return getOrInsert(kinds, table, isDataTable);
  };
  const add = (part: string, inData: (content: string, part: Element) => string): void => {
    service.addRule(part, {
      filter: node => node.localName === part,
      replacement: (content, node) =>
        isData(node as Element) ? inData(content, node as Element) : `\n\n${content}\n\n`,
    });
  };
  add('th', cellText);
  add('td', cellText);
  add('tr', content => `|${content}\n`);
  service.addRule('section', { filter: ['thead', 'tbody', 'tfoot'], replacement: content => content });
  add('caption', () => '');
  add('table', (content, table) => `\n\n${captionOf(table)}${withHeader(content, table)}\n\n`);
}

/** Whether a table contains data: rows of several cells, without blocks that make it a layout table. */
export function isDataTable(table: Element): boolean {
  const role = table.getAttribute('role');
  if (role === 'presentation' || role === 'none' || table.querySelector(LAYOUT) !== null) return false;
  if (table.querySelector('th') !== null) return true;
  const rows = [...table.querySelectorAll('tr')];
  return rows.length > 1 && rows.some(row => row.querySelectorAll(CELL_SELECTOR).length > 1);
}

function cellText(content: string, cell: Element): string {
  const text = content
    .trim()
    // These characters need escaping only at the beginning of a line.
    .replace(/^\\(?=[-+#>])/, '')
    .replace(/\\?\|/g, '\\|')
    .replace(/\s*\n\s*/g, '<br>');
  const span = Math.min(MOST_COLUMNS, Math.max(1, Number(cell.getAttribute('colspan')) || 1));
  return ` ${text} |${'  |'.repeat(span - 1)}`;
}

function captionOf(table: Element): string {
  const caption = table.querySelector('caption');
  return caption === null ? '' : `${collapsedText(caption)}\n\n`;
}

/**
 * Completes the rows of a table. Markdown requires a header row: the first row becomes the header, unless it contains
 * data like the others.
 */
function withHeader(content: string, table: Element): string {
  const rows = content.split('\n').filter(line => line.startsWith('|'));
  const widths = rows.map(row => row.match(/(?<!\\)\|/g)?.length ?? 1);
  const columns = Math.max(...widths, 2) - 1;
  const filled = rows.map((row, index) => row + '  |'.repeat(columns + 1 - (widths[index] ?? 0)));
  const first = [...(table.querySelector('tr')?.querySelectorAll(CELL_SELECTOR) ?? [])];
  const isHeader =
    table.querySelector('thead') !== null || (first.length > 0 && first.every(cell => cell.localName === 'th'));
  if (!isHeader) filled.unshift(`|${'  |'.repeat(columns)}`);
  return [filled[0], `|${' --- |'.repeat(columns)}`, ...filled.slice(1)].join('\n');
}

interface MarkdownOptions {
  /** Keeps links and images; otherwise links become their text. */
  links: boolean;
}

const CODE_LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:)[-\s]?([\w+#.-]+)/;
const SECRET_NAME = /(<secret>[\w.-]+<\/secret>)/;
/** The Markdown prefix of a heading, list item or quote. */
const LINE_START = /^((?:\s|#+ |[-*] |\d+\. |> )*)(.*)$/;

/** Converts the content of an element to GitHub Flavored Markdown. */
export function toMarkdown(root: Element, { links }: MarkdownOptions): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    hr: '---',
  });
  const escaped = service.escape;
  // Names of secrets are not escaped, because the model copies them into its input.
  service.escape = text =>
    text
      .split(SECRET_NAME)
      .map((part, at) => (at % 2 === 1 ? part : escaped(part)))
      .join('');
  service.addRule('struck', {
    filter: ['del', 's', 'strike' as 's'],
    replacement: content => (content.trim() === '' ? '' : `${STRUCK}${content.trim()}${STRUCK}`),
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
  // The parser creates a text node for each entity, and Turndown would take it for the beginning of a line.
  root.normalize();
  markRaised(root);
  return asOneStroke(service.turndown(root as HTMLElement).trim());
}

/** Marks raised texts that would otherwise read as part of the text before them, such as the cents of `$19^99`. */
function markRaised(root: Element): void {
  let before = { text: '', script: '' };
  const visit = (node: Node, script: string): void => {
    if (node.nodeType === 3) {
      const text = node.textContent ?? '';
      const isRaised = script === 'sup' && isRaisedOver(before.text, text);
      const isApart = script !== before.script && isOneNumber(before.text, text);
      if (isRaised || isApart) node.textContent = `${isRaised ? '^' : ' '}${text}`;
      before = { text, script };
    }
    const { localName = '' } = node as Partial<Element>;
    if (BLOCK_TAG_PATTERN.test(localName)) before = { text: '', script: '' };
    for (const child of [...node.childNodes]) visit(child, /^su[bp]$/.test(localName) ? localName : script);
  };
  visit(root, '');
}

/** Deleted texts right after one another are one. */
function asOneStroke(text: string): string {
  return text.replace(/~~(\s?)~~/g, '$1');
}

function checkboxText(input: Element): string {
  return input.hasAttribute('checked') ? '[x]' : '[ ]';
}

function listItem(content: string, item: Element): string {
  const text = content.trim().replace(/\n{2,}(?=[-\d])/g, '\n');
  const mark = bullet(item);
  return text === '' ? '' : `${mark}${text.replace(/\n/g, `\n${' '.repeat(mark.length)}`)}\n`;
}

/** A code block, in a fence longer than any fence inside it. */
function codeBlock(pre: Element): string {
  for (const line of pre.querySelectorAll('br')) line.replaceWith('\n');
  const code = (pre.textContent ?? '').replace(/^\n|\s+$/g, '');
  if (code === '') return '';
  const classes = [pre, pre.querySelector('code'), pre.parentElement].map(
    element => element?.getAttribute('class') ?? '',
  );
  const language = classes.map(names => CODE_LANGUAGE.exec(names)?.[1]).find(Boolean) ?? '';
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

/** A link. One around several blocks, such as a card, becomes a link on the first line of them. */
function link(content: string, href: string | null): string {
  const text = content.trim();
  if (href === null || href === '' || text === '') return content;
  const target = `(${href.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll(' ', '%20')})`;
  const [first = '', ...rest] = text.split('\n');
  const [, start = '', words = ''] = LINE_START.exec(first) ?? [];
  // Markdown cannot nest links.
  if (words.includes('](')) return words.startsWith('![') && rest.length === 0 ? `[${words}]${target}` : content;
  const linked = [`${start}[${words}]${target}`, ...rest].join('\n');
  return rest.length > 0 ? `\n\n${linked}\n\n` : linked;
}

function picture(image: Element, links: boolean): string {
  const alt = (image.getAttribute('alt') ?? '').replace(/\s+/g, ' ').replace(/[[\]]/g, '\\$&').trim();
  const source = image.getAttribute('src');
  return !links || !source || alt === '' ? '' : `![${alt}](${source.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

const BLOCK_TAG_PATTERN =
  /^(?:address|article|aside|blockquote|caption|details|dialog|div|dl|dd|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|legend|main|menu|nav|ol|p|pre|section|summary|table|tr|ul|body)$/;
const STRUCK_TAG_PATTERN = /^(?:del|s|strike)$/;
const SPACED = /^(?:p|h[1-6]|blockquote|pre|table|ul|ol|dl|figure)$/;

/** The text of an element, with one line for each block. */
export function toPlainText(root: Element): string {
  const out: string[] = [];
  markRaised(root);
  writePlainText(root, out, false);
  return asOneStroke(out.join(''))
    .replace(/[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function writePlainText(element: Element, out: string[], isCode: boolean): void {
  const { localName: tag } = element;
  const code = isCode || tag === 'pre';
  const isStruck = STRUCK_TAG_PATTERN.test(tag);
  const edge = SPACED.test(tag) ? '\n\n' : BLOCK_TAG_PATTERN.test(tag) ? '\n' : '';
  const end = (): void => {
    if (edge !== '' && out.length > 0 && !out.at(-1)?.endsWith(edge)) out.push(edge);
  };
  end();
  if (tag === 'br') out.push('\n');
  else if (tag === 'input') out.push(checkboxText(element));
  else if (tag === 'li') out.push(bullet(element));
  if (isStruck) out.push(STRUCK);
  for (const child of element.childNodes) {
    if (child.nodeType === 1) writePlainText(child as Element, out, code);
    else if (child.nodeType === 3) pushText(out, child.textContent ?? '', code);
  }
  if (isStruck) out.push(STRUCK);
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
