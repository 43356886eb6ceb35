import { htmlDocument } from '../document.ts';
import { h } from '../markup.ts';

/** The page on which actions are timed: one control of each kind and nothing else that could cost time. */
export function plain(): string {
  return htmlDocument(
    {
      title: 'Plain',
      bare: true,
      // A click that does nothing is rare, and looked at for longer.
      script: "let n = 0; document.getElementById('count').onclick = () => { total.textContent = ++n }",
    },
    h(
      'main',
      {},
      h('h1', {}, 'Plain'),
      h('button', { id: 'count', type: 'button' }, 'Count'),
      h('p', { id: 'total' }, '0'),
      h('label', {}, 'Name ', h('input', { id: 'name' })),
      h(
        'label',
        {},
        'Colour ',
        h(
          'select',
          { id: 'colour' },
          ['Red', 'Green', 'Blue'].map(name => h('option', {}, name)),
        ),
      ),
    ),
  );
}
