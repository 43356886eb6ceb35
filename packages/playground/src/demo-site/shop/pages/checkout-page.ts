import { type Html, html } from '../../http/html.js';
import type { Cart } from '../cart.js';
import type { FieldErrors, FieldName, FieldValues } from '../checkout-form.js';
import { money } from '../money.js';
import { SHIPPING_METHODS } from '../shipping.js';
import { countryField, errorText, type FormState, shippingFields, termsField, textField } from './checkout-fields.js';
import { countOf, layout } from './layout.js';

export interface CheckoutPage {
  readonly cart: Cart;
  readonly paymentUrl: string;
  readonly values?: FieldValues;
  readonly errors?: FieldErrors;
}

export function checkoutPage({ cart, paymentUrl, values = {}, errors = {} }: CheckoutPage): Html {
  const form: FormState = { values, errors };
  return layout({
    title: 'Checkout',
    cartCount: cart.count(),
    scripts: ['checkout'],
    main: html`<h1>Checkout</h1>
<div class="checkout">
  <form id="checkout-form" class="checkout-form" method="post" action="/checkout" novalidate data-payment-origin="${new URL(paymentUrl).origin}">
    ${errorSummary(errors)}
    <fieldset><legend>Contact</legend>
      ${textField(form, { name: 'email', label: 'Email', type: 'email', autocomplete: 'email', hint: 'The receipt goes here.' })}
      ${textField(form, { name: 'name', label: 'Full name', autocomplete: 'name' })}
    </fieldset>
    <fieldset><legend>Delivery address</legend>
      ${countryField(form)}
      ${textField(form, { name: 'street', label: 'Street and number', autocomplete: 'address-line1' })}
      <div class="pair">
        ${textField(form, { name: 'postalCode', label: 'Postal code', autocomplete: 'postal-code', hint: 'Choose a country first.' })}
        ${textField(form, { name: 'city', label: 'City', autocomplete: 'address-level2' })}
      </div>
    </fieldset>
    ${shippingFields(form)}
    ${payment(form, paymentUrl)}
    ${termsField(form)}
    <button class="button wide">Place order</button>
  </form>
  ${summary(cart)}
</div>`,
  });
}

function errorSummary(errors: FieldErrors): Html {
  const entries = Object.entries(errors) as [FieldName, string][];
  return html`<div id="error-summary" class="error-summary" role="alert" tabindex="-1"${entries.length === 0 && html` hidden`}>
  <h2>${entries.length === 1 ? 'One thing needs' : `${entries.length} things need`} your attention</h2>
  <ul>${entries.map(([name, message]) => html`<li><a href="#${name}">${message}</a></li>`)}</ul>
</div>`;
}

function payment(form: FormState, paymentUrl: string): Html {
  // The token of a rejected form is gone with it: the frame starts over.
  return html`<fieldset id="paymentToken" tabindex="-1"><legend>Payment</legend>
  <input type="hidden" name="paymentToken" value="">
  <p class="payment-status" id="payment-status" role="status">Your card details go straight to Harbor Pay; this shop never sees them.</p>
  <iframe id="payment-frame" class="payment-frame" title="Card payment" src="${paymentUrl}"></iframe>
  ${errorText(form, 'paymentToken')}
</fieldset>`;
}

function summary(cart: Cart): Html {
  const shipping = SHIPPING_METHODS[0]?.price ?? 0;
  return html`<aside class="summary" aria-labelledby="summary-heading">
  <h2 id="summary-heading">${countOf(cart.count(), 'item')}</h2>
  <ul class="summary-lines">${cart
    .lines()
    .map(
      ({ product, quantity, total }) =>
        html`<li><span class="tile tile-${product.tone}"><img src="/assets/art/${product.slug}.svg" alt="" width="48" height="48"></span><span>${quantity} × ${product.name}</span> <span class="price">${money(total)}</span></li>`,
    )}</ul>
  <dl class="totals">
    <div><dt>Items</dt><dd>${money(cart.subtotal())}</dd></div>
    <div><dt>Shipping</dt><dd id="shipping-price">${money(shipping)}</dd></div>
    <div class="grand"><dt>Total</dt><dd id="total-price" data-subtotal="${cart.subtotal()}">${money(cart.subtotal() + shipping)}</dd></div>
  </dl>
</aside>`;
}
