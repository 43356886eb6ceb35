import { type Html, html } from '../http/html.js';
import type { Handler } from '../http/listener.js';
import { formValues } from '../http/responses.js';
import { type RouteHandler, router } from '../http/router.js';
import type { CardFieldName, CardPayments } from './card-payments.js';

function cardPage(shopOrigin: string): Html {
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

interface PaymentSite {
  readonly payments: CardPayments;
  readonly assets: RouteHandler;
  /** The only origin that may frame the form and receive its tokens. */
  readonly shopOrigin: string;
}

export function paymentHandler({ payments, assets, shopOrigin }: PaymentSite): Handler {
  const routes: Record<string, RouteHandler> = {
    'GET /card': () => {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy(shopOrigin) };
      return new Response(cardPage(shopOrigin).text, { headers });
    },
    'POST /tokens': async request => {
      const ownForm = request.headers.get('origin') === new URL(request.url).origin;
      if (!ownForm) return new Response('Forms of other sites are refused', { status: 403 });
      const result = payments.confirm(await formValues(request));
      return Response.json(result, { status: 'token' in result ? 200 : 422 });
    },
    'GET /assets/:file': assets,
  };
  return router(routes, () => new Response('Not found', { status: 404 }));
}

function policy(shopOrigin: string): string {
  const own = ['style-src', 'script-src', 'connect-src'].map(name => `${name} 'self'`);
  const none = ['default-src', 'base-uri', 'form-action'].map(name => `${name} 'none'`);
  return [...none, ...own, 'img-src data:', `frame-ancestors ${shopOrigin}`].join('; ');
}
