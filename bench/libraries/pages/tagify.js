import Tagify from '@yaireo/tagify';
import '@yaireo/tagify/dist/tagify.css';

document.querySelector('#app').innerHTML = `
  <h1>Article</h1>
  <label for="topics">Topics</label>
  <input id="topics" value="rivers, lakes">`;
const tagify = new Tagify(document.querySelector('#topics'), {
  whitelist: ['rivers', 'lakes', 'mountains', 'moors', 'forests'],
  dropdown: { enabled: 1 },
});
window.state = () => tagify.value.map(({ value }) => value);
