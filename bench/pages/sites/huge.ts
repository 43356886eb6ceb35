import { htmlDocument } from '../document.ts';
import { h, link, text, times } from '../markup.ts';
import type { Random } from '../random.ts';

export type HugeKind = 'elements' | 'text' | 'frames' | 'depth' | 'all';

/** The page an agent must survive: each kind alone, and all at once. */
export function hugePage(random: Random, kind: HugeKind): string {
  const wants = (part: HugeKind) => kind === 'all' || kind === part;
  return htmlDocument(
    { title: `Huge: ${kind}`, script: wants('depth') ? deepScript : '' },
    h('h1', {}, 'Huge'),
    h('button', {}, 'First'),
    wants('elements') ? elements(random, 100_000) : '',
    wants('text') ? times(4, () => h('p', {}, text(textOfLength(random, 2 ** 20)))) : '',
    wants('frames')
      ? times(100, index =>
          h('iframe', { src: `/frame/advert-${index}`, title: `Frame ${index}`, width: 200, height: 60 }),
        )
      : '',
    h('div', { id: 'deep' }),
    h('button', {}, 'Last'),
  );
}

// A parser stops nesting at 512 levels: only a script makes a tree this deep. Inline elements, for laying out
// 3,000 nested blocks crashes Chromium's renderer by itself, whoever looks at the page.
const deepScript = `
let at = document.getElementById('deep');
for (let level = 0; level < 5000; level++) at = at.appendChild(document.createElement(level % 50 ? 'span' : 'em'));
at.appendChild(Object.assign(document.createElement('button'), { textContent: 'Deepest' }));`;

function elements(random: Random, count: number): string {
  const entry = (index: number) =>
    h(
      'li',
      {},
      h('div', {}, h('span', {}, String(index)), link(`/i/${index}`, random.phrase(2, 3)), h('button', {}, 'Open')),
    );
  return h('ul', { class: 'plain' }, times(Math.ceil(count / 5), entry));
}

function textOfLength(random: Random, length: number): string {
  const sample = random.paragraph(20, 20);
  return sample.repeat(Math.ceil(length / sample.length)).slice(0, length);
}
