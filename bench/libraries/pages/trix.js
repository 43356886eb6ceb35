import 'trix';
import 'trix/dist/trix.css';

document.querySelector('#app').innerHTML = `
  <h1>Comment</h1>
  <input id="comment" type="hidden" value="<div>It rains.</div>">
  <trix-editor input="comment"></trix-editor>`;
window.state = () => document.querySelector('#comment').value;
