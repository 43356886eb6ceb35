import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

interface Import {
  specifier: string;
  /** Gone after compilation. */
  typeOnly: boolean;
}

export interface SourceFile {
  /** From the folder that was read, with `/`. */
  path: string;
  text: string;
  imports: Import[];
}

/** All files of code under a folder but generated ones. */
export function sourceFiles(folder: string): SourceFile[] {
  return codeUnder(folder).map(file => {
    const text = readFileSync(file, 'utf8');
    const path = relative(folder, file).replaceAll('\\', '/');
    return { path, text, imports: importsOf(text) };
  });
}

function codeUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['generated', 'dist', 'node_modules'].includes(entry.name) ? [] : codeUnder(path);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
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

/** Files that import each other around a circle, types included; each circle in order of paths. */
export function importCircles(files: readonly SourceFile[]): string[][] {
  const paths = new Set(files.map(({ path }) => path));
  const targets = new Map(files.map(file => [file.path, importedFiles(file, paths)]));
  const reachableFrom = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(targets.get(start) ?? [])];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      open.push(...(targets.get(path) ?? []));
    }
    return seen;
  };
  const reachable = new Map([...paths].map(path => [path, reachableFrom(path)]));
  const circleOf = (path: string): string =>
    [...(reachable.get(path) ?? [])]
      .filter(other => reachable.get(other)?.has(path))
      .sort()
      .join(' ');
  return [...new Set([...paths].map(circleOf))].filter(circle => circle !== '').map(circle => circle.split(' '));
}

function importedFiles({ path, imports }: SourceFile, paths: ReadonlySet<string>): string[] {
  return imports.flatMap(({ specifier }) => {
    if (!specifier.startsWith('.')) return [];
    const target = posix.join(posix.dirname(path), specifier);
    const compiled = target.replace(/\.js$/, '');
    return [target, `${compiled}.ts`, `${compiled}.tsx`].filter(file => paths.has(file));
  });
}
