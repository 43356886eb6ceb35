import Datepicker from 'vanillajs-datepicker/Datepicker';
import 'vanillajs-datepicker/css/datepicker.css';

document.querySelector('#app').innerHTML = `
  <h1>Passport</h1>
  <label for="birthday">Date of birth</label> <input id="birthday" value="2026-02-03">`;
const picker = new Datepicker(document.querySelector('#birthday'), { format: 'yyyy-mm-dd', autohide: true });
window.state = () => picker.getDate('yyyy-mm-dd');
