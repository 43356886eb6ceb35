import { catalog } from '../../pages/catalog.ts';
import type { PageServer } from '../../pages/server.ts';
import { PRODUCTS, STEPS } from './runs.ts';
import { refIn } from './scripted-model.ts';

/** The actions of a step of the browser agent, from the page that it is shown; undefined ends the run. */
export type NextActions = (step: number, page: string) => object[] | undefined;

/** Shops: opens a product, reads about it, puts it into the cart, looks at the cart, and goes on with the next. */
export function agentShopping(shopUrl: string): NextActions {
  const round: ((page: string, product: string) => object[])[] = [
    () => [{ navigate: { url: shopUrl } }],
    (page, product) => [{ click: { ref: refIn([page], `link "${product}"`) } }],
    () => [{ read: {} }],
    page => [{ click: { ref: refIn([page], 'button "Add to cart"') } }],
    page => [{ click: { ref: refIn([page], 'link "Cart') } }],
    () => [{ find: { text: 'Total' } }, { scroll: { direction: 'down' } }],
    () => [{ history: { direction: 'back' } }],
  ];
  return (step, page) => {
    if (step >= STEPS) return undefined;
    return round[step % round.length]?.(page, PRODUCTS[Math.floor(step / round.length) % PRODUCTS.length] ?? '');
  };
}

/** Opens one generated page after another, and reads every third. */
export function agentOpeningPages(server: PageServer): NextActions {
  const pages = catalog.filter(({ kind }) => kind === 'generated').map(({ name }) => name);
  return step => {
    if (step >= STEPS) return undefined;
    if (step % 3 === 2) return [{ read: {} }];
    return [{ navigate: { url: server.url(pages[step % pages.length] ?? '') } }];
  };
}

/** What a model writes beside its actions, about as much as one does. */
export function thoughtsAt(step: number): { evaluation: string; memory: string; nextGoal: string } {
  return {
    evaluation: `Success: the page that I wanted is open, and it shows what step ${step} was meant to find.`,
    memory: `So far ${step} pages were looked at. The Tidewater mug costs $18.00, the Shoal bowl $24.00 and is sold out until May, the Dune vase $36.00. Item ${step} was put into the cart; delivery is free above $50.`,
    nextGoal: `Look at what page ${step + 1} says of the price, and note it before going on to the next one.`,
  };
}
