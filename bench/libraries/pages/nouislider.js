import noUiSlider from 'nouislider';
import 'nouislider/dist/nouislider.css';

document.querySelector('#app').innerHTML = `
  <h1>Flats</h1>
  <h2 id="rent">Rent a month</h2>
  <div id="slider" style="margin: 40px"></div>
  <output id="range"></output>`;
const box = document.querySelector('#slider');
const slider = noUiSlider.create(box, {
  start: [400, 1600],
  step: 50,
  connect: true,
  range: { min: 0, max: 2000 },
  format: { to: Math.round, from: Number },
  handleAttributes: [{ 'aria-label': 'Lowest rent' }, { 'aria-label': 'Highest rent' }],
});
slider.on('update', values => {
  document.querySelector('#range').textContent = `${values[0]} to ${values[1]} euros`;
});
window.state = () => slider.get();
