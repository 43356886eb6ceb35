import { htmlDocument } from '../document.ts';
import { box, h, icon, text, times } from '../markup.ts';
import { capitalise, type Random } from '../random.ts';

/** Every control lives in an open shadow root, some of them nested; text is slotted from outside. */
export function webComponents(random: Random): string {
  return htmlDocument(
    { title: 'Settings - Components' },
    component(
      'x-header',
      h(
        'header',
        { class: 'row' },
        h('a', { href: '/' }, 'Components'),
        h(
          'nav',
          {},
          ['Home', 'Teams', 'Billing'].map(name => h('a', { href: `/${name}` }, name)),
        ),
      ),
    ),
    h(
      'main',
      { class: 'wrap' },
      h('h1', {}, 'Settings'),
      times(10, index => panel(random, index)),
    ),
  );
}

const shadowStyle = h(
  'style',
  {},
  ':host { display: block } .bar { display: flex; gap: 8px } button { cursor: pointer } [hidden] { display: none } .chip { cursor: pointer; border: 1px solid #999; border-radius: 9px; padding: 0 6px }',
);

function component(name: string, shadow: string, ...light: string[]): string {
  return h(name, {}, h('template', { shadowrootmode: 'open' }, shadowStyle, shadow), ...light);
}

function panel(random: Random, index: number): string {
  const rows = times(6, row =>
    component(
      'x-row',
      box('bar', control(random, `${index}-${row}`), h('slot', {})),
      h('span', {}, text(random.phrase(2, 5))),
    ),
  );
  const toolbar = component(
    'x-toolbar',
    box(
      'bar',
      times(3, () =>
        component('x-button', h('button', {}, icon(), h('slot', {})), text(capitalise(random.phrase(1, 2)))),
      ),
    ),
  );
  return component(
    'x-panel',
    h(
      'section',
      {},
      h('h2', {}, h('slot', { name: 'title' })),
      toolbar,
      h('slot', {}),
      h('div', { hidden: true }, h('button', {}, 'Hidden action')),
    ),
    h('span', { slot: 'title' }, text(capitalise(random.phrase(2, 3)))),
    ...rows,
  );
}

function control(random: Random, id: string): string {
  const label = capitalise(random.phrase(1, 2));
  return random.pick([
    component('x-field', h('label', { for: 'f' }, text(label)) + h('input', { id: 'f', name: id })),
    component('x-check', h('label', {}, h('input', { type: 'checkbox' }), text(label))),
    component(
      'x-select',
      h(
        'select',
        { 'aria-label': label },
        ['Low', 'Medium', 'High'].map(name => h('option', {}, name)),
      ),
    ),
    component('x-chip', h('span', { class: 'chip' }, text(label))),
    component(
      'x-tabs',
      h(
        'div',
        { role: 'tablist' },
        times(3, index =>
          h(
            'div',
            { role: 'tab', tabindex: index === 0 ? 0 : -1, 'aria-selected': index === 0 ? 'true' : 'false' },
            text(random.phrase(1, 1)),
          ),
        ),
      ),
    ),
  ]);
}
