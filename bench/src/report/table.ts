export interface Table {
  title: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** One promise of the project, and what this run says of it. */
export interface Bar {
  what: string;
  bar: string;
  measured: string;
  pass: boolean | undefined;
}

/** What a table says where nothing was measured. */
export const missing = '-';

/** @param words How the last column says whether a bar was reached. */
export function barTable(
  bars: readonly Bar[],
  words = { head: '', pass: 'pass', fail: 'FAIL', unknown: missing },
): Table {
  const verdict = (pass: boolean | undefined) => (pass === undefined ? words.unknown : pass ? words.pass : words.fail);
  return {
    title: 'Bars',
    head: ['what', 'bar', 'measured', words.head],
    rows: bars.map(({ what, bar, measured, pass }) => [what, bar, measured, verdict(pass)]),
  };
}

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
