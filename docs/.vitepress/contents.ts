import { readFileSync } from 'node:fs';
import type { DefaultTheme } from 'vitepress';

const LINK = /\[([^\]]+)\]\(([^)]+)\.md\)/g;
const HEADING = /^- \*\*([^*]+)\*\*/;

/** Pages that are not in the repository: TypeDoc writes them. */
const MADE: Readonly<Record<string, DefaultTheme.SidebarItem>> = {
  Reference: { text: 'API', link: '/reference/api/' },
};

/** The links of each group of pages in the table of contents, `docs/README.md`, so that the site has no list of its own. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const lines = readFileSync(new URL('../README.md', import.meta.url), 'utf8').split('\n');
  return lines.flatMap(line => {
    const items = [...line.matchAll(LINK)].map(([, text = '', page = '']) => ({
      text: capitalized(text),
      link: `/${page}`,
    }));
    const text = HEADING.exec(line)?.[1] ?? 'More';
    const made = MADE[text];
    return items.length === 0 ? [] : [{ text, items: made === undefined ? items : [...items, made], collapsed: false }];
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
