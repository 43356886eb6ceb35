import 'vanilla-colorful/hex-color-picker.js';
import 'vanilla-colorful/hex-input.js';

document.querySelector('#app').innerHTML = `
  <h1>Paint</h1>
  <hex-color-picker color="#336699"></hex-color-picker>
  <p>Chosen: <output id="chosen">#336699</output></p>
  <button id="order">Order this colour</button> <p id="ordered"></p>`;
const picker = document.querySelector('hex-color-picker');
picker.addEventListener('color-changed', ({ detail }) => {
  document.querySelector('#chosen').textContent = detail.value;
});
document.querySelector('#order').onclick = () => {
  document.querySelector('#ordered').textContent = `Ordered ${picker.color}`;
};
window.state = () => {
  const [red, green, blue] = picker.color.match(/[0-9a-f]{2}/g).map(hex => Number.parseInt(hex, 16));
  return {
    isGreen: green > red && green > blue,
    ordered: document.querySelector('#ordered').textContent === `Ordered ${picker.color}`,
  };
};
