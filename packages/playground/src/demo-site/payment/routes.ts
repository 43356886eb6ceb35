import type { Handler } from '../http/listener.js';
import { formValues } from '../http/responses.js';
import { type RouteHandler, router } from '../http/router.js';
import { cardPage } from './card-page.js';
import type { CardPayments } from './card-payments.js';

export interface PaymentSite {
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
