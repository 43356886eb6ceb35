import * as L from 'leaflet';
import 'leaflet/dist/leaflet.css';

document.querySelector('#app').innerHTML = '<h1>Huts</h1> <div id="map" style="height: 360px; width: 640px"></div>';
const map = L.map('map', { attributionControl: false, zoomAnimation: false }).setView([60.5, 7.5], 8);
const huts = { Finse: [60.6, 7.5], Haugastøl: [60.51, 7.87], Krækkja: [60.4, 7.4] };
let opened = null;
for (const [name, place] of Object.entries(huts)) {
  const icon = L.divIcon({ html: `<b>${name}</b>`, iconSize: [80, 20] });
  L.marker(place, { icon, title: name, alt: name })
    .addTo(map)
    .bindPopup(`<h2>${name}</h2> <button id="reserve">Reserve a bed</button>`);
}
let reserved = null;
map.on('popupopen', ({ popup }) => {
  opened = popup.getElement().querySelector('h2').textContent;
  popup.getElement().querySelector('button').onclick = ({ target }) => {
    reserved = opened;
    target.textContent = 'Reserved';
  };
});
window.state = () => ({ zoom: map.getZoom(), reserved });
