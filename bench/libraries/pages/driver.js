import { driver } from 'driver.js';
import 'driver.js/dist/driver.css';

document.querySelector('#app').innerHTML =
  '<h1>Mail</h1> <button id="write">Write</button> <input id="search" aria-label="Search mail"> <p id="said">Nothing written</p>';
document.querySelector('#write').onclick = () => {
  document.querySelector('#said').textContent = 'A letter was begun';
};
const tour = driver({
  animate: false,
  steps: [
    { element: '#write', popover: { title: 'Write', description: 'Begin a letter here.' } },
    { element: '#search', popover: { title: 'Search', description: 'Find old letters here.' } },
  ],
});
tour.drive();
window.state = () => ({ isActive: tour.isActive(), said: document.querySelector('#said').textContent });
