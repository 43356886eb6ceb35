/** What an agent's action or a page's own script does to a page before it is looked at again. */
export type Change = 'node' | 'text' | 'class' | 'list';

export const changes: readonly Change[] = ['node', 'text', 'class', 'list'];

/**
 * Changes the page, another time at each call: a node more, another text, a class on the body that restyles everything, or
 * the largest list (or what comes closest) with new elements in the place of the old ones.
 */
export function changePage({ change, turn }: { change: Change; turn: number }): void {
  const { body } = document;
  if (change === 'class') {
    const id = 'bench-restyle';
    if (document.getElementById(id) === null) {
      const sheet = Object.assign(document.createElement('style'), { id });
      sheet.textContent = '.bench-odd * { letter-spacing: 0.1px }';
      document.head.append(sheet);
    }
    body.classList.toggle('bench-odd', turn % 2 === 1);
    return;
  }
  if (change === 'list') {
    const lists = [...document.querySelectorAll('ul, ol, table tbody, main, section, div')].filter(
      list => list.children.length > 2,
    );
    const largest = lists.toSorted((a, b) => b.children.length - a.children.length)[0];
    largest?.replaceChildren(...[...largest.children].map(child => child.cloneNode(true)));
    return;
  }
  const heading = document.querySelector('h1, h2, h3, p, a') ?? body;
  if (change === 'text') {
    const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    const text = walker.nextNode() as Text | null;
    if (text !== null) text.data = `${text.data.replace(/ \(\d+\)$/, '')} (${turn})`;
    return;
  }
  const added = document.createElement('button');
  added.textContent = `Item ${turn}`;
  heading.after(added);
}
