import intlTelInput from 'intl-tel-input';
import 'intl-tel-input/dist/css/intlTelInput.css';

document.querySelector('#app').innerHTML = `
  <h1>Call me back</h1>
  <label for="phone">Phone number</label> <input id="phone" type="tel">`;
const phone = intlTelInput(document.querySelector('#phone'), { initialCountry: 'us' });
window.state = () => [
  phone.getSelectedCountry?.()?.iso2 ?? phone.getSelectedCountryData().iso2,
  document.querySelector('#phone').value,
];
