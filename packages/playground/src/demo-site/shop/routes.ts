import type { Handler } from '../http/listener.js';
import { type RouteHandler, router } from '../http/router.js';
import { ACTIONS, type Action, notFound, type Shop } from './actions.js';
import { Visitors, visitorCookie } from './visitors.js';

export function shopHandler(shop: Shop): Handler {
  const visitors = new Visitors();
  const policy = contentSecurityPolicy(new URL(shop.paymentUrl).origin);
  const visited =
    (action: Action): RouteHandler =>
    async (request, params) => {
      const visitor = visitors.of(request);
      const response = await action({ visitor, request, params, shop });
      response.headers.append('set-cookie', visitorCookie(visitor));
      response.headers.set('content-security-policy', policy);
      response.headers.set('x-content-type-options', 'nosniff');
      return response;
    };
  const actions = Object.entries(ACTIONS).map(([route, action]) => [route, visited(action)] as const);
  const assets = { 'GET /assets/:file': shop.assets, 'GET /assets/art/:file': shop.assets };
  return sameSiteOnly(router({ ...Object.fromEntries(actions), ...assets }, visited(notFound)));
}

/** A form of another site must not fill or spend the cart of this one. */
function sameSiteOnly(handler: Handler): Handler {
  return request => {
    const origin = request.headers.get('origin');
    const foreign = request.method === 'POST' && origin !== null && origin !== new URL(request.url).origin;
    return foreign ? new Response('Forms of other sites are refused', { status: 403 }) : handler(request);
  };
}

function contentSecurityPolicy(paymentOrigin: string): string {
  const own = ['img-src', 'style-src', 'script-src', 'connect-src', 'form-action'].map(name => `${name} 'self'`);
  const none = ['default-src', 'base-uri', 'frame-ancestors'].map(name => `${name} 'none'`);
  return [...none, ...own, `frame-src ${paymentOrigin}`].join('; ');
}
