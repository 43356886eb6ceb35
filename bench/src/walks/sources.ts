import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../../', import.meta.url));
const toolsetSource = 'integrations/agent-browser/src/';
/** Where the files are that count. */
const counted = [
  toolsetSource,
  'packages/server/src/',
  ...['egress', 'live', 'page-engine'].map(name => `packages/${name}/src/`),
];

/** A function of a script, by the characters where it begins and ends. */
export interface Range {
  start: number;
  end: number;
}

/** Tells which source file a function of generated code was written in. */
export class Sources {
  readonly #code: string;
  readonly #map: SourceMap;
  readonly #lineStarts: number[] = [0];

  constructor(code: string, map: SourceMapPayload) {
    this.#code = code;
    this.#map = new SourceMap(map);
    for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) this.#lineStarts.push(at + 1);
  }

  /** Of a built file; undefined for one that was not made from another. */
  static ofFile(path: string): Sources | undefined {
    const code = readFileSync(path, 'utf8');
    const [, name] = /^\/\/# sourceMappingURL=(\S+\.map)\s*$/m.exec(code) ?? [];
    if (name === undefined) return undefined;
    const file = resolve(dirname(path), name);
    const map = JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload;
    const sources = map.sources.map(source => resolve(dirname(file), source));
    return new Sources(code, { ...map, sources });
  }

  /** The file of a function. Undefined for what is no function of a file: the body of a module, and what a bundler adds. */
  fileOf({ start, end }: Range): string | undefined {
    const isWhole = start <= 0 && end >= this.#code.length;
    // What begins before the first mapped character holds all modules of a bundle.
    if (isWhole || !('originalSource' in this.#entryAt(start))) return undefined;
    // All that a function holds is of one file: the last thing in it tells which.
    const last = this.#entryAt(end - 1);
    if (!('originalSource' in last)) return undefined;
    const position = (this.#lineStarts[last.generatedLine] ?? 0) + last.generatedColumn;
    return position < start ? undefined : last.originalSource;
  }

  #entryAt(offset: number) {
    let line = this.#lineStarts.findLastIndex(start => start <= offset);
    if (line < 0) line = 0;
    return this.#map.findEntry(line, offset - (this.#lineStarts[line] ?? 0));
  }
}

/**
 * A file that counts, as docs/architecture.md names it: those of the toolset from its `src` on, those of packages that it
 * takes in from the name of the package on, others from the root of the repository on. Undefined for other files.
 */
export function nameOf(path: string): string | undefined {
  const name = relative(repository, path).split(sep).join('/');
  if (!counted.some(folder => name.startsWith(folder))) return undefined;
  return name.replace(toolsetSource, '').replace(/^packages\/(egress|live|page-engine)\/src\//, '$1/');
}
