/** The calendar of a room, as the page runs it: months to turn, days to press, taken ones disabled. */
export const BOOKING_SCRIPT = `
const iso = date => date.toISOString().slice(0, 10);
const words = text => new Date(text).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
let month = new Date('2031-05-01T00:00:00Z');
let from, to;
const isNightTaken = day => room.taken.some(([first, last]) => first <= day && day < last);

function chooseDay(day) {
  if (from === undefined || to !== undefined || day <= from) [from, to] = [day, undefined];
  else to = day;
  at('stay').textContent = to === undefined ? 'From ' + words(from) + ', choose the day you leave' : words(from) + ' to ' + words(to);
  drawMonth();
}

function drawMonth() {
  at('month').textContent = month.toLocaleDateString('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });
  const body = at('days');
  body.replaceChildren();
  const day = new Date(month);
  day.setUTCDate(1 - (day.getUTCDay() + 6) % 7);
  while (day.getUTCMonth() === month.getUTCMonth() || day < month) {
    const row = body.insertRow();
    for (let i = 0; i < 7; i++, day.setUTCDate(day.getUTCDate() + 1)) {
      const cell = row.insertCell();
      if (day.getUTCMonth() !== month.getUTCMonth()) continue;
      const button = document.createElement('button');
      const own = iso(day);
      button.type = 'button';
      button.textContent = day.getUTCDate();
      button.ariaLabel = words(own);
      button.disabled = isNightTaken(own);
      button.ariaPressed = String(own === from || own === to);
      button.onclick = () => chooseDay(own);
      cell.append(button);
    }
  }
}

function turn(months) {
  month.setUTCMonth(month.getUTCMonth() + months);
  drawMonth();
}
at('previous').onclick = () => turn(-1);
at('next').onclick = () => turn(1);
at('form').onsubmit = async event => {
  event.preventDefault();
  at('error').textContent = '';
  if (to === undefined) return void (at('error').textContent = 'Choose the day you come and the day you leave');
  const { guests, name, email, breakfast } = Object.fromEntries(new FormData(event.target));
  const answer = await send('/bookings', { room: room.id, from, to, guests, breakfast: breakfast === 'on', name, email });
  const said = await answer.json();
  if (!answer.ok) return void (at('error').textContent = said.error);
  document.querySelector('main').innerHTML = '<h1>Thank you</h1><p role="status"></p>';
  document.querySelector('main p').textContent = 'Your booking ' + said.number + ' is confirmed.';
};
drawMonth();
`;
