import { basename, extname } from 'node:path';
import { betweenBoundaries } from '@browser-toolset/core/boundaries';
import type { Resource } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import type { ToolResult } from '../toolset/call-tool.js';

/** A file that a tool made, as a resource. */
export interface ClientFile {
  uri: string;
  /** In the server's words. */
  name: string;
  path: string;
  mimeType?: string;
  /** What the page calls it. */
  pageName?: string;
}

/** The kinds of files that a web server is believed about. */
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/pdf',
  'application/xml',
  'application/zip',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'text/calendar',
  'text/csv',
  'text/html',
  'text/plain',
  'text/xml',
]);

/** A file as clients are told of it, in lists and results. */
export function asResource({ uri, name, mimeType, pageName }: ClientFile): Resource {
  return {
    uri,
    name,
    ...(pageName !== undefined && { description: `Its name: ${betweenBoundaries(pageName)}` }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

/** Files that are remembered of one client; beyond that the oldest is no resource any more. */
const MOST_FILES = 200;

const file = z.object({
  path: z.string().optional(),
  fileName: z.string().optional(),
  mimeType: z.string().optional(),
});
const made = z.object({
  path: z.string().optional(),
  mimeType: z.string().optional(),
  pdf: file.optional(),
  download: file.optional(),
  downloads: z.array(file).optional(),
});

export const FILE_KINDS = ['screenshots', 'pdf', 'downloads'] as const;
type FileKind = (typeof FILE_KINDS)[number];

/** Pages choose names, and uris stand between no lines. */
const OWN_NAMES: Readonly<Record<FileKind, string>> = { screenshots: 'screenshot', pdf: 'page', downloads: 'download' };

export function fileUri(kind: FileKind, number: number | string, name: string): string {
  return `browser://${kind}/${number}/${name}`;
}

/** The files of one client by uri: screenshots, PDFs and downloads that its results named. */
export class ClientFiles {
  readonly #files = new Map<string, ClientFile>();
  /** How many there have been. */
  made = 0;

  /** Notes the files that a result names. Returns those that are new. */
  note(result: ToolResult): ClientFile[] {
    const { data } = made.safeParse(result);
    if (data === undefined) return [];
    const { path, mimeType, pdf, download, downloads = download === undefined ? [] : [download] } = data;
    const isPdf = path?.endsWith('.pdf') === true || mimeType === 'application/pdf';
    return [
      ...this.#add(isPdf ? 'pdf' : 'screenshots', { path, mimeType }),
      ...this.#add('pdf', { ...pdf, mimeType: 'application/pdf' }),
      ...downloads.flatMap(each => this.#add('downloads', each)),
    ];
  }

  find(uri: string): ClientFile | undefined {
    return this.#files.get(uri);
  }

  all(): ClientFile[] {
    return [...this.#files.values()];
  }

  #add(kind: FileKind, { path, fileName, mimeType }: z.infer<typeof file>): ClientFile[] {
    if (path === undefined || this.all().some(known => known.path === path)) return [];
    const name = `${OWN_NAMES[kind]}${shortEnding(path)}`;
    const added = {
      uri: fileUri(kind, ++this.made, name),
      name,
      path,
      ...(mimeType !== undefined && KNOWN_TYPES.has(mimeType) && { mimeType }),
      // Pages have a say in the names of all but pictures.
      ...(kind !== 'screenshots' && { pageName: fileName ?? basename(path) }),
    };
    this.#files.set(added.uri, added);
    if (this.#files.size > MOST_FILES) this.#files.delete([...this.#files.keys()][0] ?? '');
    return [added];
  }
}

/** The ending of a name, as far as it says nothing but the kind of a file. */
function shortEnding(path: string): string {
  return /^\.[a-z0-9]{1,5}$/i.exec(extname(path))?.[0] ?? '';
}
