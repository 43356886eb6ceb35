/** The mode of a file, and of a folder, that nobody but its owner may read. */
export const OWNER_ONLY = 0o600;
export const OWNER_ONLY_FOLDER = 0o700;

/** Bytes that the name of a file or folder may have on the usual file systems, in UTF-8. */
export const NAME_BYTES = 255;

const encoder = new TextEncoder();
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many bytes a name has in UTF-8. */
export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** As much of the beginning of a text as so many bytes hold in UTF-8, of whole characters as a person counts them. */
export function withinBytes(text: string, most: number): string {
  if (bytesOf(text) <= most) return text;
  let kept = '';
  let left = most;
  for (const { segment } of characters.segment(text)) {
    left -= bytesOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return kept;
}

/** What the errors of a file system mean, for those who know neither its codes nor its paths. */
const TROUBLES: Readonly<Record<string, string>> = {
  EACCES: 'access to the file or its folder is not allowed',
  EBUSY: 'the file is in use',
  EDQUOT: 'the disk space that is allowed is used up',
  EEXIST: 'something else of that name is there already',
  EFBIG: 'the file is larger than files may be here',
  EIO: 'the disk has a fault',
  EISDIR: 'a folder is where the file should be',
  ELOOP: 'the links to the file lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name of the file or of its folders is too long',
  ENFILE: 'too many files are open',
  ENOENT: 'the file or its folder is not there',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file is where its folder should be',
  EPERM: 'access to the file or its folder is not allowed',
  EROFS: 'the disk can only be read',
};

/** How Node words the errors of files, also where another process has passed on the words alone. */
const FILE_ERROR = /(?:^|: )(E[A-Z0-9]+): ([^,\n]+), [a-z_]+(?: '.*)?$/s;

/** The error of a file in plain words with its code, without any path; undefined for every other error. */
export function fileTrouble(error: unknown): string | undefined {
  const [, code, words] = FILE_ERROR.exec(error instanceof Error ? error.message : String(error)) ?? [];
  return code === undefined ? undefined : `${TROUBLES[code] ?? words} (${code})`;
}

/** What an error says, without the paths of this machine. */
export function plainError(error: unknown): string {
  return fileTrouble(error) ?? (error instanceof Error ? error.message : String(error));
}
