import { find } from './dom.js';

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

const form = find('#checkout-form', HTMLFormElement);
const token = find('[name=paymentToken]', HTMLInputElement);
const frame = find('#payment-frame', HTMLIFrameElement);
const country = find('#country', HTMLSelectElement);
const postalCode = find('#postalCode', HTMLInputElement);
const summary = find('#error-summary', HTMLElement);

const NO_CARD = 'Confirm your card before you place the order';

form.addEventListener('submit', event => {
  for (const control of controls()) check(control);
  showError('paymentToken', token.value ? '' : NO_CARD);
  if (showSummary()) event.preventDefault();
});

// Not when a field is left: a press on the button below would move it away from under the pointer.
form.addEventListener('input', ({ target }) => {
  if (isControl(target) && target.getAttribute('aria-invalid') === 'true') check(target);
});

country.addEventListener('change', fitPostalCode);
form.addEventListener('change', showTotals);
window.addEventListener('message', receiveCard);
fitPostalCode();
showTotals();

/** @param {unknown} target @returns {target is Control} */
function isControl(target) {
  return (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) && Boolean(target.dataset.error);
}

/** @returns {Control[]} */
function controls() {
  return [...form.elements].filter(isControl);
}

/** @param {Control} control */
function check(control) {
  showError(control.name, control.validity.valid ? '' : (control.dataset.error ?? ''));
}

/** @param {string} name @param {string} message */
function showError(name, message) {
  const text = find(`#${name}-error`, HTMLElement);
  text.textContent = message;
  text.hidden = message === '';
  for (const control of controls().filter(each => each.name === name)) {
    if (message) control.setAttribute('aria-invalid', 'true');
    else control.removeAttribute('aria-invalid');
  }
  if (!summary.hidden) listErrors();
}

/** True if there is something to put right. */
function showSummary() {
  listErrors();
  if (!summary.hidden) summary.focus();
  return !summary.hidden;
}

/** Lists the errors that are on the page now, in its order. */
function listErrors() {
  const errors = /** @type {HTMLElement[]} */ ([...form.querySelectorAll('.field-error:not([hidden])')]);
  summary.hidden = errors.length === 0;
  find('h2', HTMLElement, summary).textContent =
    errors.length === 1 ? 'One thing needs your attention' : `${errors.length} things need your attention`;
  find('ul', HTMLElement, summary).replaceChildren(...errors.map(summaryItem));
}

/** @param {HTMLElement} error */
function summaryItem(error) {
  const name = error.id.replace('-error', '');
  const link = document.createElement('a');
  link.href = `#${name}`;
  link.textContent = error.textContent;
  link.addEventListener('click', event => {
    event.preventDefault();
    find(`#${name}`, HTMLElement).focus();
  });
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function fitPostalCode() {
  const { pattern = '.*', example } = country.selectedOptions[0]?.dataset ?? {};
  postalCode.pattern = pattern;
  find('#postalCode-hint', HTMLElement).textContent = example ? `For example ${example}.` : 'Choose a country first.';
  if (postalCode.value && example) check(postalCode);
}

function showTotals() {
  const chosen = form.querySelector('[name=shipping]:checked');
  const shipping = chosen instanceof HTMLInputElement ? Number(chosen.dataset.price) : 0;
  const total = find('#total-price', HTMLElement);
  find('#shipping-price', HTMLElement).textContent = shipping === 0 ? 'Free' : dollars(shipping);
  total.textContent = dollars(Number(total.dataset.subtotal) + shipping);
}

/** @param {number} cents */
function dollars(cents) {
  return `$${(cents / 100).toFixed(2)}`;
}

/** @param {MessageEvent} event */
function receiveCard(event) {
  if (event.origin !== form.dataset.paymentOrigin || event.source !== frame.contentWindow) return;
  const { type, token: received, lastFour, height } = event.data ?? {};
  if (type === 'harbor-pay:size' && Number.isFinite(height)) frame.style.height = `${Math.ceil(height)}px`;
  if (type !== 'harbor-pay:card' || typeof received !== 'string' || !/^\d{4}$/.test(lastFour)) return;
  token.value = received;
  find('#payment-status', HTMLElement).textContent = `Card ending in ${lastFour} is confirmed.`;
  showError('paymentToken', '');
}
