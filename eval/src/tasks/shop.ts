import { type DemoSite, startDemoSite } from '@browser-toolset/playground/dist/demo-site/index.js';
import { PRODUCTS } from '@browser-toolset/playground/dist/demo-site/shop/catalog.js';
import { type Step, step } from '@browser-toolset/playground/dist/scripted-model/index.js';
import { buyAMug } from '@browser-toolset/playground/dist/tasks/buy-a-mug.js';
import { differences, tasksOn } from '../suite/own-task.ts';
import { answer, choose, click, end, fill, type, waitFor } from '../suite/script-steps.ts';

const orders = (site: DemoSite) =>
  site.orders().map(({ name, email, address, lines, shipping, cardLastFour }) => ({
    name,
    email,
    address,
    lines: lines.map(({ slug, quantity }) => `${quantity} × ${slug}`).toSorted(),
    shipping: shipping.name,
    cardLastFour,
  }));

const ANN = {
  name: 'Ann Berg',
  email: 'ann@example.com',
  address: { street: 'Bryggen 12', city: 'Bergen', postalCode: '5003', country: 'Norway' },
  cardLastFour: '4242',
};
const ADDRESS =
  'to Ann Berg, Bryggen 12, 5003 Bergen, Norway, ann@example.com. Pay with the card 4242 4242 4242 4242, valid until 12/49, security code 123';

const checkout: readonly Step[] = [
  choose('Country', 'Norway'),
  fill(
    ['textbox', 'Email', ANN.email],
    ['textbox', 'Full name', ANN.name],
    ['textbox', 'Street and number', ANN.address.street],
    ['textbox', 'Postal code', ANN.address.postalCode],
    ['textbox', 'City', ANN.address.city],
  ),
  click('radio', /^Pick up/),
  fill(
    ['textbox', 'Name on card', ANN.name],
    ['textbox', 'Card number', '4242 4242 4242 4242'],
    ['textbox', 'Expiry date', '12/49'],
    ['textbox', 'Security code', '123'],
  ),
  click('button', 'Confirm card'),
  click('checkbox', /accept the terms/),
  click('button', 'Place order'),
  waitFor('Thank you'),
];

const cheapestOfLiving = PRODUCTS.filter(({ category, stock }) => category === 'Living' && stock > 0).toSorted(
  (a, b) => a.price - b.price,
)[0];

export const shopTasks = tasksOn<DemoSite>('shop', serveShop, [
  {
    id: 'shop-buy-a-mug',
    level: 'medium',
    goal: `Buy one Tidewater mug and have it sent express ${ADDRESS}. You may accept the terms.`,
    problems: site =>
      differences('orders', orders(site), [{ ...ANN, lines: ['1 × tidewater-mug'], shipping: 'Express' }]),
    // The demo of the playground does just this, and opens the shop first.
    script: buyAMug.steps.slice(1),
  },
  {
    id: 'shop-two-things',
    level: 'hard',
    goal: `Buy two Ember mugs and one Linen tea towel, to be picked up at the harbor, with an invoice ${ADDRESS}. You may accept the terms.`,
    problems: site =>
      differences('orders', orders(site), [
        { ...ANN, lines: ['1 × linen-tea-towel', '2 × ember-mug'], shipping: 'Pick up at the harbor' },
      ]),
    script: [
      click('link', 'Ember mug'),
      type('spinbutton', 'Quantity', '2'),
      click('button', 'Add to cart'),
      click('link', 'Shop'),
      click('button', 'Add Linen tea towel to cart'),
      click('link', /^Cart, 3/),
      click('link', 'Go to checkout'),
      ...checkout,
      end('The order is placed.'),
    ],
  },
  {
    id: 'shop-cheapest-for-living',
    level: 'medium',
    goal: 'Of the things of the category Living that can be bought now, which is the cheapest, and what is its price in dollars? Buy nothing.',
    answer: { form: 'the price as a number', expected: () => (cheapestOfLiving?.price ?? 0) / 100 },
    problems: site => differences('orders', orders(site), []),
    script: [
      click('checkbox', 'Living'),
      choose('Sort by', 'Price, low to high'),
      step('I look at the list.', 'browser_read', () => ({ full: true })),
      answer(view => view.find(/Cedar candle[\s\S]*?\$(\d+\.\d\d)/)),
    ],
  },
]);

async function serveShop() {
  const site = await startDemoSite();
  return { url: site.url, state: site, [Symbol.asyncDispose]: () => site.close() };
}
