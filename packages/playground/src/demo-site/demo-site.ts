import { serveAssets } from './http/assets.js';
import { type Handler, listen } from './http/listener.js';
import { CardPayments } from './payment/card-payments.js';
import { paymentHandler } from './payment/routes.js';
import { type Order, Orders } from './shop/orders.js';
import { shopHandler } from './shop/routes.js';

export interface DemoSite extends AsyncDisposable {
  readonly url: string;
  /** The card form: another origin and, for the browser, another site. */
  readonly paymentUrl: string;
  orders(): Order[];
  close(): Promise<void>;
}

/**
 * Serves the shop and its payment frame on the loopback interface.
 *
 * @example
 * await using site = await startDemoSite();
 * console.log(site.url);
 */
export async function startDemoSite({ port = 0 }: { port?: number } = {}): Promise<DemoSite> {
  const assets = await serveAssets();
  const orders = new Orders();
  const payments = new CardPayments();
  // Each site must know the other's address, which exists only once both listen.
  const sites: Partial<Record<'shop' | 'payment', Handler>> = {};
  const serve = (name: 'shop' | 'payment') => (request: Request) =>
    sites[name]?.(request) ?? new Response('Starting', { status: 503 });

  const shopListener = await listen(serve('shop'), port);
  const paymentListener = await listen(serve('payment')).catch(async (error: unknown) => {
    await shopListener.close();
    throw error;
  });
  const url = `http://127.0.0.1:${shopListener.port}`;
  // Under the other name of loopback the frame is cross-site, as card forms are: Chromium gives it a process of its own.
  const paymentUrl = `http://localhost:${paymentListener.port}/card`;
  sites.shop = shopHandler({ orders, payments, assets, paymentUrl });
  sites.payment = paymentHandler({ payments, assets, shopOrigin: url });

  const close = async () => {
    await Promise.all([shopListener.close(), paymentListener.close()]);
  };
  return { url, paymentUrl, orders: () => orders.all(), close, [Symbol.asyncDispose]: close };
}
