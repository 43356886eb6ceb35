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

export function termsPage(cartCount: number): Html {
  return layout({
    title: 'Terms of sale',
    cartCount,
    main: html`<article class="prose">
  <h1>Terms of sale</h1>
  <p>This shop exists so that people and their agents can practise buying things. No goods move and no money does.</p>
  <h2 id="delivery">Delivery</h2>
  <p>Standard parcels take four to six working days, express ones one or two. Parcels picked up at the harbor are ready the next morning at ten.</p>
  <h2 id="returns">Returns</h2>
  <p>Sixty days, for any reason, in any condition that still resembles the thing we sent.</p>
  <h2 id="privacy">Privacy</h2>
  <p>Your cart and your orders live in the memory of this process and vanish when it stops.</p>
</article>`,
  });
}

export function notFoundPage(cartCount: number): Html {
  return layout({
    title: 'Not found',
    cartCount,
    main: html`<div class="nothing"><h1>This page has drifted off</h1><p>The address may be old, or the order belongs to someone else.</p><a class="button" href="/">Back to the shop</a></div>`,
  });
}
