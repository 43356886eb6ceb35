import { find, formBody } from './dom.js';
import { showCartCount, toast } from './toast.js';

const cart = find('#cart', HTMLElement);

cart.addEventListener('submit', event => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  const question = form.dataset.confirm;
  if (question && !confirm(question)) return;
  change(form, event.submitter).catch(() => toast('That did not work. Check your connection and try again.'));
});

/** @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function change(form, submitter) {
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { accept: 'text/x-fragment' },
    body: formBody(form, submitter),
  });
  if (!response.ok) return toast(await response.text());
  const focused = document.activeElement?.id;
  cart.innerHTML = await response.text();
  const { count = '0', label = '' } = find('[data-count]', HTMLElement, cart).dataset;
  showCartCount(Number(count), label);
  // The pressed button was replaced: focus goes to its successor, or to the heading if its row is gone.
  const successor = (focused && document.getElementById(focused)) || find('#cart-heading', HTMLElement);
  successor.focus();
}
