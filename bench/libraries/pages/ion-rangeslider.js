import jQuery from 'jquery';
import 'ion-rangeslider';
import 'ion-rangeslider/css/ion.rangeSlider.css';

document.querySelector('#app').innerHTML = `
  <h1>Loudness</h1>
  <div style="margin: 30px"><label for="loudness">Loudness in per cent</label> <input id="loudness"></div>`;
jQuery('#loudness').ionRangeSlider({ min: 0, max: 100, from: 30, step: 5, skin: 'round', grid: true });
window.state = () => jQuery('#loudness').data('ionRangeSlider').result.from;
