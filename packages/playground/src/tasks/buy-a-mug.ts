import { step, type TaskScript } from '../scripted-model/index.js';

/** The order that `buyAMug` asks for, in the words a user would type. */
export function buyAMugTask(shopUrl: string): string {
  return [
    `Buy one Tidewater mug at ${shopUrl} and send it express to Ann Berg, Bryggen 12, 5003 Bergen, Norway.`,
    'The email address is ann@example.com. Pay with the card 4242 4242 4242 4242, valid until 12/49, security code 123.',
    'Download the invoice and tell me the order number.',
  ].join('\n');
}

/** Follows the task through the demo shop, forgetting the terms once, as people do. */
export const buyAMug: TaskScript = {
  id: 'buy-a-mug',
  look: step('I have not read that far yet, so I look at the page.', 'browser_snapshot'),
  steps: [
    step('I open the shop.', 'browser_navigate', view => ({ url: view.findInTask(/https?:\/\/\S+/) })),
    step('I search for mugs.', 'browser_type', view => ({
      ref: view.ref('searchbox', 'Search products'),
      text: 'mug',
    })),
    step('The list follows what I type; I wait until the kettle is gone from it.', 'browser_wait', () => ({
      for: { gone: 'Pier kettle' },
    })),
    step('The Tidewater mug is the one.', 'browser_click', view => ({ ref: view.ref('link', 'Tidewater mug') })),
    step('One is enough: into the cart with it.', 'browser_click', view => ({
      ref: view.ref('button', 'Add to cart'),
    })),
    step('On to the cart.', 'browser_click', view => ({ ref: view.ref('link', /^Cart/) })),
    step('And to the checkout.', 'browser_click', view => ({ ref: view.ref('link', 'Go to checkout') })),
    step('First the country, since the postal code depends on it.', 'browser_select', view => ({
      ref: view.ref('combobox', 'Country'),
      labels: ['Norway'],
    })),
    step('Now who gets it, and where.', 'browser_fill_form', view => ({
      fields: [
        { ref: view.ref('textbox', 'Email'), value: 'ann@example.com' },
        { ref: view.ref('textbox', 'Full name'), value: 'Ann Berg' },
        { ref: view.ref('textbox', 'Street and number'), value: 'Bryggen 12' },
        { ref: view.ref('textbox', 'Postal code'), value: '5003' },
        { ref: view.ref('textbox', 'City'), value: 'Bergen' },
      ],
    })),
    step('Express shipping.', 'browser_click', view => ({ ref: view.ref('radio', /^Express/) })),
    step('The card goes into the frame of the payment service.', 'browser_fill_form', view => ({
      fields: [
        { ref: view.ref('textbox', 'Name on card'), value: 'Ann Berg' },
        { ref: view.ref('textbox', 'Card number'), value: '4242 4242 4242 4242' },
        { ref: view.ref('textbox', 'Expiry date'), value: '12/49' },
        { ref: view.ref('textbox', 'Security code'), value: '123' },
      ],
      submit: view.ref('button', 'Confirm card'),
    })),
    step('I place the order.', 'browser_click', view => ({ ref: view.ref('button', 'Place order') })),
    step('The shop wants its terms accepted first.', 'browser_click', view => ({
      ref: view.ref('checkbox', /accept the terms/),
    })),
    step('Once more.', 'browser_click', view => ({ ref: view.ref('button', 'Place order') })),
    step('It worked. I download the invoice.', 'browser_click', view => ({
      ref: view.ref('link', 'Download invoice'),
    })),
    { say: view => `Done. The order number is ${view.find(/Order (HO-\d+)/)}, and the invoice is downloaded.` },
  ],
};
