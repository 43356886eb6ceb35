import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { inScript, page } from './layout.ts';
import type { Site } from './site.ts';

const COLUMNS = ['To do', 'In progress', 'Done'] as const;
type Column = (typeof COLUMNS)[number];

export interface Board {
  /** Titles of the cards, the topmost first. */
  columns: Record<Column, string[]>;
}

const move = z.object({ card: z.string(), column: z.enum(COLUMNS), before: z.string().optional() });
const added = z.object({ title: z.string().trim().min(1) });

/** Cards that are dragged from column to column, and within one. */
export const boardSite: Site<Board> = {
  name: 'board',
  newState: () => ({
    columns: {
      'To do': ['Order paint', 'Call the electrician', 'Sand the floor', 'Choose tiles'],
      'In progress': ['Strip wallpaper', 'Measure windows'],
      Done: ['Empty the attic'],
    },
  }),
  app: state =>
    new Hono()
      .get('/', c => c.html(board()))
      .get('/columns', c => c.json(state.columns))
      .post('/move', async c => {
        const { card, column, before } = move.parse(await c.req.json());
        if (card === before) return c.json(state.columns);
        for (const name of COLUMNS) state.columns[name] = state.columns[name].filter(title => title !== card);
        const cards = state.columns[column];
        const at = before === undefined ? -1 : cards.indexOf(before);
        cards.splice(at === -1 ? cards.length : at, 0, card);
        return c.json(state.columns);
      })
      .post('/cards', async c => {
        state.columns['To do'].push(added.parse(await c.req.json()).title);
        return c.json(state.columns);
      }),
};

function board() {
  const body = html`<form id="add" class="row"><label>New card <input type="text" name="title"></label><button>Add card</button></form>
<p class="muted">Drag a card into a column, or onto another card to put it before that one.</p>
<div id="board" class="row" style="align-items: stretch"></div>`;
  return page(
    { name: 'Renovation board' },
    { title: 'Flat 4B', body, script: `const COLUMNS = ${inScript(COLUMNS)};\n${BOARD_SCRIPT}` },
  );
}

const BOARD_SCRIPT = `
function drawBoard(columns) {
  at('board').replaceChildren(...COLUMNS.map(name => {
    const section = make('section', { ariaLabel: name });
    section.style.cssText = 'flex: 1; min-width: 12rem; min-height: 22rem; background: #eef2f5; padding: .8rem; border-radius: 8px';
    const list = make('ul', { ariaLabel: name });
    list.style.cssText = 'list-style: none; padding: 0; margin: 0; min-height: 18rem';
    list.append(...columns[name].map(title => cardOf(title, name)));
    section.append(make('h2', { textContent: name }), list);
    section.ondragover = event => event.preventDefault();
    section.ondrop = event => drop(event, { column: name });
    return section;
  }));
}

function cardOf(title, column) {
  const card = make('li', { textContent: title, draggable: true, tabIndex: 0 });
  card.style.cssText = 'background: #fff; padding: .6rem; margin: .5rem 0; border: 1px solid #c6d0d8; border-radius: 6px; cursor: grab';
  card.ondragstart = event => event.dataTransfer.setData('text/plain', title);
  card.ondrop = event => drop(event, { column, before: title });
  return card;
}

async function drop(event, target) {
  event.preventDefault();
  event.stopPropagation();
  const card = event.dataTransfer.getData('text/plain');
  if (card !== '') drawBoard(await (await send('/move', { card, ...target })).json());
}

at('add').onsubmit = async event => {
  event.preventDefault();
  const { title } = Object.fromEntries(new FormData(event.target));
  if (title.trim() === '') return;
  drawBoard(await (await send('/cards', { title })).json());
  event.target.reset();
};
fetch('/columns').then(answer => answer.json()).then(drawBoard);
`;
