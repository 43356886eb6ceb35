import SlimSelect from 'slim-select';
import 'slim-select/styles';

document.querySelector('#app').innerHTML = `
  <h1>Pizza</h1>
  <label for="topping">Toppings</label>
  <select id="topping" multiple>
    <option>Basil</option><option>Capers</option><option>Ham</option><option>Mushrooms</option><option>Olives</option>
  </select>`;
const select = new SlimSelect({ select: '#topping', settings: { closeOnSelect: false } });
window.state = () => select.getSelected();
