import '@shoelace-style/shoelace/dist/themes/light.css';
import '@shoelace-style/shoelace/dist/components/button/button.js';
import '@shoelace-style/shoelace/dist/components/checkbox/checkbox.js';
import '@shoelace-style/shoelace/dist/components/drawer/drawer.js';
import '@shoelace-style/shoelace/dist/components/input/input.js';
import '@shoelace-style/shoelace/dist/components/option/option.js';
import '@shoelace-style/shoelace/dist/components/range/range.js';
import '@shoelace-style/shoelace/dist/components/rating/rating.js';
import '@shoelace-style/shoelace/dist/components/select/select.js';

document.querySelector('#app').innerHTML = `
  <h1>Bicycles</h1>
  <sl-button id="open">New bicycle</sl-button>
  <sl-drawer label="New bicycle">
    <sl-input name="name" label="Name"></sl-input>
    <sl-select name="kind" label="Kind"><sl-option value="road">Road</sl-option><sl-option value="city">City</sl-option><sl-option value="cargo">Cargo</sl-option></sl-select>
    <sl-range name="gears" label="Gears" min="1" max="27" value="7"></sl-range>
    <sl-checkbox name="electric">Electric</sl-checkbox>
    <sl-rating label="Condition" value="2"></sl-rating>
    <sl-button slot="footer" id="save" variant="primary">Save</sl-button>
  </sl-drawer>`;
const drawer = document.querySelector('sl-drawer');
const field = name => drawer.querySelector(`[name=${name}]`);
document.querySelector('#open').onclick = () => drawer.show();
let saved = null;
document.querySelector('#save').onclick = () => {
  saved = {
    name: field('name').value,
    kind: field('kind').value,
    gears: field('gears').value,
    electric: field('electric').checked,
  };
  drawer.hide();
};
window.state = () => saved;
