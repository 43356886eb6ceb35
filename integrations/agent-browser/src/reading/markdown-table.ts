import type TurndownService from 'turndown';
import { plainText } from './dom.js';

const CELLS = 'th,td';
/** A table of data has none of these in its cells. */
const LAYOUT = 'table,h1,h2,h3,h4,h5,h6,section,article,form,p ~ p';
/** A row of a table may have at most so many columns; wider spans are a mistake. */
const MOST_COLUMNS = 1000;

/** Tables of data become tables of GitHub's Markdown; those that only arrange a page, the blocks that they arrange. */
export function addTableRules(service: TurndownService): void {
  const kinds = new WeakMap<Element, boolean>();
  const isData = (node: Element): boolean => {
    const table = node.closest('table');
    if (table === null) return false;
    const known = kinds.get(table) ?? isDataTable(table);
    kinds.set(table, known);
    return known;
  };
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content, node) =>
      isData(node as Element) ? cellText(content, node as Element) : `\n\n${content}\n\n`,
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => (isData(node as Element) ? `|${content}\n` : `\n\n${content}\n\n`),
  });
  service.addRule('section', { filter: ['thead', 'tbody', 'tfoot'], replacement: content => content });
  service.addRule('caption', {
    filter: 'caption',
    replacement: (content, node) => (isData(node as Element) ? '' : `\n\n${content}\n\n`),
  });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, node) => {
      const table = node as Element;
      return isData(table) ? `\n\n${captionOf(table)}${withHeader(content, table)}\n\n` : `\n\n${content}\n\n`;
    },
  });
}

/** Whether a table holds data: rows of several cells, and nothing in them that stands for itself. */
export function isDataTable(table: Element): boolean {
  const role = table.getAttribute('role');
  if (role === 'presentation' || role === 'none' || table.querySelector(LAYOUT) !== null) return false;
  if (table.querySelector('th') !== null) return true;
  const rows = [...table.querySelectorAll('tr')];
  return rows.length > 1 && rows.some(row => row.querySelectorAll(CELLS).length > 1);
}

function cellText(content: string, cell: Element): string {
  const text = content
    .trim()
    // Only at the beginning of a line would it be a list or a heading.
    .replace(/^\\(?=[-+#>])/, '')
    .replace(/\\?\|/g, '\\|')
    .replace(/\s*\n\s*/g, '<br>');
  const span = Math.min(MOST_COLUMNS, Math.max(1, Number(cell.getAttribute('colspan')) || 1));
  return ` ${text} |${'  |'.repeat(span - 1)}`;
}

function captionOf(table: Element): string {
  const caption = table.querySelector('caption');
  return caption === null ? '' : `${plainText(caption)}\n\n`;
}

/** Markdown has no table without a header: the first row is one, unless it holds data like the others. */
function withHeader(content: string, table: Element): string {
  const rows = content.split('\n').filter(line => line.startsWith('|'));
  const widths = rows.map(row => row.match(/(?<!\\)\|/g)?.length ?? 1);
  const columns = Math.max(...widths, 2) - 1;
  const filled = rows.map((row, index) => row + '  |'.repeat(columns + 1 - (widths[index] ?? 0)));
  const first = [...(table.querySelector('tr')?.querySelectorAll(CELLS) ?? [])];
  const isHeader =
    table.querySelector('thead') !== null || (first.length > 0 && first.every(cell => cell.localName === 'th'));
  if (!isHeader) filled.unshift(`|${'  |'.repeat(columns)}`);
  return [filled[0], `|${' --- |'.repeat(columns)}`, ...filled.slice(1)].join('\n');
}
