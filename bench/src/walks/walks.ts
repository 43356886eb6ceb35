/** The ways through the code that docs/architecture.md describes. */
export const walkNames = ['click', 'snapshot', 'viewersMouse'] as const;
export type WalkName = (typeof walkNames)[number];

/** Files of which a function was called on the way, in Node and in the page, as docs/architecture.md names them. */
export interface WalkFiles {
  node: string[];
  page: string[];
}

export type Walks = Record<WalkName, WalkFiles>;

/** All files of a way; one that ran in Node and in the page is one. */
export function filesOfWalk({ node, page }: WalkFiles): string[] {
  return [...new Set([...node, ...page])].sort();
}
