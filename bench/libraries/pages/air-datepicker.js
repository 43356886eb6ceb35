import AirDatepicker from 'air-datepicker';
import en from 'air-datepicker/locale/en';
import 'air-datepicker/air-datepicker.css';

document.querySelector('#app').innerHTML = `
  <h1>Holiday</h1>
  <label for="days">First and last day</label> <input id="days" size="30">`;
const picker = new AirDatepicker('#days', {
  locale: en.default ?? en,
  range: true,
  startDate: '2026-05-10',
  dateFormat: 'yyyy-MM-dd',
  multipleDatesSeparator: ' to ',
  buttons: ['clear'],
});
window.state = () => picker.selectedDates.map(date => picker.formatDate(date, 'yyyy-MM-dd'));
