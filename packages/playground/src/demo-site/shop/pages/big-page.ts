import { type Html, html } from '../../http/html.js';
import { PRODUCTS } from '../catalog.js';
import { money } from '../money.js';
import { countOf, layout } from './layout.js';

export const MAX_BIG_PAGE = 20_000;

/** A catalogue of any length, for measuring; each product has a link, a price, a checkbox and a button. */
export function bigPage(length: number, cartCount: number): Html {
  const rows = Array.from({ length }, (_, index) => row(index));
  return layout({
    title: countOf(length, 'product'),
    cartCount,
    main: html`<h1>The whole warehouse: ${countOf(length, 'product')}</h1>\n<ul class="warehouse">${rows}</ul>`,
  });
}

function row(index: number): Html {
  const product = PRODUCTS[index % PRODUCTS.length];
  const name = `${product?.name} no. ${index + 1}`;
  return html`<li><a href="/products/${product?.slug}">${name}</a> <span class="price">${money(product?.price ?? 0)}</span>
<label class="check"><input type="checkbox" name="compare" value="${index + 1}"> Compare</label> <button class="button small" type="button">Watch ${name}</button></li>
`;
}
