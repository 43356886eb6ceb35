import { type Html, html } from '../../http/html.js';
import { layout } from './layout.js';

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
