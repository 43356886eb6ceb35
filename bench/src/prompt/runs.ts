import { catalog } from '../../pages/catalog.ts';
import type { PageServer } from '../../pages/server.ts';
import { type NextCall, refIn } from './scripted-model.ts';

/** What an agent does in as many steps as the bars speak of. */
export const STEPS = 40;

/** Reads one saved page after another: opens it, then looks at it. */
export function openingSavedPages(server: PageServer): NextCall {
  const pages = catalog.filter(({ kind }) => kind === 'saved').map(({ name }) => name);
  return openAndLook(step => server.url(pages[step % pages.length] ?? ''));
}

/** The same with generated pages of today's kinds: mail, shop, search, dashboard and so on. */
export function openingGeneratedPages(server: PageServer): NextCall {
  const pages = catalog.filter(({ kind }) => kind === 'generated').map(({ name }) => name);
  return openAndLook(step => server.url(pages[step % pages.length] ?? ''));
}

function openAndLook(urlOf: (round: number) => string): NextCall {
  return step => {
    if (step >= STEPS) return undefined;
    if (step % 2 === 1) return { tool: 'browser_snapshot', input: {} };
    return { tool: 'browser_navigate', input: { url: urlOf(step / 2) } };
  };
}

/** What the shop of the runs sells. */
export const PRODUCTS = ['Tidewater mug', 'Shoal bowl', 'Dune vase', 'Linen tea towel'];

/** Shops: looks at the list, opens a product, puts it into the cart, looks at the cart, goes on with the next. */
export function shopping(shopUrl: string): NextCall {
  const round: ((read: readonly string[], product: string) => { tool: string; input: object })[] = [
    () => ({ tool: 'browser_navigate', input: { url: shopUrl } }),
    () => ({ tool: 'browser_snapshot', input: {} }),
    (read, product) => ({ tool: 'browser_click', input: { ref: refIn(read, `link "${product}"`) } }),
    () => ({ tool: 'browser_snapshot', input: {} }),
    read => ({ tool: 'browser_click', input: { ref: refIn(read, 'button "Add to cart"') } }),
    read => ({ tool: 'browser_click', input: { ref: refIn(read, 'link "Cart') } }),
    () => ({ tool: 'browser_snapshot', input: {} }),
    () => ({ tool: 'browser_history', input: { direction: 'back' } }),
  ];
  return (step, read) => {
    if (step >= STEPS) return undefined;
    return round[step % round.length]?.(read, PRODUCTS[Math.floor(step / round.length) % PRODUCTS.length] ?? '');
  };
}
