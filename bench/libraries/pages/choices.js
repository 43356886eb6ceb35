import Choices from 'choices.js';
import 'choices.js/public/assets/styles/choices.css';

const countries = [
  'Austria',
  'Belgium',
  'Denmark',
  'Finland',
  'France',
  'Germany',
  'Iceland',
  'Norway',
  'Spain',
  'Sweden',
];
document.querySelector('#app').innerHTML = `
  <h1>Delivery</h1>
  <label for="country">Country</label>
  <select id="country">${countries.map(country => `<option>${country}</option>`).join('')}</select>`;
const choices = new Choices('#country', { shouldSort: false });
window.state = () => choices.getValue(true);
