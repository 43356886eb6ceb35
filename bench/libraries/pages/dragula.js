import dragula from 'dragula';
import 'dragula/dist/dragula.css';

const card = name =>
  `<li class="card" style="padding: 10px; margin: 4px; background: #fea; list-style: none">${name}</li>`;
const column = (name, cards) =>
  `<section style="width: 220px"><h2>${name}</h2><ul id="${name.toLowerCase()}" aria-label="${name}" style="min-height: 160px; padding: 8px; background: #eee">${cards.map(card).join('')}</ul></section>`;
document.querySelector('#app').innerHTML =
  `<h1>Board</h1> <div style="display: flex; gap: 16px">${column('Planned', ['Paint the door', 'Mend the roof', 'Cut the hedge'])}${column('Doing', [])}${column('Done', ['Sweep the yard'])}</div>`;
dragula(['planned', 'doing', 'done'].map(id => document.getElementById(id)));
window.state = () =>
  Object.fromEntries(
    ['planned', 'doing', 'done'].map(id => [
      id,
      [...document.getElementById(id).children].map(({ textContent }) => textContent),
    ]),
  );
