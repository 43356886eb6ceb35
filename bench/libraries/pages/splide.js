import Splide from '@splidejs/splide';
import '@splidejs/splide/css';

const places = ['Fjord', 'Glacier', 'Harbour', 'Waterfall', 'Lighthouse'];
document.querySelector('#app').innerHTML = `
  <h1>Trips</h1>
  <section class="splide" aria-label="Places" style="width: 600px"><div class="splide__track"><ul class="splide__list">
    ${places.map(place => `<li class="splide__slide" style="height: 200px; background: #cde"><h2>${place}</h2> <button>Book ${place}</button></li>`).join('')}
  </ul></div></section> <p id="booked"></p>`;
const splide = new Splide('.splide', { type: 'slide' }).mount();
let booked = null;
document.querySelector('#app').addEventListener('click', ({ target }) => {
  if (!target.textContent.startsWith('Book ')) return;
  booked = target.textContent.slice(5);
  document.querySelector('#booked').textContent = `Booked: ${booked}`;
});
window.state = () => ({ slide: splide.index, booked });
