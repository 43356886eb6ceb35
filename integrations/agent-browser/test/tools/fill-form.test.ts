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

  test('tells each field once', async () => {
    const { session, ref } = await openPage(
      `<label><input type="checkbox"> Agree</label><div role="combobox" tabindex="0" aria-label="Plan" aria-controls="l">Free</div>
       <ul role="listbox" id="l">${['Free', 'Pro'].map(name => `<li role="option" tabindex="0" onclick="document.querySelector('[role=combobox]').textContent = '${name}'">${name}</li>`).join('')}</ul>
       <div contenteditable="true" aria-label="Note"><ul><li>Old</li></ul></div><input aria-label="Name">`,
    );
    const fields = [
      { ref: ref('checkbox', 'Agree'), value: true },
      { ref: ref('combobox', 'Plan'), value: 'Pro' },
      { ref: ref('textbox', 'Name'), value: 'Ann' },
    ];
    expect(expectSuccess(await session.fillForm({ fields })).changes).toBe('(no other change seen)');
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

  const widget = (role: string, keys: string, { now = 50, min = 0, max = 100, text = '' } = {}): string =>
    `<div role="${role}" tabindex="0" aria-label="Level" aria-valuemin="${min}" aria-valuemax="${max}" aria-valuenow="${now}" ${text}></div>
    <style>[role=${role}] { width: 200px; height: 20px; background: #ccc }</style>
    <script>const level = document.querySelector('[role=${role}]'), steps = ${keys};
      level.onkeydown = ({ key }) => { if (!(key in steps)) return; const to = Number(level.ariaValueNow) + steps[key];
        level.ariaValueNow = Math.min(${max}, Math.max(${min}, to)); if (level.ariaValueText) level.ariaValueText = level.ariaValueNow + ' %' }</script>`;

  test.each([
    [
      'by arrows',
      widget('slider', '{ ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1 }'),
      'slider',
      '73',
      '73',
    ],
    ['by sideways arrows alone', widget('slider', '{ ArrowRight: 1, ArrowLeft: -1 }'), 'slider', '20', '20'],
    [
      'with pages',
      widget('slider', '{ PageUp: 100, PageDown: -100, ArrowUp: 1, ArrowDown: -1 }', { max: 2000 }),
      'slider',
      '1234',
      '1234',
    ],
    ['in halves', widget('slider', '{ ArrowUp: 0.5, ArrowDown: -0.5 }', { max: 5, now: 1 }), 'slider', '3.5', '3.5'],
    [
      'with words for its value',
      widget('slider', '{ ArrowUp: 5, ArrowDown: -5 }', { text: 'aria-valuetext="50 %"' }),
      'slider',
      '80',
      '80 %',
    ],
    [
      'that is a spin button',
      widget('spinbutton', '{ ArrowUp: 1, ArrowDown: -1 }', { now: 2, max: 9 }),
      'spinbutton',
      '7',
      '7',
    ],
    ['that is there already', widget('slider', '{}'), 'slider', '50', '50'],
  ])('sets a slider made of other elements: %s', async (_, html, role, value, held) => {
    const { session, ref } = await openPage(html);
    const result = expectSuccess(await session.fillForm({ fields: [{ ref: ref(role, 'Level'), value }] }));
    expect(result.fields).toEqual([{ ref: expect.any(String), value: held }]);
  });

  test('says where a slider has no step, and what it takes', async () => {
    const { session, ref } = await openPage(widget('slider', '{ ArrowUp: 10, ArrowDown: -10 }'));
    const slider = ref('slider', 'Level');
    const result = expectSuccess(await session.fillForm({ fields: [{ ref: slider, value: '73' }] }));
    expect(result.fields).toMatchObject([{ value: '70', mismatch: { expected: '73', actual: '70' } }]);
    const far = expectFailure(await session.fillForm({ fields: [{ ref: slider, value: '173' }] }), 'invalid_input');
    expect(far.message).toContain('expects a number from 0 to 100');
  });

  test('says of a slider that no key moves that it cannot be set', async () => {
    const { session, ref } = await openPage(widget('slider', '{}'));
    const fields = [{ ref: ref('slider', 'Level'), value: '10' }];
    expect(expectFailure(await session.fillForm({ fields }), 'not_editable').message).toContain(
      'does not respond to the keyboard',
    );
  });

  test('sets native sliders, colours and editable elements, and reads each back', async () => {
    const { session, ref } = await openPage(`<input type="range" aria-label="Volume" max="10">
      <input type="color" aria-label="Colour"> <div contenteditable role="textbox" aria-label="Notes">old</div>
      <div role="checkbox" tabindex="0" aria-checked="false" aria-label="Agree" onclick="this.ariaChecked = 'true'">x</div>
      <input type="range" aria-label="Stubborn" value="5" max="10" oninput="this.value = 5">`);
    const fields = [
      { ref: ref('slider', 'Volume'), value: '7' },
      { ref: ref('textbox', 'Colour'), value: '#123456' },
      { ref: ref('textbox', 'Notes'), value: 'new' },
      { ref: ref('checkbox', 'Agree'), value: 'true' },
      { ref: ref('slider', 'Stubborn'), value: '9' },
    ];
    const result = expectSuccess(await session.fillForm({ fields }));
    expect(result.fields?.map(({ value }) => value)).toEqual(['7', '#123456', 'new', true, '5']);
    expect(result.fields?.[4]?.mismatch).toEqual({ expected: '9', actual: '5' });
  });

  test.each([0, 400])('chooses in a combobox that is typed into, whose options come %s ms late', async delay => {
    const { session, ref } =
      await openPage(`<input role="combobox" aria-label="City" aria-expanded="false" aria-autocomplete="list"
      oninput="setTimeout(() => { cities.innerHTML = ['Oslo', 'Oslofjord'].map(city => '<li role=option tabindex=-1>' + city).join(''); }, ${delay})">
      <ul id="cities" role="listbox" aria-label="Cities"></ul> <input aria-label="Name">
      <script>const chosen = []; cities.onclick = ({ target }) => { const field = document.querySelector('input');
        field.value = target.textContent + ', Norway'; document.title = 'Chosen'; cities.innerHTML = ''; }</script>`);
    const fields = [
      { ref: ref('combobox', 'City'), value: 'oslo' },
      { ref: ref('textbox', 'Name'), value: 'Ann' },
    ];
    const result = expectSuccess(await session.fillForm({ fields }));
    expect(result.title).toBe('Chosen');
    expect(result.fields).toMatchObject([{ value: 'Oslo, Norway' }, { value: 'Ann' }]);
    expect(result.fields?.[0]?.mismatch).toBeUndefined();
  });

  test('leaves what was typed into a combobox that has no such option', async () => {
    const { session, ref } = await openPage(
      `<input role="combobox" aria-label="Tag" aria-expanded="false" aria-autocomplete="list" oninput="tags.innerHTML = '<li role=option tabindex=-1>Other'"><ul id="tags" role="listbox"></ul>`,
    );
    const result = expectSuccess(await session.fillForm({ fields: [{ ref: ref('combobox', 'Tag'), value: 'Mine' }] }));
    expect(result.fields).toMatchObject([{ value: 'Mine' }]);
  });

  test('chooses in a drop-down that nobody can type into', async () => {
    const { session, ref } =
      await openPage(`<label>Plan <input id="plan" readonly aria-haspopup="listbox" aria-controls="plans"></label>
      <div id="plans" role="listbox" hidden><div role="option">Free</div><div role="option">Pro</div></div>
      <script>plan.onclick = () => { plans.hidden = !plans.hidden; };
        plans.onclick = ({ target }) => { plan.value = target.textContent; plans.hidden = true; };</script>`);
    const result = expectSuccess(await session.fillForm({ fields: [{ ref: ref('textbox', 'Plan'), value: 'Pro' }] }));
    expect(result.fields).toMatchObject([{ value: 'Pro' }]);
  });

  /** A drop-down with a filter: it is emptied when it is left, and shows what was chosen beside. */
  const FILTERED = `<p>Chosen: <b id="shown">nobody</b></p><input role="combobox" id="who" aria-label="Who" aria-expanded="false" aria-autocomplete="list">
    <div id="pop"></div><input aria-label="Name"><script>
    const show = names => { pop.innerHTML = names.map(name => '<div class="item" style="cursor: pointer">' + name + '</div>').join(''); who.ariaExpanded = String(names.length > 0); };
    who.oninput = () => show(['Person 4', 'Person 42'].filter(name => name.includes(who.value)));
    who.onblur = () => { who.value = ''; show([]); };
    pop.onmousedown = event => event.preventDefault();
    pop.onclick = ({ target }) => { shown.textContent = target.textContent; who.value = ''; show([]); };</script>`;

  test('chooses what a drop-down shows upon what is typed, with or without a role', async () => {
    const { session, ref, evaluate } = await openPage(FILTERED);
    const who = { ref: ref('combobox', 'Who'), value: 'Person 4' };
    expect(await session.fillForm({ fields: [who] })).toMatchObject({ success: true, fields: [{ value: 'Person 4' }] });
    expect(await evaluate('shown.textContent')).toBe('Person 4');
    const name = { ref: ref('textbox', 'Name'), value: 'Ann' };
    const both = expectSuccess(await session.fillForm({ fields: [{ ...who, value: 'Person 42' }, name] }));
    expect(await evaluate('shown.textContent')).toBe('Person 42');
    // The field is empty by now, which is not what was chosen.
    expect(both.fields).toEqual([{ ref: who.ref }, { ref: name.ref, value: 'Ann' }]);
  });

  test('says that a drop-down has no such option, when it forgets what was typed', async () => {
    const { session, ref } = await openPage(FILTERED);
    const fields = [{ ref: ref('combobox', 'Who'), value: 'Person' }];
    const result = expectFailure(await session.fillForm({ fields }), 'invalid_input');
    expect(result.message).toContain('has no option "Person"; it offered "Person 4", "Person 42"');
  });

  test('says what acts on what is no field', async () => {
    const { session, ref } = await openPage('<button>Go</button>');
    const result = expectFailure(await session.type({ ref: ref('button', 'Go'), text: 'x' }), 'not_editable');
    expect(result.recoveryHint).toContain('browser_click');
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

  test('says nothing of a form that waits for the answer to a question', async () => {
    const { session, ref } = await openPage(
      '<form onsubmit="return confirm(`Sure?`)"><input aria-label="Q"><button>Go</button></form>',
    );
    const fields = [{ ref: ref('textbox', 'Q'), value: 'x' }];
    const asked = expectSuccess(await session.fillForm({ fields, submit: ref('button', 'Go') }));
    expect(asked).toMatchObject({ fields: [{ value: 'x' }], dialog: { message: 'Sure?' } });
    expect(asked.submitted).toBeUndefined();
    expectSuccess(await session.dialog({ action: 'dismiss' }));
    const gone = await session.fillForm({ fields, submit: '@e999' });
    expect(gone).toMatchObject({ success: false, submitted: false });
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
      expect(told).toContain(
        'The button was clicked: whether the form is submitted depends on the dialog that it opened.',
      );
      expect(expectSuccess(await session.dialog({ action: 'accept' })).changes).toContain('sent');
    });

    test('says what became of the dialog when it was told how to answer', async () => {
      expect((await filled({ accept: true })).told).toContain('Submitted.');
      const { told, text } = await filled({ accept: false });
      expect(told).toContain('The button was clicked, and the dialog that it opened was dismissed.');
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
