import { describe, expect, test } from 'vitest';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const quiet = pageOpener({ snapshot: { afterAction: 'none' } });
const patient = pageOpener({}, { timings: { firstChange: 60_000 } });
const full = pageOpener({ snapshot: { afterAction: 'full' } });

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

describe('with nothing told of the page after an action', () => {
  test('a field that was typed into is read back all the same', async () => {
    const { session, ref } = await quiet.openPage('<input aria-label="F" maxlength="3">');
    const result = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'abcdef' }));
    expect(result).toMatchObject({ value: 'abc', mismatch: { expected: 'abcdef', actual: 'abc' } });
    expect(result.changes).toBeUndefined();
  });

  test('a list that was chosen from is read back all the same', async () => {
    const { session, ref } = await quiet.openPage('<select aria-label="F"><option>One<option>Two</select>');
    expect(await session.select({ ref: ref('combobox', 'F'), labels: ['Two'] })).toMatchObject({ selected: ['Two'] });
  });

  test('a click says nothing of what nobody looked at', async () => {
    const { session, ref } = await quiet.openPage('<button>Idle</button>');
    const result = expectSuccess(await session.click({ ref: ref('button', 'Idle') }));
    expect(result.pageChanged).toBeUndefined();
    expect(result.executionTime).toBeGreaterThan(0);
  });

  test('a click on a row that turns into another is refused, and the page takes clicks again', async () => {
    const { session, ref, read } =
      await quiet.openPage(`<ul id="list" onmousemove="list.querySelector('b').textContent = 'Gamma'">
      <li><b>Alpha</b> <button onclick="say('deleted')">Delete</button></li><li><b>Beta</b> <button>Delete</button></li></ul>
      <button onclick="say('other')">Other</button>${OUTPUT}`);
    expectFailure(await session.click({ ref: ref('button', 'Delete') }), 'ref_changed');
    expectSuccess(await session.click({ ref: ref('button', 'Other') }));
    await read();
    const { tree } = await session.snapshot({ interactiveOnly: false });
    expect(tree).toContain('other');
    expect(tree).not.toContain('deleted');
  });
});

test('with all of the page told after an action, a click brings a whole snapshot', async () => {
  const { session, ref } = await full.openPage(`<h1>Shop</h1><button onclick="say('done')">Go</button>${OUTPUT}`);
  const result = expectSuccess(await session.click({ ref: ref('button', 'Go') }));
  expect(result.changes).toMatch(/^page "Test page" http[\s\S]*heading "Shop"[\s\S]*button "Go"/);
  expect(result.pageChanged).toBe(true);
});

describe('a dialog whose way out was pressed', () => {
  const closing = (button: string): string =>
    `<div role="dialog" aria-label="Photo" id="dialog"><p id="says">3 of 3</p>
     <button onclick="says.textContent = 'Closing'; setTimeout(() => dialog.remove(), 500)">${button}</button></div>`;

  test.each(['Close', 'Cancel', '✕'])('goes before the result, whatever changed first: %s', async name => {
    const { session, ref } = await patient.openPage(closing(name));
    const { changes } = expectSuccess(await session.click({ ref: ref('button', name) }));
    expect(changes).toContain('dialog "Photo" closed');
  });

  test('may be followed by its next step: what leads there is answered when that shows', async () => {
    const { session, ref } = await patient.openPage(closing('Continue').replace('dialog.remove()', 'undefined'));
    const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Continue') }));
    expect(changes).toContain('Closing');
  });
});
