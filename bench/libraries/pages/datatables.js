import DataTable from 'datatables.net-dt';
import 'datatables.net-dt/css/dataTables.dataTables.css';

const towns = ['Alta', 'Bodø', 'Drammen', 'Hamar', 'Larvik', 'Molde', 'Narvik', 'Røros', 'Skien', 'Voss'];
document.querySelector('#app').innerHTML =
  '<h1>Members</h1> <table id="members"></table> <p id="chosen">Nobody chosen</p>';
const table = new DataTable('#members', {
  data: Array.from({ length: 57 }, (_, index) => [
    `Member ${index + 1}`,
    towns[(index * 7) % 10],
    1950 + ((index * 13) % 60),
    '<button>Invite</button>',
  ]),
  columns: [{ title: 'Name' }, { title: 'Town' }, { title: 'Born' }, { title: 'Action', orderable: false }],
});
const invited = [];
document.querySelector('#members').addEventListener('click', ({ target }) => {
  if (target.tagName !== 'BUTTON') return;
  invited.push(table.row(target.closest('tr')).data()[0]);
  document.querySelector('#chosen').textContent = `Invited: ${invited.join(', ')}`;
});
window.state = () => ({
  invited,
  page: table.page(),
  order: table.order().map(([column, way]) => [column, way]),
  search: table.search(),
});
