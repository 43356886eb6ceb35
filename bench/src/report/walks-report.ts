import { filesOfWalk, type WalkName, type Walks, walkNames } from '../walks/walks.ts';
import type { Table } from './table.ts';

const titles: Record<WalkName, string> = {
  click: 'a plain click with its diff',
  snapshot: 'a snapshot',
  viewersMouse: "a viewer's click",
};

export function walkTables(walks: Walks | undefined): Table[] {
  if (walks === undefined) return [];
  const rows = walkNames.map(name => {
    const files = walks[name];
    return [titles[name], ...[files.node, files.page, filesOfWalk(files)].map(({ length }) => String(length))];
  });
  return [{ title: 'Source files that run on the way', head: ['', 'in Node', 'in the page', 'together'], rows }];
}
