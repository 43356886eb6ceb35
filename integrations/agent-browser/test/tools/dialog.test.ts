import { describe, expect, test } from 'vitest';
import { effectLines } from '../../src/results/effects.js';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();
/** However slow the machine is: the wait ends with the first change that counts. */
const patient = pageOpener({}, { timings: { firstChange: 20_000 } });

const OUTPUT = '<p id="out" role="status"></p><script>const say = text => { out.textContent += text; };</script>';

describe('a dialog that a click opens', () => {
  test('is told, and everything else waits for its answer', async () => {
    const { session, ref } = await openPage(`<button onclick="say(confirm('Sure?'))">Ask</button>${OUTPUT}`);
    const result = expectSuccess(await session.click({ ref: ref('button', 'Ask') }));
    expect(result.dialog).toEqual({ type: 'confirm', message: 'Sure?' });
    const next = expectFailure(await session.press({ keys: 'a' }), 'dialog_open');
    expect(next.message).toContain('confirm dialog is open: "Sure?"');
  });

  test.each([
    ['accept', 'true'],
    ['dismiss', 'false'],
  ] as const)('goes on where it was held up: %s', async (action, expected) => {
    const { session, ref } = await openPage(`<button onclick="say(confirm('Sure?'))">Ask</button>${OUTPUT}`);
    await session.click({ ref: ref('button', 'Ask') });
    const result = expectSuccess(await session.dialog({ action }));
    expect(result).toMatchObject({ answered: { type: 'confirm', message: 'Sure?' } });
    expect(result.dialog).toBeUndefined();
    expect(result.changes).toContain(expected);
  });

  test('takes the text of a prompt', async () => {
    const { session, ref } = await openPage(`<button onclick="say(prompt('Name?', 'nobody'))">Ask</button>${OUTPUT}`);
    await session.click({ ref: ref('button', 'Ask') });
    expect(expectSuccess(await session.dialog({ action: 'accept', text: 'Ann' })).changes).toContain('Ann');
  });

  test.each([
    ['without a text', { action: 'accept' }, 'said Ann'],
    ['with another text', { action: 'accept', text: 'Bo' }, 'said Bo'],
    ['with an empty text', { action: 'accept', text: '' }, 'said .'],
    ['by dismissing it', { action: 'dismiss' }, 'said null'],
  ] as const)('that suggests a text tells it, and is answered %s', async (_, answer, said) => {
    const { session, ref } = await openPage(
      `<button onclick="say('said ' + prompt('Name?', 'Ann') + '.')">Ask</button>${OUTPUT}`,
    );
    const result = expectSuccess(await session.click({ ref: ref('button', 'Ask') }));
    expect(result.dialog).toEqual({ type: 'prompt', message: 'Name?', defaultValue: 'Ann' });
    expect(effectLines(result).join()).toContain('prompt dialog "Name?" (default "Ann") is open');
    expect(expectFailure(await session.press({ keys: 'a' }), 'dialog_open').message).toContain('(default "Ann")');
    expect(expectSuccess(await session.dialog(answer)).changes).toContain(said);
  });

  test('that suggests a text gives it to an action that accepts it in advance', async () => {
    const { session, ref } = await openPage(
      `<button onclick="say('said ' + prompt('Name?', 'Ann'))">Ask</button>${OUTPUT}`,
    );
    const result = expectSuccess(await session.click({ ref: ref('button', 'Ask'), onDialog: { accept: true } }));
    expect(result).toMatchObject({ dialog: { answered: 'accepted', defaultValue: 'Ann' } });
    expect(result.changes).toContain('said Ann');
  });

  test('can be followed by another one, which the answer tells', async () => {
    const { session, ref } = await openPage(
      `<button onclick="alert('First'); say(confirm('Second'))">Ask</button>${OUTPUT}`,
    );
    await session.click({ ref: ref('button', 'Ask') });
    const first = expectSuccess(await session.dialog({ action: 'accept' }));
    expect(first).toMatchObject({ answered: { message: 'First' }, dialog: { type: 'confirm', message: 'Second' } });
    const second = expectSuccess(await session.dialog({ action: 'dismiss' }));
    expect(second.changes).toContain('false');
  });

  test('is answered by the click itself when it says how', async () => {
    const { session, ref } = await openPage(`<button onclick="say(prompt('Name?'))">Ask</button>${OUTPUT}`);
    const onDialog = { accept: true, text: 'Bob' };
    const result = expectSuccess(await session.click({ ref: ref('button', 'Ask'), onDialog }));
    expect(result.dialog).toEqual({ type: 'prompt', message: 'Name?', answered: 'accepted' });
    expect(result.changes).toContain('Bob');
  });

  test('is dismissed by the click itself when it says so', async () => {
    const { session, ref } = await openPage(`<button onclick="say(confirm('Sure?'))">Ask</button>${OUTPUT}`);
    const result = expectSuccess(await session.click({ ref: ref('button', 'Ask'), onDialog: { accept: false } }));
    expect(result.dialog?.answered).toBe('dismissed');
    expect(result.changes).toContain('false');
  });

  test('does not keep other calls from being answered', async () => {
    const { session, ref } = await openPage(`<button onclick="alert('Hello')">Ask</button>`);
    await session.click({ ref: ref('button', 'Ask') });
    const tabs = expectSuccess(await session.tabs({ action: 'list' }));
    expect(tabs.tabs).toHaveLength(1);
    expectFailure(await session.snapshot(), 'dialog_open');
    expectFailure(await session.screenshot(), 'dialog_open');
  });
});

describe('the answer to a dialog goes on with what was held up', () => {
  const RETURN = (react: string): string => `<button id="b" onclick="back()">Return</button>${OUTPUT}<script>
    const back = async () => { if (confirm('Return it?')) { ${react} } };
  </script>`;

  test.each([
    ['that comes after a while', "setTimeout(() => say('Return requested'), 200)"],
    [
      'while the button is disabled',
      "b.disabled = true; setTimeout(() => { b.disabled = false; say('Return requested') }, 200)",
    ],
    ['that a server gives', "b.disabled = true; await fetch('/return'); say('Return requested')"],
  ])('and tells the reaction of the page %s', async (_, react) => {
    const { session, ref } = await patient.openPage({
      '/': RETURN(react),
      '/return': (_request, response) => void setTimeout(() => response.end('ok'), 200),
    });
    await session.click({ ref: ref('button', 'Return') });
    const { changes } = expectSuccess(await session.dialog({ action: 'accept' }));
    expect(changes).toContain('Return requested');
  });

  test('and is no failure where the page closes itself then', async () => {
    const { session, ref } = await openPage({
      '/': '<a href="/pop" target="_blank">Pop</a>',
      '/pop': `<button onclick="if (confirm('Close?')) close()">Close</button>`,
    });
    const { newTab } = expectSuccess(await session.click({ ref: ref('link', 'Pop') }));
    const pop = expectSuccess(await session.tabs({ action: 'switch', tab: newTab?.tab ?? '' }));
    const close = /button "Close" (@e\d+)/.exec(pop.changes ?? '')?.[1] ?? '';
    await session.click({ ref: close });
    expectSuccess(await session.dialog({ action: 'accept' }));
  });
});

describe('onDialog', () => {
  test('answers the dialog that a selection opens', async () => {
    const { session, ref } = await openPage(
      `<select aria-label="F" onchange="say(confirm('Change?'))"><option>One<option>Two</select>${OUTPUT}`,
    );
    const onDialog = { accept: true };
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'F'), labels: ['Two'], onDialog }));
    expect(result).toMatchObject({ dialog: { message: 'Change?', answered: 'accepted' }, selected: ['Two'] });
    expect(result.changes).toContain('true');
  });

  test('answers the dialogs that typing and filling open', async () => {
    const { session, ref } = await openPage(
      `<input aria-label="F" onchange="say(prompt('Why?'))"><input aria-label="G">${OUTPUT}`,
    );
    const onDialog = { accept: true, text: 'Because' };
    const typed = expectSuccess(await session.type({ ref: ref('textbox', 'F'), text: 'x', submit: true, onDialog }));
    expect(typed).toMatchObject({ value: 'x', dialog: { type: 'prompt', answered: 'accepted' } });
    const fields = [
      { ref: ref('textbox', 'F'), value: 'y' },
      { ref: ref('textbox', 'G'), value: 'z' },
    ];
    const filled = expectSuccess(await session.fillForm({ fields, onDialog: { accept: false } }));
    expect(filled).toMatchObject({ dialog: { answered: 'dismissed' }, fields: [{ value: 'y' }, { value: 'z' }] });
  });

  test('does not answer what another call opens', async () => {
    const { session, ref } = await openPage(`<button onclick="alert('One')">Ask</button>`);
    expectSuccess(await session.click({ ref: ref('button', 'Ask'), onDialog: { accept: true } }));
    expect((await session.click({ ref: ref('button', 'Ask') })).dialog).toEqual({ type: 'alert', message: 'One' });
  });
});

test('a dialog that opens by itself is told by the next call', async () => {
  const { promise: timeIsUp, resolve: end } = Promise.withResolvers<void>();
  const { session } = await openPage({
    '/': `<script>fetch('/end').then(() => alert('Time is up'))</script><p>Quiz</p>`,
    '/end': (_, response) => void timeIsUp.then(() => response.end()),
  });
  const waiting = session.wait({ for: { text: 'Never there' }, timeout: 60 });
  end();
  const waited = await waiting;
  expect(waited.dialog).toEqual({ type: 'alert', message: 'Time is up' });
  expectSuccess(await session.dialog({ action: 'accept' }));
  expectSuccess(await session.snapshot());
});

test('a navigation leaves a page that asks to stay, and tells so; a link waits for the answer', async () => {
  const { session, site, ref } = await openPage({
    '/': `<button>Touch</button><a href="/next">Next</a><script>addEventListener('beforeunload', event => event.preventDefault())</script>`,
    '/next': '<h1>Next</h1>',
  });
  await session.click({ ref: ref('button', 'Touch') });
  const asked = expectSuccess(await session.click({ ref: ref('link', 'Next') }));
  expect(asked.dialog?.type).toBe('beforeunload');
  const stayed = await session.dialog({ action: 'dismiss' });
  expect(stayed.url).toBe(site.url('/'));
  const left = expectSuccess(await session.navigate({ url: site.url('/next') }));
  expect(left).toMatchObject({
    url: site.url('/next'),
    navigated: true,
    dialog: { type: 'beforeunload', answered: 'accepted' },
  });
});

test('answering when no dialog is open says so', async () => {
  const { session } = await openPage('<p>Quiet</p>');
  expectFailure(await session.dialog({ action: 'accept' }), 'no_dialog');
});
