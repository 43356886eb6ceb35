import { Random } from './random.ts';
import { savedPage, savedPages } from './saved.ts';
import { adminGrid } from './sites/admin-grid.ts';
import { booking } from './sites/booking.ts';
import { dashboard } from './sites/dashboard.ts';
import { docsPage } from './sites/docs-page.ts';
import { encyclopedia } from './sites/encyclopedia.ts';
import { type FrameOrigins, framesPage } from './sites/frames.ts';
import { framework } from './sites/framework.ts';
import { type HugeKind, hugePage } from './sites/huge.ts';
import { issueList } from './sites/issue-list.ts';
import { mailInbox } from './sites/mail-inbox.ts';
import { newsFront } from './sites/news-front.ts';
import { plain } from './sites/plain.ts';
import { searchResults } from './sites/search-results.ts';
import { shopListing, shopProduct } from './sites/shop.ts';
import { socialFeed } from './sites/social-feed.ts';
import { ticker } from './sites/ticker.ts';
import { webComponents } from './sites/web-components.ts';

/**
 * `grid` pages are larger than the bars speak of; `special` ones have frames or shadow roots. Actions are timed on `plain`,
 * `ticker` and `framework`.
 */
export type PageKind = 'generated' | 'saved' | 'special' | 'grid' | 'huge' | 'plain' | 'ticker' | 'framework';

export interface BenchPage {
  name: string;
  kind: PageKind;
  build(origins: FrameOrigins): string | Buffer;
}

const page = (kind: PageKind, name: string, build: (random: Random, origins: FrameOrigins) => string): BenchPage => ({
  name,
  kind,
  build: origins => build(new Random(name), origins),
});

const saved = Object.keys(savedPages).map((name): BenchPage => ({ name, kind: 'saved', build: () => savedPage(name) }));

const hugeKinds: readonly HugeKind[] = ['elements', 'text', 'frames', 'depth', 'all'];

export const catalog: readonly BenchPage[] = [
  page('plain', 'plain', plain),
  page('ticker', 'ticker', ticker),
  page('framework', 'framework', framework),
  page('generated', 'search-results', searchResults),
  page('generated', 'docs', docsPage),
  page('generated', 'news-front', random => newsFront(random)),
  page('generated', 'booking', booking),
  page('generated', 'shop-product', shopProduct),
  page('generated', 'issue-list', issueList),
  page('generated', 'social-feed', socialFeed),
  page('generated', 'shop-listing', shopListing),
  page('generated', 'mail-inbox', mailInbox),
  page('generated', 'encyclopedia', encyclopedia),
  page('generated', 'dashboard', dashboard),
  page('special', 'frames', framesPage),
  page('special', 'modal', random => newsFront(random, true)),
  page('special', 'web-components', webComponents),
  ...saved,
  ...[5_000, 10_000, 20_000].map(elements => page('grid', `grid-${elements}`, random => adminGrid(random, elements))),
  ...hugeKinds.map(kind => page('huge', `huge-${kind}`, random => hugePage(random, kind))),
];
