import flatpickr from 'flatpickr';
import 'flatpickr/dist/flatpickr.css';

document.querySelector('#app').innerHTML = `
  <h1>Book a room</h1>
  <label for="arrival">Arrival</label> <input id="arrival">`;
const picker = flatpickr('#arrival', { defaultDate: '2026-03-12', dateFormat: 'Y-m-d' });
window.state = () => picker.formatDate(picker.selectedDates[0], 'Y-m-d');
