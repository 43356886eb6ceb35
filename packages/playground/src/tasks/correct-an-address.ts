import { step, type TaskScript } from '../scripted-model/index.js';

/** In the words a user would type. */
export function correctAnAddressTask(shopUrl: string): string {
  return [
    `Put an Ember mug from ${shopUrl} into the cart and fill the checkout for Ben Holt, Kaigaten 4, Bergen, Norway,`,
    'ben@example.com, with the postal code 50. Try to order, tell me what the shop complains about,',
    'then correct the postal code to 5003. Do not pay.',
  ].join(' ');
}

/** Runs into the checks of the form and puts one thing right. */
export const correctAnAddress: TaskScript = {
  id: 'correct-an-address',
  look: step('I have not read that far yet, so I look at the page.', 'browser_snapshot'),
  steps: [
    step('I open the shop.', 'browser_navigate', view => ({ url: view.findInTask(/https?:\/\/\S+/) })),
    step('There is the Ember mug.', 'browser_click', view => ({
      ref: view.ref('button', 'Add Ember mug to cart'),
    })),
    step('On to the cart.', 'browser_click', view => ({ ref: view.ref('link', /^Cart, 1/) })),
    step('And to the checkout.', 'browser_click', view => ({ ref: view.ref('link', 'Go to checkout') })),
    step('First the country, since the postal code depends on it.', 'browser_select', view => ({
      ref: view.ref('combobox', 'Country'),
      labels: ['Norway'],
    })),
    step('Now the address, with the postal code I was given.', 'browser_fill_form', view => ({
      fields: [
        { ref: view.ref('textbox', 'Email'), value: 'ben@example.com' },
        { ref: view.ref('textbox', 'Full name'), value: 'Ben Holt' },
        { ref: view.ref('textbox', 'Street and number'), value: 'Kaigaten 4' },
        { ref: view.ref('textbox', 'Postal code'), value: '50' },
        { ref: view.ref('textbox', 'City'), value: 'Bergen' },
      ],
    })),
    step('I try to order.', 'browser_click', view => ({ ref: view.ref('button', 'Place order') })),
    {
      say: view => `The shop complains: ${sentences(view.names('link', COMPLAINT))} I correct the postal code.`,
      call: view => ({
        toolName: 'browser_type',
        input: { ref: view.ref('textbox', 'Postal code'), text: '5003' },
      }),
    },
    step('I look at what is left.', 'browser_snapshot'),
    {
      say: view =>
        `The postal code is accepted now. What is left: ${sentences(view.names('link', COMPLAINT))} I stop here, as you asked.`,
    },
  ],
};

const COMPLAINT = /^(Enter|Choose|Confirm|Accept) /;

function sentences(complaints: readonly string[]): string {
  return complaints
    .map(complaint => `“${complaint}”`)
    .join(', ')
    .concat('.');
}
