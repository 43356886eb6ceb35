import type { Table } from './tables.ts';

/** Columns padded for a terminal: the first flush left, numbers flush right. */
export function toText({ title, head, rows }: Table): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map(row => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => pad(cell, { width: widths[column] ?? 0, left: column === 0 || title === 'Bars' }))
      .join('  ');
  return [`\n${title}`, line(head), widths.map(width => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

export function toMarkdown({ title, head, rows }: Table): string {
  const line = (row: readonly string[]) => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [`**${title}**`, '', line(head), line(rule), ...rows.map(line)].join('\n');
}

function pad(cell: string, { width, left }: { width: number; left: boolean }): string {
  return left ? cell.padEnd(width) : cell.padStart(width);
}
