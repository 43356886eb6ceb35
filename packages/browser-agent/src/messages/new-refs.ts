const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const REF = /@e\d+/g;

/** Marks the lines of elements that were not there before with `*`. Refs in page text, which is quoted, mark nothing. */
export function markNew(elements: string, newRefs: ReadonlySet<string>): string {
  if (newRefs.size === 0) return elements;
  return elements
    .split('\n')
    .map(line => {
      const [ref] = line.replace(QUOTED, '""').match(REF) ?? [];
      return ref !== undefined && newRefs.has(ref) ? line.replace(/^\s*/, indent => `${indent}*`) : line;
    })
    .join('\n');
}
