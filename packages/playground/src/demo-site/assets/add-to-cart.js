import { formBody } from './dom.js';
import { showCartCount, toast } from './toast.js';

document.addEventListener('submit', event => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-add]')) return;
  event.preventDefault();
  add(form).catch(() => toast('That did not work. Check your connection and try again.'));
});

/** @param {HTMLFormElement} form */
async function add(form) {
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: formBody(form),
  });
  if (!response.ok) return toast(await response.text());
  const { count, label, message } = await response.json();
  showCartCount(count, label);
  toast(message);
}
