import { readFileSync } from 'node:fs';
import { filesOfWalk, type WalkName, type Walks, walkNames } from './walks.ts';

const architecture = new URL('../../../docs/architecture.md', import.meta.url);
/** The sections that describe the ways. */
const headings: Record<WalkName, string> = {
  click: 'A click',
  snapshot: 'A snapshot',
  viewersMouse: "A viewer's mouse",
};

/** How a section differs from what ran. */
export interface Deviation {
  section: string;
  /** Files that ran and are not named. */
  missing: string[];
  /** Files that are named and did not run. */
  tooMuch: string[];
}

/**
 * Compares what ran with the files that docs/architecture.md names: each path of a `.ts` file in backticks in the section of
 * the way, from `integrations/agent-browser/src` or from the root of the repository on.
 */
export function deviations(walks: Walks, text = readFileSync(architecture, 'utf8')): Deviation[] {
  return walkNames.map(name => {
    const section = headings[name];
    const described = filesNamedIn(sectionOf(text, section));
    const ran = filesOfWalk(walks[name]);
    return {
      section,
      missing: ran.filter(file => !described.includes(file)),
      tooMuch: described.filter(file => !ran.includes(file)),
    };
  });
}

/** The deviations for a person who writes the document; the missing files in lines to paste, by folder. */
export function toLines(all: readonly Deviation[]): string {
  return all
    .flatMap(({ section, missing, tooMuch }) => [
      `docs/architecture.md, "${section}": ${missing.length} to name, ${tooMuch.length} to take away`,
      ...byFolder(missing).map(line => `  + ${line}`),
      ...tooMuch.map(file => `  - \`${file}\``),
    ])
    .join('\n');
}

function byFolder(files: readonly string[]): string[] {
  const folders = Map.groupBy(files, file => file.slice(0, file.lastIndexOf('/') + 1));
  return [...folders.values()].map(some => some.map(file => `\`${file}\``).join(', '));
}

function sectionOf(text: string, heading: string): string {
  const [, section] = text.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`docs/architecture.md has no section "${heading}".`);
  return section.split(/\n#+ /)[0] ?? '';
}

function filesNamedIn(section: string): string[] {
  return [...new Set(Array.from(section.matchAll(/`([^`\s]+\.ts)`/g), ([, path = '']) => path))].sort();
}
