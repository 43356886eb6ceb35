import '@material/web/all.js';

document.querySelector('#app').innerHTML = `
  <h1>Alarm</h1>
  <md-tabs aria-label="Parts"><md-primary-tab id="time-tab" aria-controls="time">Time</md-primary-tab><md-primary-tab id="sound-tab" aria-controls="sound">Sound</md-primary-tab></md-tabs>
  <div id="time" role="tabpanel" aria-labelledby="time-tab"><md-outlined-text-field label="Hour" value="6" type="number"></md-outlined-text-field></div>
  <div id="sound" role="tabpanel" aria-labelledby="sound-tab" hidden>
    <md-filled-select label="Melody"><md-select-option value="bell"><div slot="headline">Bell</div></md-select-option><md-select-option value="birds"><div slot="headline">Birds</div></md-select-option></md-filled-select>
    <label><md-switch aria-label="Vibrate"></md-switch> Vibrate</label>
    <md-slider aria-label="Loudness" min="0" max="10" value="3"></md-slider>
    <md-chip-set aria-label="Days"><md-filter-chip label="Saturday"></md-filter-chip><md-filter-chip label="Sunday"></md-filter-chip></md-chip-set>
  </div>`;
const find = selector => document.querySelector(selector);
find('md-tabs').addEventListener('change', ({ target }) => {
  find('#time').hidden = target.activeTabIndex !== 0;
  find('#sound').hidden = target.activeTabIndex !== 1;
});
window.state = () => ({
  melody: find('md-filled-select').value,
  vibrates: find('md-switch').selected,
  loudness: find('md-slider').value,
  days: [...document.querySelectorAll('md-filter-chip')].filter(chip => chip.selected).map(chip => chip.label),
});
