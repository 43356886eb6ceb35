import { htmlDocument } from '../document.ts';
import { h } from '../markup.ts';

/** A click that does nothing is rare, and looked at for longer. */
export const countScript = "let n = 0; document.getElementById('count').onclick = () => { total.textContent = ++n }";

/** One control of each kind. */
export function plainControls(): string[] {
  return [
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
  ];
}

/** The page on which actions are timed: one control of each kind and nothing else that could cost time. */
export function plain(): string {
  return htmlDocument(
    { title: 'Plain', bare: true, script: countScript },
    h('main', {}, h('h1', {}, 'Plain'), plainControls()),
  );
}
