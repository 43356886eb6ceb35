import { TabulatorFull } from 'tabulator-tables';
import 'tabulator-tables/dist/css/tabulator.css';

document.querySelector('#app').innerHTML = '<h1>Stock</h1><div id="stock"></div>';
const names = ['Bolt', 'Nut', 'Washer', 'Screw', 'Nail', 'Hinge', 'Bracket', 'Hook'];
const table = new TabulatorFull('#stock', {
  height: 240,
  layout: 'fitColumns',
  data: Array.from({ length: 200 }, (_, index) => ({
    id: index + 1,
    name: `${names[index % names.length]} ${index + 1}`,
    price: 3 + ((index * 37) % 101),
    count: 10,
  })),
  columns: [
    { title: 'Name', field: 'name', headerFilter: 'input' },
    { title: 'Price', field: 'price', sorter: 'number' },
    { title: 'Count', field: 'count', editor: 'input' },
  ],
});
window.state = () => ({
  sorted: table.getSorters().map(({ field, dir }) => `${field} ${dir}`),
  changed: table
    .getData()
    .filter(({ count }) => `${count}` !== '10')
    .map(({ name, count }) => `${name}: ${count}`),
});
