import Pikaday from 'pikaday';
import 'pikaday/css/pikaday.css';

document.querySelector('#app').innerHTML = `
  <h1>Dentist</h1>
  <label for="visit">Day of the visit</label> <input id="visit">`;
const picker = new Pikaday({
  field: document.querySelector('#visit'),
  defaultDate: new Date(2026, 6, 8),
  setDefaultDate: true,
  minDate: new Date(2026, 6, 6),
  toString: date => date.toLocaleDateString('sv'),
});
window.state = () => picker.toString();
