import { type Fragment, type Html, html } from '../../http/html.js';
import type { Cart } from '../cart.js';
import { type FieldErrors, type FieldName, type FieldValues, MESSAGES } from '../checkout-form.js';
import { COUNTRIES } from '../countries.js';
import { money } from '../money.js';
import { SHIPPING_METHODS } from '../shipping.js';
import { countOf, layout } from './layout.js';

interface FormState {
  readonly values: FieldValues;
  readonly errors: FieldErrors;
}

interface TextField {
  readonly name: FieldName;
  readonly label: string;
  readonly autocomplete: string;
  readonly type?: 'text' | 'email';
  readonly hint?: string;
}

function textField(form: FormState, field: TextField): Html {
  const { name, label, autocomplete, type = 'text', hint } = field;
  return html`<div class="field">
  <label for="${name}">${label}</label>
  <input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="120" required value="${form.values[name]}"${state(form, name, hint)}>
  ${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${errorText(form, name)}
</div>`;
}

function countryField(form: FormState): Html {
  return html`<div class="field">
  <label for="country">Country</label>
  <select id="country" name="country" autocomplete="country" required${state(form, 'country')}>
    <option value="">Choose a country</option>
    ${COUNTRIES.map(
      ({ code, name, postalPattern, postalExample }) =>
        html`<option value="${code}" data-pattern="${postalPattern}" data-example="${postalExample}"${form.values.country === code && html` selected`}>${name}</option>`,
    )}
  </select>
  ${errorText(form, 'country')}
</div>`;
}

function shippingFields(form: FormState): Html {
  const chosen = form.values.shipping ?? SHIPPING_METHODS[0]?.id;
  return html`<fieldset id="shipping"><legend>Shipping</legend>
  <div class="choices">${SHIPPING_METHODS.map(
    ({
      id,
      name,
      note,
      price,
    }) => html`<label class="choice"><input type="radio" name="shipping" value="${id}" data-price="${price}" required${id === chosen && html` checked`}${state(form, 'shipping')}>
    <span class="choice-name">${name}</span> <span class="choice-note">${note}</span> <span class="price">${price === 0 ? 'Free' : money(price)}</span></label>`,
  )}</div>
  ${errorText(form, 'shipping')}
</fieldset>`;
}

function termsField(form: FormState): Html {
  return html`<div class="field">
  <label class="check"><input id="terms" name="terms" type="checkbox" value="accepted" required${state(form, 'terms')}> I accept the terms of sale</label>
  <p class="hint"><a href="/terms" target="_blank" rel="noopener">Read the terms (opens in a new tab)</a></p>
  ${errorText(form, 'terms')}
</div>`;
}

function errorText(form: FormState, name: FieldName): Html {
  const message = form.errors[name];
  return html`<p class="field-error" id="${name}-error"${!message && html` hidden`}>${message}</p>`;
}

function state(form: FormState, name: FieldName, hint?: string): Fragment {
  const described = `${hint ? `${name}-hint ` : ''}${name}-error`;
  return html` data-error="${MESSAGES[name]}" aria-describedby="${described}"${form.errors[name] && html` aria-invalid="true"`}`;
}

interface CheckoutPage {
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
