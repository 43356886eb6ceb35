import { htmlDocument } from '../document.ts';
import { box, h, icon, text, times } from '../markup.ts';
import type { Random } from '../random.ts';
import { withChrome } from '../site-chrome.ts';

export function booking(random: Random): string {
  const content = [
    h('h1', {}, 'Find a flight'),
    searchPanel(random),
    h('section', { 'aria-label': 'Flights' }, sorting(), ...times(16, i => flight(random, i))),
  ].join('');
  return htmlDocument(
    { title: 'Find a flight - Skyline', css: calendarCss },
    ...withChrome(random, { brand: 'Skyline', sections: 6, footerLinks: 24 }, content),
  );
}

const calendarCss = `
.panel { position: relative } .field { display: flex; flex-direction: column; border: 1px solid #bcc; border-radius: 6px; padding: 4px 8px } .field input { border: 0 } .tab[aria-selected=true] { border-bottom: 2px solid #06c }
.picker { display: flex; gap: 24px; border: 1px solid #ccd; padding: 12px; background: #fff } .picker td { padding: 1px } .picker td button { width: 34px; height: 30px; padding: 0; border: 0 } .picker td button[aria-selected=true] { background: #06c; color: #fff }
.flight { display: grid; grid-template-columns: 60px 1fr 1fr 120px; gap: 8px; align-items: center; cursor: pointer } .leg::after { content: "→" } .listbox { display: none; position: absolute } .switchable { user-select: none }`;

function searchPanel(random: Random): string {
  const tabs = ['Return', 'One way', 'Multi-city'].map((name, i) =>
    h(
      'button',
      { class: 'tab', role: 'tab', 'aria-selected': i === 0 ? 'true' : 'false', tabindex: i === 0 ? 0 : -1 },
      name,
    ),
  );
  return h(
    'form',
    { class: 'panel card stack', 'aria-label': 'Flight search' },
    h('div', { role: 'tablist', class: 'row' }, tabs),
    box(
      'row',
      airport(random, 'From', 'Bergen (BGO)'),
      h('button', { type: 'button', 'aria-label': 'Swap origin and destination' }, icon()),
      airport(random, 'To', ''),
      dateField('Depart', '12 Nov 2026'),
      dateField('Return', '19 Nov 2026'),
    ),
    h(
      'div',
      { class: 'picker', role: 'dialog', 'aria-label': 'Choose dates' },
      h('button', { type: 'button', 'aria-label': 'Previous month' }, icon()),
      month('November 2026', 30, 6),
      month('December 2026', 31, 1),
      h('button', { type: 'button', 'aria-label': 'Next month' }, icon()),
    ),
    box('grid four', ['Adults', 'Children', 'Infants'].map(stepper), cabinClass()),
    h('label', { class: 'row' }, h('input', { type: 'checkbox' }), 'Direct flights only'),
    h('button', { type: 'submit' }, 'Search flights'),
  );
}

function airport(random: Random, label: string, value: string): string {
  const id = `airport-${label}`;
  const options = times(6, () => h('li', { role: 'option', 'aria-selected': 'false' }, text(random.phrase(2, 3))));
  return box(
    'field',
    h('label', { for: id, class: 'muted' }, label),
    h('input', {
      id,
      role: 'combobox',
      'aria-expanded': 'false',
      'aria-controls': `${id}-list`,
      autocomplete: 'off',
      value,
      placeholder: 'City or airport',
    }),
    h('ul', { id: `${id}-list`, role: 'listbox', class: 'listbox plain' }, options),
  );
}

function dateField(label: string, value: string): string {
  return box(
    'field',
    h('label', { for: `date-${label}`, class: 'muted' }, label),
    h('input', { id: `date-${label}`, value, readonly: true, 'aria-haspopup': 'dialog' }),
  );
}

function month(name: string, days: number, offset: number): string {
  const day = (position: number) => {
    const date = position - offset + 1;
    if (date < 1 || date > days) return h('td', { role: 'gridcell' });
    const disabled = name.startsWith('November') && date < 5;
    return h(
      'td',
      { role: 'gridcell' },
      h(
        'button',
        {
          type: 'button',
          'aria-label': `${date} ${name}`,
          disabled: disabled || undefined,
          'aria-selected': date === 12 ? 'true' : undefined,
          tabindex: date === 12 ? 0 : -1,
        },
        String(date),
      ),
    );
  };
  const week = (index: number) =>
    h(
      'tr',
      { role: 'row' },
      times(7, column => day(index * 7 + column)),
    );
  const head = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map(dayName =>
    h('th', { scope: 'col' }, h('abbr', { title: dayName }, dayName)),
  );
  return h(
    'div',
    { class: 'month' },
    h('h2', { 'aria-live': 'polite' }, name),
    h('table', { role: 'grid', 'aria-label': name }, h('thead', {}, h('tr', {}, head)), h('tbody', {}, times(6, week))),
  );
}

function stepper(name: string): string {
  return box(
    'row switchable',
    h('span', {}, name),
    h(
      'button',
      { type: 'button', 'aria-label': `Fewer ${name.toLowerCase()}`, disabled: name !== 'Adults' || undefined },
      '−',
    ),
    h('output', {}, name === 'Adults' ? '1' : '0'),
    h('button', { type: 'button', 'aria-label': `More ${name.toLowerCase()}` }, '+'),
  );
}

function cabinClass(): string {
  return h(
    'label',
    {},
    'Cabin ',
    h(
      'select',
      {},
      ['Economy', 'Premium economy', 'Business', 'First'].map(name => h('option', {}, name)),
    ),
  );
}

function sorting(): string {
  return h(
    'div',
    { class: 'row', role: 'radiogroup', 'aria-label': 'Sort by' },
    ['Best', 'Cheapest', 'Fastest'].map((name, i) =>
      h(
        'div',
        {
          role: 'radio',
          'aria-checked': i === 0 ? 'true' : 'false',
          tabindex: i === 0 ? 0 : -1,
          class: 'card',
          style: 'cursor:pointer',
        },
        h('span', {}, name),
        h('span', { class: 'muted' }, ' $129'),
      ),
    ),
  );
}

function flight(random: Random, index: number): string {
  const leg = () =>
    box(
      'stack',
      box(
        'row leg',
        h('strong', {}, `${random.int(5, 22)}:${random.pick(['05', '20', '45'])}`),
        h('span', { class: 'badge' }, random.pick(['Direct', '1 stop'])),
      ),
      h('span', { class: 'muted' }, `${random.int(1, 9)} h ${random.int(10, 59)}`),
      h('span', {}, text(random.phrase(1, 2))),
    );
  return h(
    'div',
    { class: `flight card ${random.hash()}`, 'data-offer': index },
    h('span', {}, icon()),
    leg(),
    leg(),
    box(
      'stack',
      h('strong', {}, random.price()),
      h('button', {}, 'Select'),
      h('button', { 'aria-expanded': 'false', 'aria-label': `Details of flight ${index + 1}` }, icon()),
      h(
        'div',
        { class: 'hidden' },
        h('p', {}, text(random.paragraph())),
        h('a', { href: `/fare/${index}` }, 'Fare rules'),
      ),
    ),
  );
}
