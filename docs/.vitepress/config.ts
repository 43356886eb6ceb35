import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type MarkdownOptions, type UserConfig } from 'vitepress';
import llms from 'vitepress-plugin-llms';
import manifest from '../../package.json' with { type: 'json' };
import { anchorOf } from '../../scripts/docs/links.mjs';
import { siteOf, webAddressOf } from '../../scripts/packaging/addresses.mjs';
import { sidebar } from './contents.js';

const docs = fileURLToPath(new URL('..', import.meta.url));
const repository = webAddressOf(manifest.repository.url);
const { origin, base } = siteOf(manifest.repository.url);
const icon = readFileSync(new URL('../../packages/playground/web/public/icon.svg', import.meta.url), 'utf8');
const description =
  'A browser for Mastra agents: refs that never hit the wrong element, results that say what changed, a live view to take over.';

type VitePlugin = NonNullable<NonNullable<UserConfig['vite']>['plugins']>[number];
/** `llms.txt`, `llms-full.txt` and the Markdown of each page. Its types are those of another version of Vite than VitePress has. */
const textsForModels = llms({
  description,
  domain: origin,
  ignoreFiles: ['reference/api/**'],
}) as unknown as VitePlugin;

export default defineConfig({
  title: 'BrowserToolset',
  description,
  base,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  outDir: 'dist',
  cacheDir: '.cache',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: true,
  markdown: { anchor: { slugify: anchorOf }, config: linkRepository },
  vite: {
    plugins: [textsForModels],
    // The index of the search is one chunk, loaded when somebody searches.
    build: { chunkSizeWarningLimit: 3_000 },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/getting-started/install' },
      { text: 'Tools', link: '/reference/tools' },
      { text: 'API', link: '/reference/api/' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/docs/:path` },
  },
});

/** What a page links to outside of `docs` stands in the repository. */
function linkRepository(markdown: Parameters<NonNullable<MarkdownOptions['config']>>[0]): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href === null || !href.startsWith('../')) continue;
      const target = relative(docs, join(dirname(env.path), href));
      if (target.startsWith('../')) token.attrSet('href', `${repository}/blob/main/${target.slice('../'.length)}`);
    }
  });
}
