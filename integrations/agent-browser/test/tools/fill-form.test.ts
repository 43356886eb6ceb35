import { describe, expect, test } from 'vitest';
import { fillForm } from '../../src/tools/fill-form.js';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

const FORM = `<form onsubmit="say(JSON.stringify(Object.fromEntries(new FormData(this)))); return false">
  <label>Name <input name="name"></label> <label>About <textarea name="about"></textarea></label>
  <label><input type="checkbox" name="news" checked> News</label> <label><input type="radio" name="plan" value="a" checked> Basic</label>
  <label><input type="radio" name="plan" value="b"> Full</label>
  <label>Country <select name="country"><option value="no">Norway<option value="se">Sweden</select></label>
  <label>Tags <select name="tags" multiple><option>Red<option>Green<option>Blue</select></label>
  <label>Born <input type="date" name="born"></label> <input disabled aria-label="Locked"> <button>Send</button></form>${OUTPUT}`;

describe('filling a form', () => {
  test('fills every kind of field, and tells what each holds', async () => {
    const { session, ref, text } = await openPage(FORM);
    const result = expectSuccess(
      await session.fillForm({
        fields: [
          { ref: ref('textbox', 'Name'), value: 'Ann' },
          { ref: ref('textbox', 'About'), value: 'one\ntwo' },
          { ref: ref('checkbox', 'News'), value: false },
          { ref: ref('radio', 'Full'), value: true },
          { ref: ref('combobox', 'Country'), value: 'Sweden' },
          { ref: ref('listbox', 'Tags'), value: ['Red', 'Blue'] },
          { ref: ref('textbox', 'Born'), value: '1990-01-31' },
        ],
        submit: ref('button', 'Send'),
      }),
    );
    expect(result.fields?.map(field => field.value)).toEqual([
      'Ann',
      'one\ntwo',
      false,
      true,
      'Sweden',
      ['Red', 'Blue'],
      '1990-01-31',
    ]);
    expect(result.submitted).toBe(true);
    expect(await text()).toMatch(/Ann.*plan.*b.*se.*1990-01-31/);
  });

  test('goes on after a field that fails, and does not submit', async () => {
    const { session, ref, text } = await openPage(FORM);
    const result = expectSuccess(
      await session.fillForm({
        fields: [
          { ref: '@e999', value: 'x' },
          { ref: ref('textbox', 'Locked'), value: 'x' },
          { ref: ref('combobox', 'Country'), value: 'Atlantis' },
          { ref: ref('checkbox', 'News'), value: 'maybe' },
          { ref: ref('radio', 'Basic'), value: false },
          { ref: ref('button', 'Send'), value: 'x' },
          { ref: ref('textbox', 'Name'), value: 'Ann' },
        ],
        submit: ref('button', 'Send'),
      }),
    );
    expect(result.fields?.map(field => field.code)).toEqual([
      'invalid_ref',
      'element_disabled',
      'invalid_input',
      'invalid_input',
      'invalid_input',
      'not_editable',
      undefined,
    ]);
    expect(result.fields?.[2]?.error).toContain('it has "Norway" ("no") selected, "Sweden" ("se")');
    expect(result.fields?.[6]?.value).toBe('Ann');
    expect(result.submitted).toBe(false);
    expect(await text()).not.toContain('{');
  });

  test('leaves a check box alone that is as wanted', async () => {
    const { session, ref } = await openPage(
      `<input type="checkbox" checked aria-label="News" onclick="say('touched')">${OUTPUT}`,
    );
    const result = expectSuccess(await session.fillForm({ fields: [{ ref: ref('checkbox', 'News'), value: true }] }));
    expect(result.changes).toBe('(no change seen)');
  });

  test('turns switches that are made of other elements', async () => {
    const { session, ref } = await openPage(
      `<div role="switch" tabindex="0" aria-checked="false" aria-label="Dark" onclick="setTimeout(() => this.setAttribute('aria-checked', 'true'), 50)"></div>
       <style>[role=switch] { width: 40px; height: 20px; background: #ccc }</style>`,
    );
    const result = expectSuccess(await session.fillForm({ fields: [{ ref: ref('switch', 'Dark'), value: true }] }));
    expect(result.fields).toMatchObject([{ value: true }]);
  });

  test('says that a check box did not take it', async () => {
    const { session, ref } = await openPage('<input type="checkbox" aria-label="No" onclick="return false">');
    const fields = [{ ref: ref('checkbox', 'No'), value: true }];
    const result = expectFailure(await session.fillForm({ fields }), 'browser_error');
    expect(result.fields).toMatchObject([{ code: 'browser_error', error: expect.stringContaining('not checked') }]);
  });

  test('checks a box that is hidden behind its label', async () => {
    const { session, ref } = await openPage('<label><input type="checkbox" hidden> <b>Agree</b></label>');
    const result = expectSuccess(await session.fillForm({ fields: [{ ref: ref('checkbox', 'Agree'), value: true }] }));
    expect(result.fields).toMatchObject([{ value: true }]);
  });

  test('chooses in a combobox that is made of other elements', async () => {
    const { session, ref } =
      await openPage(`<button role="combobox" id="city" aria-label="City" aria-expanded="false">Choose</button>
      <script>city.onclick = () => { document.body.insertAdjacentHTML('beforeend', '<ul role="listbox"><li role="option" tabindex="0">Oslo</ul>');
        document.querySelector('li').onclick = event => { city.textContent = 'Oslo'; event.target.parentNode.remove(); }; };</script>`);
    const result = expectSuccess(await session.fillForm({ fields: [{ ref: ref('combobox', 'City'), value: 'Oslo' }] }));
    expect(result.fields).toMatchObject([{ value: 'Oslo' }]);
  });

  test('takes an option by its value too', async () => {
    const { session, ref } = await openPage(FORM);
    const result = await session.fillForm({ fields: [{ ref: ref('combobox', 'Country'), value: 'se' }] });
    expect(expectSuccess(result).fields).toMatchObject([{ value: 'Sweden' }]);
  });

  test('tells what was filled when a dialog interrupts it', async () => {
    const { session, ref } = await openPage(
      `<input aria-label="One"><input aria-label="Two" onfocus="alert('Careful')">${OUTPUT}`,
    );
    const fields = [
      { ref: ref('textbox', 'One'), value: '1' },
      { ref: ref('textbox', 'Two'), value: '2' },
    ];
    const result = expectSuccess(await session.fillForm({ fields }));
    expect(result.dialog?.message).toBe('Careful');
    expect(result.fields).toMatchObject([{ value: '1' }]);
    expectSuccess(await session.dialog({ action: 'accept' }));
  });

  test('goes to the page that the submit button leads to', async () => {
    const { session, site, ref } = await openPage({
      '/': '<form action="/done"><input name="q" aria-label="Q"><button>Go</button></form>',
      '/done': '<h1>Done</h1>',
    });
    const result = await session.fillForm({
      fields: [{ ref: ref('textbox', 'Q'), value: 'x' }],
      submit: ref('button', 'Go'),
    });
    expect(expectSuccess(result)).toMatchObject({ submitted: true, navigated: true, url: site.url('/done?q=x') });
  });

  test('waits for a submit button that the fields enable', async () => {
    const { session, ref } =
      await openPage(`<input aria-label="F" oninput="setTimeout(() => { send.disabled = false }, 300)">
      <button id="send" disabled onclick="say('sent')">Send</button>${OUTPUT}`);
    const result = await session.fillForm({
      fields: [{ ref: ref('textbox', 'F'), value: 'x' }],
      submit: ref('button', 'Send'),
    });
    expect(expectSuccess(result).changes).toContain('sent');
  });

  describe('that asks before it is sent', () => {
    const page = `<form onsubmit="return confirm('Send it?') && (say('sent'), false)"><input aria-label="F"><button>Send</button></form>${OUTPUT}`;
    const filled = async (onDialog?: { accept: boolean }) => {
      const { session, ref, text } = await openPage(page);
      const fields = [{ ref: ref('textbox', 'F'), value: 'x' }];
      const result = expectSuccess(await session.fillForm({ fields, submit: ref('button', 'Send'), onDialog }));
      return { session, text, result, told: fillForm.headline(result) };
    };

    test('says that the button was pressed and the dialog waits', async () => {
      const { session, result, told } = await filled();
      expect(result).toMatchObject({ pressed: true, dialog: { type: 'confirm', message: 'Send it?' } });
      expect(result.submitted).toBeUndefined();
      expect(told).toContain('The button was pressed: whether the form is sent hangs on the dialog that it opened.');
      expect(expectSuccess(await session.dialog({ action: 'accept' })).changes).toContain('sent');
    });

    test('says what became of the dialog when it was told how to answer', async () => {
      expect((await filled({ accept: true })).told).toContain('Submitted.');
      const { told, text } = await filled({ accept: false });
      expect(told).toContain('The button was pressed, and the dialog that it opened dismissed.');
      expect(await text()).not.toContain('sent');
    });
  });

  test('that has a disabled submit button still, says so with what was filled', async () => {
    const { session, ref } = await openPage('<input aria-label="F"><button disabled>Send</button>');
    const result = await session.fillForm({
      fields: [{ ref: ref('textbox', 'F'), value: 'x' }],
      submit: ref('button', 'Send'),
    });
    expectFailure(result, 'element_disabled');
    expect(result.changes).toContain('value="x"');
  });
});
