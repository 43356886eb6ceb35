/** Endings of what browsers save rather than show. */
const FILE = /\.(?:zip|gz|tgz|bz2|xz|7z|rar|csv|tsv|xlsx?|docx?|pptx?|od[tsp]|exe|msi|dmg|pkg|deb|rpm|apk|iso|epub)$/i;

/** Whether a url looks like that of a file, which a browser saves. */
export function isFileUrl(url: string): boolean {
  return FILE.test(url.split(/[?#]/)[0] ?? '');
}
