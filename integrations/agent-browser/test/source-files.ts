import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Import {
  specifier: string;
  /** Gone after compilation. */
  typeOnly: boolean;
}

export interface SourceFile {
  /** From the folder that was read, with `/`. */
  path: string;
  text: string;
  lines: string[];
  imports: Import[];
}

export interface LongFunction {
  at: string;
  lines: number;
}

/** All TypeScript files under a folder but generated ones. */
export function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !/[\\/](generated|dist|node_modules)[\\/]/.test(file))
    .map(file => {
      const text = readFileSync(file, 'utf8');
      const path = relative(folder, file).replaceAll('\\', '/');
      return { path, text, lines: text.trimEnd().split('\n'), imports: importsOf(text) };
    });
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)'/gm;
const DYNAMIC = /(typeof\s+)?\bimport\(\s*'([^']+)'/g;

function importsOf(text: string): Import[] {
  const statements = [...text.matchAll(STATEMENT)].map(([, type, names = '', specifier = '']) => ({
    specifier,
    typeOnly: type !== undefined || /^\{\s*(type\s+\w+[^,]*,?\s*)+\}$/.test(names),
  }));
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, type, specifier = '']) => ({
    specifier,
    typeOnly: type !== undefined,
  }));
  return [...statements, ...dynamic];
}

/** Opens the body of a function, method or arrow function, in code as the formatter leaves it. */
const OPENS = /^(\s*)(?!(?:if|for|while|switch|catch|else|do|try)\b).*(?:\)(?::[^=]*)?|=>) \{$/;

/**
 * Functions by their number of lines, found by indentation: the formatter puts the end of a body under its beginning.
 * A body inside another counts for both.
 */
export function functionsOf({ path, lines }: SourceFile): LongFunction[] {
  return lines.flatMap((line, start) => {
    const indent = OPENS.exec(line)?.[1];
    if (indent === undefined) return [];
    const length = lines.slice(start).findIndex((other, index) => index > 0 && other.startsWith(`${indent}}`));
    return [{ at: `${path}:${start + 1}`, lines: length + 1 }];
  });
}
