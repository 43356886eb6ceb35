import { z } from 'zod';
import { formValues, page, redirect, refused } from '../http/responses.js';
import type { RouteHandler } from '../http/router.js';
import type { CardPayments } from '../payment/card-payments.js';
import { findProduct, type Product } from './catalog.js';
import { parseCheckout } from './checkout-form.js';
import { invoicePdf } from './invoice.js';
import type { Order, Orders } from './orders.js';
import { cartContents, cartPage } from './pages/cart-page.js';
import { checkoutPage } from './pages/checkout-page.js';
import { countOf } from './pages/layout.js';
import { orderPage } from './pages/order-page.js';
import { productListPage } from './pages/product-list-page.js';
import { productPage } from './pages/product-page.js';
import { bigPage, MAX_BIG_PAGE, notFoundPage, termsPage } from './pages/text-pages.js';
import type { Visitor } from './visitors.js';

export interface Shop {
  readonly orders: Orders;
  readonly payments: CardPayments;
  readonly assets: RouteHandler;
  readonly paymentUrl: string;
}

export interface Visit {
  readonly visitor: Visitor;
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly shop: Shop;
}

export type Action = (visit: Visit) => Response | Promise<Response>;

const item = z.object({ slug: z.string().max(60), quantity: z.coerce.number().int().min(0).max(999) });
const bigLength = z.coerce.number().int().min(1).max(MAX_BIG_PAGE).catch(500);

export const ACTIONS: Readonly<Record<string, Action>> = {
  'GET /': ({ visitor }) => page(productListPage(visitor.cart.count())),
  'GET /terms': ({ visitor }) => page(termsPage(visitor.cart.count())),
  'GET /big': ({ visitor, request }) => {
    const { searchParams } = new URL(request.url);
    return page(bigPage(bigLength.parse(searchParams.get('n') ?? undefined), visitor.cart.count()));
  },
  'GET /products/:slug': visit => {
    const product = findProduct(visit.params.slug ?? '');
    return product ? page(productPage(product, visit.visitor.cart.count())) : notFound(visit);
  },
  'GET /cart': ({ visitor }) => page(cartPage(visitor.cart)),
  'POST /cart/items': addToCart,
  'POST /cart/quantity': async visit => {
    const wanted = await readItem(visit.request);
    if (!wanted) return refused('Choose a product and a quantity.');
    visit.visitor.cart.set(wanted.product, wanted.quantity);
    return cartChanged(visit);
  },
  'POST /cart/empty': visit => {
    visit.visitor.cart.empty();
    return cartChanged(visit);
  },
  'GET /checkout': ({ visitor: { cart }, shop: { paymentUrl } }) =>
    cart.count() === 0 ? redirect('/cart') : page(checkoutPage({ cart, paymentUrl })),
  'POST /checkout': placeOrder,
  'GET /orders/:number': visit => {
    const order = ownOrder(visit);
    return order ? page(orderPage(order, visit.visitor.cart.count())) : notFound(visit);
  },
  'GET /orders/:number/invoice.pdf': visit => {
    const order = ownOrder(visit);
    return order ? invoice(order) : notFound(visit);
  },
};

export function notFound({ visitor }: Visit): Response {
  return page(notFoundPage(visitor.cart.count()), 404);
}

async function addToCart({ visitor, request }: Visit): Promise<Response> {
  const wanted = await readItem(request);
  if (!wanted || wanted.quantity === 0) return refused('Choose a product and a quantity.');
  visitor.cart.add(wanted.product, wanted.quantity);
  if (request.headers.get('accept') !== 'application/json') return redirect('/cart');
  const message = `${wanted.quantity} × ${wanted.product.name} added to your cart`;
  return Response.json({ count: visitor.cart.count(), label: countOf(visitor.cart.count(), 'item'), message });
}

async function placeOrder({ visitor, request, shop }: Visit): Promise<Response> {
  const { cart } = visitor;
  if (cart.count() === 0) return redirect('/cart');
  const values = await formValues(request);
  const result = parseCheckout(values);
  if ('errors' in result) {
    return page(checkoutPage({ cart, paymentUrl: shop.paymentUrl, values, errors: result.errors }), 422);
  }
  const card = shop.payments.redeem(result.details.paymentToken);
  if (!card) {
    const errors = { paymentToken: 'That card confirmation was used or has expired: confirm the card again' };
    return page(checkoutPage({ cart, paymentUrl: shop.paymentUrl, values, errors }), 422);
  }
  const payment = { details: result.details, cardLastFour: card.lastFour };
  const order = shop.orders.place(visitor.id, cart.lines(), payment);
  cart.empty();
  return redirect(`/orders/${order.number}`);
}

function invoice(order: Order): Response {
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="invoice-${order.number}.pdf"`,
  };
  return new Response(invoicePdf(order), { headers });
}

function ownOrder({ visitor, params, shop }: Visit): Order | undefined {
  return shop.orders.find(visitor.id, params.number ?? '');
}

function cartChanged({ visitor, request }: Visit): Response {
  const wantsFragment = request.headers.get('accept') === 'text/x-fragment';
  return wantsFragment ? page(cartContents(visitor.cart)) : redirect('/cart');
}

async function readItem(request: Request): Promise<{ product: Product; quantity: number } | undefined> {
  const parsed = item.safeParse(await formValues(request));
  if (!parsed.success) return undefined;
  const product = findProduct(parsed.data.slug);
  return product && { product, quantity: parsed.data.quantity };
}
