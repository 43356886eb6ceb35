import { UsageError } from '@browser-toolset/playground/dist/demo/usage-error.js';

export interface SuiteEntry {
  value: unknown;
  /** Where it begins in the file, from 1. */
  line: number;
}

/**
 * The entries of a file that is a JSON list, an object with a list `tasks`, or JSON Lines.
 *
 * @throws {UsageError} with the line that is no JSON.
 */
export function entriesOf(content: string, file: string): SuiteEntry[] {
  const text = content.replace(/^\ufeff/, '');
  // Who writes a list, or an object over several lines, means one JSON document.
  return /^\s*(?:\[|\{\s*(?:\n|"tasks"\s*:))/.test(text) ? ofDocument(text, file) : ofLines(text, file);
}

function ofLines(text: string, file: string): SuiteEntry[] {
  return text.split('\n').flatMap((source, index) => {
    if (source.trim() === '') return [];
    const line = index + 1;
    try {
      return [{ value: JSON.parse(source) as unknown, line }];
    } catch (error) {
      throw new UsageError(`${file}, line ${line}: this is no JSON: ${wordsOf(error)}.`);
    }
  });
}

function ofDocument(text: string, file: string): SuiteEntry[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const at = Number(/position (\d+)/.exec(wordsOf(error))?.[1] ?? text.length);
    throw new UsageError(`${file}, line ${lineAt(text, at)}: this is no JSON: ${wordsOf(error)}.`);
  }
  const list = Array.isArray(document) ? document : (document as { tasks?: unknown }).tasks;
  if (!Array.isArray(list))
    throw new UsageError(`${file}: expected a list of tasks, or an object with a list "tasks".`);
  const starts = elementStarts(text, Array.isArray(document) ? 1 : 2);
  return list.map((value: unknown, i) => ({ value, line: lineAt(text, starts[i] ?? 0) }));
}

/** Where the objects begin that are nested so deep. The text is known to be JSON. */
function elementStarts(text: string, depth: number): number[] {
  const starts: number[] = [];
  let open = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === '{' || token === '[') {
      if (token === '{' && open === depth) starts.push(index);
      open++;
    } else if (token === '}' || token === ']') open--;
  }
  return starts;
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
