import TomSelect from 'tom-select';
import 'tom-select/dist/css/tom-select.default.css';

const fruits = [
  'Apple',
  'Apricot',
  'Banana',
  'Blackberry',
  'Cherry',
  'Grape',
  'Mango',
  'Orange',
  'Peach',
  'Pear',
  'Plum',
];
document.querySelector('#app').innerHTML = `
  <h1>Basket</h1>
  <label for="fruit">Fruit</label>
  <select id="fruit" multiple>${fruits.map(fruit => `<option>${fruit}</option>`).join('')}</select>`;
const select = new TomSelect('#fruit', { plugins: ['remove_button'], items: ['Plum'] });
window.state = () => select.items;
