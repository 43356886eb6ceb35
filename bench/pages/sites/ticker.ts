import { htmlDocument } from '../document.ts';
import { h } from '../markup.ts';
import { countScript, plainControls } from './plain.ts';

/** In milliseconds, between two prices. */
const PRICES = [300, 900, 1_700];

/** The controls of the plain page beside what changes all the time by itself: prices, a clock, and a carousel. */
export function ticker(): string {
  return htmlDocument(
    { title: 'Ticker', bare: true, script: `${countScript}\n${ticking}` },
    h('main', {}, h('h1', {}, 'Ticker'), plainControls()),
    h(
      'aside',
      { 'aria-label': 'Market' },
      PRICES.map(every => h('p', {}, `Every ${every} ms: `, h('b', { 'data-every': every }, '100.00'))),
      h('p', {}, 'Time: ', h('time', { id: 'clock' }, '00:00:00')),
      h(
        'section',
        { 'aria-roledescription': 'carousel', 'aria-label': 'Offers' },
        ['Kettles', 'Mugs', 'Trays'].map(name => h('p', { class: 'slide' }, `${name} are cheaper today`)),
      ),
    ),
  );
}

const ticking = `
  for (const price of document.querySelectorAll('[data-every]')) {
    let ticks = 0;
    setInterval(() => { price.textContent = (100 + (++ticks % 17) / 4).toFixed(2); }, Number(price.dataset.every));
  }
  setInterval(() => { clock.textContent = new Date().toTimeString().slice(0, 8); }, 1_000);
  const slides = document.querySelectorAll('.slide');
  let shown = 0;
  const show = () => slides.forEach((slide, index) => { slide.hidden = index !== shown; });
  setInterval(() => { shown = (shown + 1) % slides.length; show(); }, 2_500);
  show();
`;
