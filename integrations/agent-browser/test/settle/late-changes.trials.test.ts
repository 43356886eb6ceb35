import { describe, expect, test } from 'vitest';
import { seedNote, trials } from '../../../../scripts/testing/trials.js';
import { NO_CHANGE } from '../../src/diff/write.js';
import { TIMINGS } from '../../src/timings.js';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

// As the product waits: what comes sooner is told.
const { openPage } = pageOpener({}, { timings: TIMINGS });

/** What a press changes, as a script of the page: all of it can be seen by a person. */
const CHANGES: Record<string, string> = {
  'a text': `text.textContent = 'Text ' + n`,
  'a text in a row': `rows.rows[1].cells[1].textContent = n`,
  'the order of rows that are moved': `list.append(list.firstElementChild)`,
  'the order of rows that are rendered again': `list.innerHTML = [...list.children].reverse().map(item => item.outerHTML).join('')`,
  'the order of rows that are used again': `swap(list.children[0], list.children[1])`,
  'something that comes': `box.insertAdjacentHTML('beforeend', '<p>New ' + n + '</p>')`,
  'something that goes': `box.lastElementChild.remove()`,
  'a state that is pressed': `toggle(flag, 'aria-pressed')`,
  'a state that is selected': `toggle(tab, 'aria-selected')`,
  'a field that is disabled': `field.disabled = !field.disabled`,
  'the value of another field': `field.value = 'Value ' + n`,
  'a check box': `check.checked = !check.checked`,
  'details that open': `more.open = !more.open`,
  'what is hidden': `note.hidden = !note.hidden`,
  'a colour': `swatch.style.background = 'rgb(' + (n * 37 % 255) + ',0,0)'`,
  'a theme': `document.body.classList.toggle('dark')`,
  'a picture': `picture.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=#' + n`,
  'a thing that moves': `dot.style.transform = 'translateX(' + n + 'px)'`,
  progress: `bar.value = n % 100`,
  'a struck out item': `done.classList.toggle('done')`,
};

const DELAYS = [0, 20, 150, 250, 400];
const ROUNDS = 2;

/** The presses, one after another: each change after each delay, as often as there are rounds. */
const PRESSES = Array.from({ length: ROUNDS }, () => Object.keys(CHANGES))
  .flat()
  .flatMap(name => DELAYS.map(delay => `${name} after ${delay}`))
  .map((label, seed) => ({ label, seed }));

const PAGE = `<style>.dark { background: #222 } .done { text-decoration: line-through } #dot { width: 9px; height: 9px; background: red }</style>
<p id="text">Text</p><table id="rows"><tr><th>Item<th>Count<tr><td>Mug<td>1<tr><td>Pot<td>1</table>
<ul id="list" aria-label="List"><li>Alpha<li>Beta<li>Gamma</ul><div id="box"><p>One</p><p>Two</p><p>Three</p><p>Four</p><p>Five</p><p>Six</p><p>Seven</p></div>
<button id="flag" aria-pressed="false">Flag</button><div role="tablist"><button role="tab" id="tab" aria-selected="false">Tab</button></div>
<input id="field" aria-label="Field"><input type="checkbox" id="check" aria-label="Check"><details id="more"><summary>More</summary>Hidden part</details>
<p id="note">Note</p><div id="swatch" style="width:9px;height:9px"></div><img id="picture" alt="Picture" width="9" height="9"><div id="dot"></div>
<progress id="bar" max="100" value="1" aria-label="Bar"></progress><p id="done">Task</p>
<div id="buttons"></div>
<script>
const toggle = (element, name) => element.setAttribute(name, element.getAttribute(name) !== 'true');
const swap = (one, other) => ([one.textContent, other.textContent] = [other.textContent, one.textContent]);
let n = 0;
const changes = ${JSON.stringify(CHANGES)};
for (const [name, script] of Object.entries(changes)) for (const delay of ${JSON.stringify(DELAYS)}) {
  const button = document.createElement('button');
  button.textContent = name + ' after ' + delay;
  button.onclick = () => { n += 7; const run = () => (0, eval)(script); delay === 0 ? run() : setTimeout(run, delay); };
  buttons.append(button);
}
</script>`;

describe('an action that changes something', () => {
  test('is never said to have changed nothing, however late it does', {
    timeout: trials.limit,
  }, async () => {
    const { session, ref } = await openPage(PAGE);
    const silent: string[] = [];
    // Each change once, after each delay in turn.
    const presses = trials.of(PRESSES, (_, n) => n < PRESSES.length / ROUNDS && n % 5 === Math.floor(n / 5) % 5);
    for (const { label, seed } of presses) {
      const { changes } = expectSuccess(await session.click({ ref: ref('button', label) }));
      if (changes === NO_CHANGE) silent.push(`${seedNote(seed)}: ${label}`);
    }
    expect(silent).toEqual([]);
  });
});
