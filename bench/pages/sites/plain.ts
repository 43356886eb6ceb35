import { htmlDocument } from '../document.ts';
import { h } from '../markup.ts';

/** The page on which actions are timed: one control of each kind and nothing else that could cost time. */
export function plain(): string {
  return htmlDocument(
    {
      title: 'Plain',
      bare: true,
      script: "let n = 0; document.getElementById('count').onclick = e => { e.currentTarget.dataset.count = ++n }",
    },
    h(
      'main',
      {},
      h('h1', {}, 'Plain'),
      h('button', { id: 'count', type: 'button' }, 'Count'),
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
