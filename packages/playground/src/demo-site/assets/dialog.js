import { find } from './dom.js';

for (const opener of document.querySelectorAll('[data-opens]')) {
  const dialog = find(`#${opener.getAttribute('data-opens')}`, HTMLDialogElement);
  opener.addEventListener('click', () => dialog.showModal());
  // A click on the backdrop has the dialog itself as its target.
  dialog.addEventListener('click', event => event.target === dialog && dialog.close());
}
