/** The table as the page runs it: sorted by a click on a head, filtered, ten rows a page, edited in a dialog. */
export const PEOPLE_SCRIPT = `
const ROWS_A_PAGE = 10;
let sort = { by: 'name', down: false };
let pageNumber = 0;

function shown() {
  const name = at('name').value.toLowerCase();
  const order = (a, b) => a[sort.by] < b[sort.by] ? -1 : a[sort.by] > b[sort.by] ? 1 : a.id - b.id;
  const list = people
    .filter(person => (at('department').value || person.department) === person.department && person.name.toLowerCase().includes(name))
    .sort(order);
  return sort.down ? list.reverse() : list;
}

function drawRows() {
  const list = shown();
  const pages = Math.max(1, Math.ceil(list.length / ROWS_A_PAGE));
  pageNumber = Math.min(pageNumber, pages - 1);
  at('rows').replaceChildren(...list.slice(pageNumber * ROWS_A_PAGE, pageNumber * ROWS_A_PAGE + ROWS_A_PAGE).map(row));
  at('where').textContent = 'Page ' + (pageNumber + 1) + ' of ' + pages + ', ' + list.length + ' people';
  at('previous').disabled = pageNumber === 0;
  at('next').disabled = pageNumber === pages - 1;
  for (const head of document.querySelectorAll('[data-sorts]'))
    head.parentElement.ariaSort = head.dataset.sorts === sort.by ? (sort.down ? 'descending' : 'ascending') : 'none';
}

function row(person) {
  const element = document.createElement('tr');
  for (const text of [person.name, person.department, person.role, person.status, '$' + person.spend.toLocaleString('en-US')])
    element.insertCell().textContent = text;
  const button = document.createElement('button');
  button.textContent = 'Edit';
  button.onclick = () => edit(person);
  element.insertCell().append(button);
  return element;
}

function edit(person) {
  const form = at('edit');
  at('who').textContent = person.name + ', ' + person.department;
  form.role.value = person.role;
  form.status.value = person.status;
  at('editor').returnValue = '';
  at('editor').onclose = async () => {
    if (at('editor').returnValue !== 'save') return;
    const answer = await send('/people/' + person.id, { role: form.role.value, status: form.status.value });
    if (answer.ok) Object.assign(person, await answer.json());
    drawRows();
  };
  at('editor').showModal();
}

for (const head of document.querySelectorAll('[data-sorts]')) head.onclick = () => {
  const by = head.dataset.sorts;
  sort = { by, down: sort.by === by && !sort.down };
  drawRows();
};
at('department').onchange = at('name').oninput = () => { pageNumber = 0; drawRows(); };
at('previous').onclick = () => { pageNumber--; drawRows(); };
at('next').onclick = () => { pageNumber++; drawRows(); };
drawRows();
`;
