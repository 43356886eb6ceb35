import Pickr from '@simonwep/pickr';
import '@simonwep/pickr/dist/themes/classic.min.css';

document.querySelector('#app').innerHTML = '<h1>Theme</h1> <p>Colour of links</p> <div id="colour"></div>';
let saved = null;
const pickr = Pickr.create({
  el: '#colour',
  theme: 'classic',
  default: '#3366cc',
  swatches: ['#aa0000', '#00aa00', '#0000aa'],
  components: { preview: true, hue: true, interaction: { hex: true, input: true, save: true } },
});
pickr.on('save', colour => {
  saved = colour.toHEXA().toString();
  pickr.hide();
});
window.state = () => saved;
