import { NotOnPageError, step, type TaskScript, type View } from '../scripted-model/index.js';

/** In the words a user would type. */
export function askForAMugTask(shopUrl: string): string {
  return `Look for mugs at ${shopUrl}, ask me which one I want, and put that one into the cart.`;
}

/** The mugs as the shop lists them. */
function mugs(view: View): string[] {
  return [...new Set(view.names('link', /\bmug$/))];
}

/** The mug that the person named. Without one there is nothing to buy. */
function chosenMug(view: View): string {
  const answer = view.find(/user answered: (.+)/i);
  const mug = mugs(view).find(name => answer.toLowerCase().includes(name.toLowerCase()));
  if (!mug) throw new NotOnPageError(`none of the mugs in the answer “${answer}”`);
  return mug;
}

/** Cannot know what to buy, so it leaves the choice to a person. */
export const askForAMug: TaskScript = {
  id: 'ask-for-a-mug',
  look: step('I have not read that far yet, so I look at the page.', 'browser_snapshot'),
  steps: [
    step('I open the shop.', 'browser_navigate', view => ({ url: view.findInTask(/https?:\/\/[^\s,]+/) })),
    step('I search for mugs.', 'browser_type', view => ({
      ref: view.ref('searchbox', 'Search products'),
      text: 'mug',
    })),
    step('I wait until only mugs are left in the list.', 'browser_wait', () => ({ for: { gone: 'Pier kettle' } })),
    step('I look at what there is.', 'browser_snapshot'),
    step('Which one is for you to say.', 'ask_user', view => ({
      question: 'Which mug shall I put into the cart?',
      options: mugs(view).map(label => ({ label })),
    })),
    step('Into the cart with it.', 'browser_click', view => ({
      ref: view.ref('button', `Add ${chosenMug(view)} to cart`),
    })),
    { say: view => `Done: ${view.find(/1 × [^"]* added to your cart/)}.` },
  ],
};
