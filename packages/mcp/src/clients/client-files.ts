import { basename } from 'node:path';
import { z } from 'zod/v4';
import type { ToolResult } from '../toolset/call-tool.js';

/** A file that a tool made, as a resource. */
export interface ClientFile {
  uri: string;
  name: string;
  path: string;
  mimeType?: string;
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
    const name = fileName ?? basename(path);
    const uri = fileUri(kind, ++this.made, encodeURIComponent(name));
    const added = { uri, name, path, ...(mimeType !== undefined && { mimeType }) };
    this.#files.set(uri, added);
    if (this.#files.size > MOST_FILES) this.#files.delete([...this.#files.keys()][0] ?? '');
    return [added];
  }
}
