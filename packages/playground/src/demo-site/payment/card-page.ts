import { type Html, html } from '../http/html.js';
import type { CardFieldName } from './card-payments.js';

export function cardPage(shopOrigin: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Harbor Pay</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/payment.css">
<script type="module" src="/assets/payment.js"></script>
</head>
<body data-shop-origin="${shopOrigin}">
<form id="card-form" novalidate aria-label="Card">
  ${field('cardName', 'Name on card', html`autocomplete="cc-name"`)}
  ${field('cardNumber', 'Card number', html`autocomplete="cc-number" inputmode="numeric" maxlength="23" placeholder="4242 4242 4242 4242"`)}
  <div class="pair">
    ${field('expiry', 'Expiry date', html`autocomplete="cc-exp" inputmode="numeric" maxlength="7" placeholder="MM/YY"`)}
    ${field('cvc', 'Security code', html`type="password" autocomplete="cc-csc" inputmode="numeric" maxlength="4"`)}
  </div>
  <button class="button wide">Confirm card</button>
</form>
<p id="card-confirmed" class="confirmed" role="status"></p>
</body>
</html>
`;
}

function field(name: CardFieldName, label: string, attributes: Html): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" required aria-describedby="${name}-error" ${attributes}>
    <p class="field-error" id="${name}-error" hidden></p>
  </div>`;
}
