import { type Html, html } from '../../http/html.js';
import type { Cart, CartLine } from '../cart.js';
import { money } from '../money.js';
import { countOf, layout } from './layout.js';

export function cartPage(cart: Cart): Html {
  return layout({
    title: 'Your cart',
    cartCount: cart.count(),
    scripts: ['cart'],
    main: html`<h1 id="cart-heading" tabindex="-1">Your cart</h1>\n<div id="cart">${cartContents(cart)}</div>`,
  });
}

/** The part that the page's script swaps in after each change. */
export function cartContents(cart: Cart): Html {
  const lines = cart.lines();
  if (lines.length === 0) {
    return html`<div class="nothing" data-count="0" data-label="0 items"><p>Your cart is empty.</p><a class="button" href="/">Browse the shop</a></div>`;
  }
  return html`<div class="cart" data-count="${cart.count()}" data-label="${countOf(cart.count(), 'item')}">
  <ul class="lines" aria-label="Items">${lines.map(line)}</ul>
  <section class="summary" aria-labelledby="summary-heading">
    <h2 id="summary-heading">Summary</h2>
    <dl class="totals"><div><dt>${countOf(cart.count(), 'item')}</dt><dd>${money(cart.subtotal())}</dd></div><div><dt>Shipping</dt><dd>Chosen at checkout</dd></div></dl>
    <a class="button wide" href="/checkout">Go to checkout</a>
    <form method="post" action="/cart/empty" data-confirm="Remove ${cart.count() === 1 ? 'the only item' : `all ${cart.count()} items`} from your cart?"><button class="link-button" id="empty-cart">Empty cart</button></form>
  </section>
</div>`;
}

function line({ product, quantity, total }: CartLine): Html {
  const { slug, name, price, stock, tone } = product;
  return html`<li class="line">
  <span class="tile tile-${tone}"><img src="/assets/art/${slug}.svg" alt="" width="96" height="96"></span>
  <div class="line-name"><a href="/products/${slug}">${name}</a><span>${money(price)} each</span></div>
  <form class="stepper" method="post" action="/cart/quantity" role="group" aria-label="Quantity of ${name}">
    <input type="hidden" name="slug" value="${slug}">
    <button id="less-${slug}" name="quantity" value="${quantity - 1}" aria-label="One less ${name}">−</button>
    <output aria-label="Quantity">${quantity}</output>
    <button id="more-${slug}" name="quantity" value="${quantity + 1}" aria-label="One more ${name}"${quantity >= stock && html` disabled`}>+</button>
  </form>
  <p class="line-total price">${money(total)}</p>
  <form method="post" action="/cart/quantity">
    <input type="hidden" name="slug" value="${slug}"><button class="link-button" name="quantity" value="0" aria-label="Remove ${name}">Remove</button>
  </form>
</li>`;
}
