import type { CarefulAgent } from './careful-agent.ts';

/** A task on the demo shop. Resolves to whether it was done, as far as the agent can read. */
type Task = (agent: CarefulAgent, shopUrl: string) => Promise<boolean>;

const open = (agent: CarefulAgent, url: string): Promise<unknown> => agent.call('browser_navigate', { url });
const click = async (agent: CarefulAgent, wanted: RegExp): Promise<unknown> =>
  agent.call('browser_click', { ref: await agent.ref(wanted) });

/** Fills fields, and those once more that were refused. */
async function fill(agent: CarefulAgent, values: readonly (readonly [RegExp, string])[]): Promise<void> {
  const fields: { ref: string; value: string }[] = [];
  for (const [wanted, value] of values) fields.push({ ref: await agent.ref(wanted), value });
  const { fields: filled } = (await agent.call('browser_fill_form', { fields })) as { fields: { error?: string }[] };
  const refused = fields.filter((_, index) => filled[index]?.error !== undefined);
  if (refused.length > 0) await agent.call('browser_fill_form', { fields: refused });
}

const CART = /"Cart, \d+ items?"/;
const ADD = /button "Add to cart"/;

async function putIntoCart(agent: CarefulAgent, url: string, product: string): Promise<void> {
  await open(agent, url);
  await click(agent, new RegExp(`link "${product}"`));
  await click(agent, ADD);
}

const ADDRESS = [
  [/textbox "Email"/, 'ann@example.com'],
  [/textbox "Full name"/, 'Ann Berg'],
  [/textbox "Street and number"/, 'Bryggen 12'],
  [/textbox "Postal code"/, '5003'],
  [/textbox "City"/, 'Bergen'],
] as const;

const CARD = [
  [/textbox "Name on card"/, 'Ann Berg'],
  [/textbox "Card number"/, '4242 4242 4242 4242'],
  [/textbox "Expiry date"/, '12/49'],
  [/textbox "Security code"/, '123'],
] as const;

async function toCheckout(agent: CarefulAgent, url: string): Promise<void> {
  await putIntoCart(agent, url, 'Tidewater mug');
  await click(agent, CART);
  await click(agent, /link "Go to checkout"/);
}

async function order(agent: CarefulAgent, url: string): Promise<void> {
  await toCheckout(agent, url);
  await agent.call('browser_select', { ref: await agent.ref(/combobox "Country"/), labels: ['Norway'] });
  await fill(agent, ADDRESS);
  await fill(agent, CARD);
  await click(agent, /button "Confirm card"/);
  await click(agent, /checkbox "I accept the terms/);
  await click(agent, /button "Place order"/);
}

/** Ten things that people do in a shop. */
export const shopTasks: Record<string, Task> = {
  'buy a mug': async (agent, url) => {
    await order(agent, url);
    return agent.reads(/order number|Order [A-Z0-9-]{4,}/i);
  },
  'buy it by express': async (agent, url) => {
    await toCheckout(agent, url);
    await click(agent, /radio "Express/);
    return agent.reads(/\$38\.00/);
  },
  'what a mug is made of': async (agent, url) => {
    await open(agent, url);
    await click(agent, /link "Ember mug"/);
    return agent.reads(/Stoneware|glaze/);
  },
  'two things in the cart': async (agent, url) => {
    await putIntoCart(agent, url, 'Tidewater mug');
    await click(agent, /"Shop"/);
    await click(agent, /link "Kelp espresso mug"/);
    await click(agent, ADD);
    await click(agent, CART);
    return agent.reads(/\$42\.00/);
  },
  'one more in the cart': async (agent, url) => {
    await putIntoCart(agent, url, 'Tidewater mug');
    await click(agent, CART);
    await click(agent, /button "One more Tidewater mug"/);
    return agent.reads(/\$48\.00/);
  },
  'nothing in the cart': async (agent, url) => {
    await putIntoCart(agent, url, 'Tidewater mug');
    await click(agent, CART);
    await click(agent, /button "Remove Tidewater mug"/);
    return agent.reads(/empty/i);
  },
  'only textiles': async (agent, url) => {
    await open(agent, url);
    await click(agent, /checkbox "Textiles"/);
    return agent.reads(/Linen tea towel/);
  },
  'the cheapest thing': async (agent, url) => {
    await open(agent, url);
    await agent.call('browser_select', { ref: await agent.ref(/combobox "Sort by"/), labels: ['Price, low to high'] });
    return agent.reads(/reordered: .*Linen tea towel|\$12\.00/);
  },
  'search for a kettle': async (agent, url) => {
    await open(agent, url);
    await agent.call('browser_type', { ref: await agent.ref(/searchbox "Search products"/), text: 'kettle' });
    await click(agent, /link "Pier kettle"/);
    return agent.reads(/\$86\.00/);
  },
  'what is missing in an order': async (agent, url) => {
    await toCheckout(agent, url);
    await click(agent, /button "Place order"/);
    return agent.reads(/Enter a street/);
  },
};
