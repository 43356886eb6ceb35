import { find, formBody } from './dom.js';

const form = find('#card-form', HTMLFormElement);
const shopOrigin = document.body.dataset.shopOrigin ?? '';

form.addEventListener('submit', event => {
  event.preventDefault();
  confirmCard().catch(() => showErrors({ cardName: 'The bank cannot be reached. Try again.' }));
});
form.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  showError(target, '');
  if (target.name === 'cardNumber') group(target);
});
new ResizeObserver(() => send({ type: 'harbor-pay:size', height: document.body.offsetHeight })).observe(document.body);

async function confirmCard() {
  const response = await fetch('/tokens', { method: 'POST', body: formBody(form) });
  const result = await response.json();
  showErrors(result.errors ?? {});
  if (!response.ok) return find('[aria-invalid]', HTMLInputElement, form).focus();
  form.hidden = true;
  find('#card-confirmed', HTMLElement).textContent = `Card ending in ${result.lastFour} confirmed`;
  send({ type: 'harbor-pay:card', token: result.token, lastFour: result.lastFour });
}

/** @param {Record<string, string>} errors */
function showErrors(errors) {
  for (const input of form.querySelectorAll('input')) showError(input, errors[input.name] ?? '');
}

/** @param {HTMLInputElement} input @param {string} message */
function showError(input, message) {
  const text = find(`#${input.name}-error`, HTMLElement);
  text.textContent = message;
  text.hidden = message === '';
  if (message) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

/** Prints the digits in groups of four, unless the caret is inside them. @param {HTMLInputElement} input */
function group(input) {
  if (input.selectionStart !== input.value.length) return;
  input.value = input.value.replace(/\D/g, '').replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** @param {object} message */
function send(message) {
  window.parent.postMessage(message, shopOrigin);
}
