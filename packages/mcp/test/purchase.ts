import { expect } from 'vitest';
import { RECEIPT, type ReceiptShop } from './receipt-shop.js';

type Call = (tool: string, input: Record<string, unknown>) => Promise<unknown>;

/** A client with which a purchase is made. */
export interface Buyer {
  call: Call;
  /** Reads a resource as text. Undefined for clients without resources. */
  read?(uri: string): Promise<string>;
  close(): Promise<unknown>;
}

/** The ref of what has this name, in a result of whatever shape. */
function refOf(result: unknown, name: string): string {
  const ref = new RegExp(`${name}\\\\*" (@e\\d+)`).exec(JSON.stringify(result))?.[1];
  if (ref === undefined) throw new Error(`there is no ${name} in ${JSON.stringify(result)}`);
  return ref;
}

/** Buys a mug and gets its receipt, by what the results of the calls say. */
export async function expectPurchase(buyer: Buyer, shop: ReceiptShop): Promise<void> {
  let session: string | undefined;
  const call: Call = async (tool, input) => {
    const result = await buyer.call(tool, { ...input, ...(session !== undefined && { session }) });
    session ??= /"session":"(s_[\w-]+)"/.exec(JSON.stringify(result))?.[1];
    return result;
  };
  const front = await call('browser_navigate', { url: shop.url });
  const checkout = await call('browser_click', { ref: refOf(front, 'Buy the Red mug') });
  const fields = [{ ref: refOf(checkout, 'Full name'), value: 'Ann Lee' }];
  await call('browser_fill_form', { fields });
  const thanks = await call('browser_click', { ref: refOf(checkout, 'Place order') });
  const got = JSON.stringify(await call('browser_click', { ref: refOf(thanks, 'Get the receipt') }));
  expect(shop.orders).toMatchObject([{ item: 'Red mug', name: 'Ann Lee' }]);
  expect(got).toContain('receipt.txt');
  const uri = /browser:\/\/downloads\/\d+\/download\.txt[^"]*/.exec(got)?.[0] ?? '';
  if (buyer.read !== undefined) expect(await buyer.read(uri)).toBe(RECEIPT);
}
