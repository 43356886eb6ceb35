import tippy from 'tippy.js';
import 'tippy.js/dist/tippy.css';

document.querySelector('#app').innerHTML = `
  <h1>Order 7</h1>
  <button id="fee" aria-label="About the fee">?</button>
  <button id="more">More</button>
  <p id="done">Nothing done</p>
  <div id="menu" hidden><button>Repeat order</button> <button>Cancel order</button></div>`;
let isSeen = false;
let done = null;
tippy('#fee', {
  content: 'Three euros, by boat.',
  onShown: () => {
    isSeen = true;
  },
});
const menu = document.querySelector('#menu');
menu.hidden = false;
tippy('#more', { content: menu, interactive: true, trigger: 'click', placement: 'bottom' });
menu.addEventListener('click', ({ target }) => {
  done = target.textContent;
  document.querySelector('#done').textContent = `Done: ${done}`;
});
window.state = () => ({ isSeen, done });
