import { GridStack } from 'gridstack';
import 'gridstack/dist/gridstack.css';

document.querySelector('#app').innerHTML =
  '<h1>Dashboard</h1> <div class="grid-stack" style="width: 900px; background: #eee"></div>';
GridStack.renderCB = (element, { content }) => {
  element.textContent = content;
};
const grid = GridStack.init({ cellHeight: 80, column: 6, float: true });
for (const [id, x] of [
  ['Weather', 0],
  ['Mail', 2],
  ['Stocks', 4],
])
  grid.addWidget({ id, x, y: 0, w: 2, h: 2, content: id });
window.state = () => {
  const at = name => grid.engine.nodes.find(({ id }) => id === name);
  return { below: at('Weather').y >= 2, mail: at('Mail').y };
};
