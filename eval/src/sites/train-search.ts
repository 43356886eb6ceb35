/** The search as the page runs it: suggestions while one types, connections to choose from, a ticket to buy. */
export const TRAINS_SCRIPT = `
let trip, connection;

for (const field of document.querySelectorAll('[role=combobox]')) {
  const list = at(field.getAttribute('aria-controls'));
  const show = names => {
    list.hidden = names.length === 0;
    field.ariaExpanded = String(names.length > 0);
    list.replaceChildren(...names.map(name => {
      const option = make('li', { role: 'option', textContent: name, tabIndex: -1 });
      option.style.cursor = 'pointer';
      option.onmousedown = event => event.preventDefault();
      option.onclick = () => { field.value = name; show([]); };
      return option;
    }));
  };
  field.oninput = async () => {
    const typed = field.value;
    const names = await (await fetch('/stations?q=' + encodeURIComponent(typed))).json();
    if (field.value === typed) show(names);
  };
  field.onblur = () => show([]);
}

at('search').onsubmit = async event => {
  event.preventDefault();
  trip = Object.fromEntries(new FormData(event.target));
  at('error').textContent = '';
  at('buy').hidden = true;
  at('results').replaceChildren(make('p', { textContent: 'Searching…' }));
  const answer = await send('/search', trip);
  const found = await answer.json();
  at('results').replaceChildren();
  if (!answer.ok) return void (at('error').textContent = found.error);
  at('results').append(make('h2', { textContent: trip.from + ' to ' + trip.to }), listOf(found));
};

function listOf(found) {
  const list = make('ul', {});
  for (const each of found) {
    const changes = each.changes === 0 ? 'direct' : each.changes + (each.changes === 1 ? ' change' : ' changes');
    const item = make('li', {});
    const button = make('button', { textContent: 'Choose' });
    button.onclick = () => {
      connection = each;
      at('chosen').textContent = each.id + ' at ' + each.departs + ', CHF ' + each.price;
      at('buy').hidden = false;
    };
    item.append(each.id + ', ' + each.departs + ' to ' + each.arrives + ', ' + changes + ', CHF ' + each.price + ' ', button);
    list.append(item);
  }
  return list;
}

at('buy').onsubmit = async event => {
  event.preventDefault();
  const answer = await send('/tickets', { ...trip, connection: connection.id, ...Object.fromEntries(new FormData(event.target)) });
  const said = await answer.json();
  if (!answer.ok) return void (at('refused').textContent = said.error);
  document.querySelector('main').replaceChildren(make('h1', { textContent: 'Have a good trip' }), make('p', { role: 'status', textContent: 'Ticket ' + said.number + ' is yours.' }));
};
`;
