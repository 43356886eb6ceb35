import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Saved pages of real sites, from the npm package `htmlparser-benchmark` (MIT), by the first digits of the file's name.
 * The package keeps the documents without their external style sheets, scripts and pictures: the structure, text and links are
 * the site's own, the layout is the browser's default. Scripts are blocked by the server's Content-Security-Policy.
 */
export const savedPages: Readonly<Record<string, string>> = {
  'saved-nytimes': '4776d064',
  'saved-cnn': 'dd1dcc6c',
  'saved-nature': '412e277a',
  'saved-bbc': 'e403c2aa',
  'saved-computerworld': '61d8052b',
  'saved-abc': '25560409',
  'saved-latimes': '40d4e504',
  'saved-guardian': 'bf6c2f1c',
  'saved-reuters': '4bf8e536',
  'saved-startribune': 'ea80cfab',
  'saved-wired': '40957335',
  'saved-wsj': '60b8aff1',
  'saved-cbs-sports': 'cad33749',
  'saved-timesofindia': '908eb47d',
  'saved-bloomberg': 'c34f3cea',
  'saved-2ality-blog': 'a9c82dad',
  'saved-washingtonpost': '2082eb01',
  'saved-dailymail': '488a0b7f',
};

const filesByPrefix: ReadonlyMap<string, string> = indexFiles();

export function savedPage(name: string): Buffer {
  const prefix = savedPages[name];
  if (prefix === undefined) throw new Error(`no saved page is named ${name}`);
  return savedFile(prefix);
}

/** A page by the first digits of its file's name. */
export function savedFile(prefix: string): Buffer {
  const path = filesByPrefix.get(prefix);
  if (path === undefined) throw new Error(`no file begins with ${prefix}`);
  // Bytes, not characters: the pages declare encodings of their own.
  return Buffer.from(withoutLoads(readFileSync(path, 'latin1')), 'latin1');
}

/** Frames whose documents were not saved stay empty, and no page reloads itself while it is measured. */
function withoutLoads(html: string): string {
  return html
    .replaceAll(/<i?frame\b[^>]*>/gi, frame => frame.replaceAll(/\ssrc\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi, ''))
    .replaceAll(/<meta\b[^>]*http-equiv\s*=\s*["']?refresh[^>]*>/gi, '');
}

function indexFiles(): Map<string, string> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('htmlparser-benchmark/package.json')), 'files');
  return new Map(readdirSync(folder).map(file => [file.slice(0, 8), join(folder, file)]));
}
