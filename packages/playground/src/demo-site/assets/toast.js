import { find } from './dom.js';

const SHOWN_MS = 6000;

/** @param {string} message */
export function toast(message) {
  const note = document.createElement('p');
  note.className = 'toast';
  note.textContent = message;
  find('#toasts', HTMLElement).append(note);
  setTimeout(() => note.remove(), SHOWN_MS);
}

/** @param {number} count @param {string} label */
export function showCartCount(count, label) {
  find('#cart-count', HTMLElement).textContent = String(count);
  find('#cart-link', HTMLElement).setAttribute('aria-label', `Cart, ${label}`);
}
