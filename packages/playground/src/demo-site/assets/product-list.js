import { find } from './dom.js';

const DEBOUNCE_MS = 200;
const TYPED = ['search', 'number'];

/** @type {Record<string, (a: HTMLElement, b: HTMLElement) => number>} */
const ORDERS = {
  featured: (a, b) => featured.indexOf(a) - featured.indexOf(b),
  'price-up': (a, b) => Number(a.dataset.price) - Number(b.dataset.price),
  'price-down': (a, b) => Number(b.dataset.price) - Number(a.dataset.price),
  name: (a, b) => (a.dataset.name ?? '').localeCompare(b.dataset.name ?? ''),
};

const form = find('#filters', HTMLFormElement);
const list = find('#cards', HTMLUListElement);
const panel = find('#filter-panel', HTMLDetailsElement);
const featured = /** @type {HTMLElement[]} */ ([...list.children]);

/** @type {number | undefined} */
let pending;

fillFromAddress();
update();
form.addEventListener('submit', event => event.preventDefault());
// Search and sort belong to the form but stand outside it, so their events pass it by.
document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement) || target.form !== form) return;
  clearTimeout(pending);
  pending = setTimeout(update, TYPED.includes(target.type) ? DEBOUNCE_MS : 0);
});
// The controls have their first values back only after the event has run its course.
form.addEventListener('reset', () => setTimeout(update));

const wide = matchMedia('(min-width: 60rem)');
const fitPanel = () => {
  panel.open = wide.matches;
};
wide.addEventListener('change', fitPanel);
fitPanel();

function update() {
  const data = new FormData(form);
  for (const card of featured) card.hidden = !matches(card, data);
  list.append(...[...featured].sort(ORDERS[String(data.get('sort'))]));
  const shown = featured.filter(card => !card.hidden).length;
  find('#result-count', HTMLElement).textContent = `${shown} product${shown === 1 ? '' : 's'}`;
  find('#nothing', HTMLElement).hidden = shown > 0;
  keepInAddress(data);
}

/** @param {HTMLElement} card @param {FormData} data */
function matches(card, data) {
  const words = String(data.get('search')).toLowerCase().split(/\s+/).filter(Boolean);
  const text = (card.dataset.text ?? '').toLowerCase();
  const categories = data.getAll('category');
  const dollars = Number(card.dataset.price) / 100;
  const [min, max] = [data.get('min'), data.get('max')];
  return (
    words.every(word => text.includes(word)) &&
    (categories.length === 0 || categories.includes(card.dataset.category ?? '')) &&
    (!min || dollars >= Number(min)) &&
    (!max || dollars <= Number(max)) &&
    (!data.has('stock') || Number(card.dataset.stock) > 0)
  );
}

/** @param {FormData} data */
function keepInAddress(data) {
  const entries = [...data].filter(([name, value]) => value !== '' && !(name === 'sort' && value === 'featured'));
  const query = new URLSearchParams(/** @type {[string, string][]} */ (entries)).toString();
  history.replaceState(null, '', query ? `?${query}` : location.pathname);
}

function fillFromAddress() {
  for (const [name, value] of new URLSearchParams(location.search)) {
    for (const control of form.elements) {
      if (control instanceof HTMLInputElement && control.type === 'checkbox') {
        if (control.name === name && control.value === value) control.checked = true;
      } else if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
        if (control.name === name) control.value = value;
      }
    }
  }
}
