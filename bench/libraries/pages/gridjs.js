import { Grid } from 'gridjs';
import 'gridjs/dist/theme/mermaid.css';

const app = document.querySelector('#app');
app.innerHTML = '<h1>Parcels</h1> <div id="grid"></div>';
const data = Array.from({ length: 42 }, (_, index) => [
  `P-${1000 + index * 7}`,
  `${(index * 29) % 83} kg`,
  ['waiting', 'sent', 'lost'][index % 3],
]);
new Grid({ columns: ['Number', 'Weight', 'State'], data, search: true, sort: true, pagination: { limit: 8 } }).render(
  document.querySelector('#grid'),
);
let opened = null;
app.addEventListener('click', ({ target }) => {
  const row = target.closest('tbody tr');
  if (row) opened = row.firstChild.textContent;
});
window.state = () => opened;
