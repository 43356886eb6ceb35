import { describe, expect, test } from 'vitest';
import { expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener();

const CHOICES = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth'];
const FORM = `<label>Name of the guest <input></label>${CHOICES.map(
  name => `<label><input type="radio" name="floor"> ${name} floor of the house by the water</label>`,
).join('')}<button>Keep it</button><button>Leave</button>`;

describe('a modal dialog that opened', () => {
  test.each([
    ['of the browser', `<dialog id="box" aria-label="Room">${FORM}</dialog>`, 'box.showModal()'],
    [
      'by its role',
      `<div id="box" role="dialog" aria-modal="true" aria-label="Room" hidden>${FORM}</div>`,
      'box.hidden = false',
    ],
    [
      'that asks and is drawn when it opens',
      `<div id="box"></div><template id="sheet"><div role="alertdialog" aria-modal="true" aria-label="Room">${FORM}</div></template>`,
      'box.append(sheet.content.cloneNode(true))',
    ],
  ])('is told whole, as a page is: %s', async (_, box, open) => {
    const { session, ref } = await openPage(
      `<div><h1>Inn</h1><button onclick="${open}">Choose a room</button><p>Ten rooms</p></div>${box}`,
    );
    const { changes = '' } = expectSuccess(await session.click({ ref: ref('button', 'Choose a room') }));
    for (const name of CHOICES) expect(changes).toContain(`radio "${name} floor of the house by the water"`);
    expect(changes).toContain('textbox "Name of the guest"');
    expect(changes).not.toContain('more changes');
  });
});
