import { describe, expect, test } from 'vitest';
import { NO_CHANGE, NO_OTHER_CHANGE } from '../../src/diff/write.js';
import { modelOutput } from '../../src/results/result.js';
import { fillForm } from '../../src/tools/fill-form.js';
import { select } from '../../src/tools/select.js';
import { type as typeTool } from '../../src/tools/type.js';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from '../tools/open-page.js';

const { openPage } = pageOpener({}, { ownSession: true });

async function textOf(tool: unknown, result: unknown): Promise<string> {
  return ((await modelOutput(tool as never, result as never)) as { value: string }).value;
}

describe('no change is never told beside an effect that happened', () => {
  test('such as a tab that opened', async () => {
    const { session, ref } = await openPage({
      '/': `<a href="/other" target="_blank">Open</a>`,
      '/other': '<h1>Other</h1>',
    });
    const result = expectSuccess(await session.click({ ref: ref('link', 'Open') }));
    expect(result.newTab).toBeDefined();
    expect(result.changes).not.toBe(NO_CHANGE);
  });

  test('such as a download', async () => {
    const { session, ref } = await openPage({
      '/': '<a href="/file">Get</a>',
      '/file': (_, response) => {
        response.writeHead(200, { 'content-disposition': 'attachment; filename="list.txt"' });
        response.end('one');
      },
    });
    const result = expectSuccess(await session.click({ ref: ref('link', 'Get') }));
    expect(result).toMatchObject({ download: { state: 'completed' }, changes: NO_OTHER_CHANGE });
  });

  test('such as a dialog that was answered', async () => {
    const { session, ref } = await openPage(`<button onclick="alert('Saved')">Save</button>`);
    const onDialog = { accept: true };
    const result = expectSuccess(await session.click({ ref: ref('button', 'Save'), onDialog }));
    expect(result).toMatchObject({ dialog: { answered: 'accepted' }, changes: NO_OTHER_CHANGE });
  });

  test('such as another active tab', async () => {
    const { session, site } = await openPage({ '/': '<h1>One</h1>', '/two': '<h1>Two</h1>' });
    expectSuccess(await session.tabs({ action: 'new', url: site.url('/two') }));
    const result = expectSuccess(await session.tabs({ action: 'switch', tab: 't1' }));
    expect(result.changes).toBe(NO_OTHER_CHANGE);
  });

  test('and a click without any still says that there was none', async () => {
    const { session, ref } = await openPage('<button>Idle</button>');
    expect(expectSuccess(await session.click({ ref: ref('button', 'Idle') })).changes).toBe(NO_CHANGE);
  });
});

describe('a failure says of the page', () => {
  test('nothing, where a text was not found', async () => {
    const { session } = await openPage('<h1>Shop</h1>');
    expect(expectFailure(await session.find({ text: 'Nowhere' }), 'element_not_found').changes).toBeUndefined();
  });

  test('that it stayed as it was', async () => {
    const { session, ref } = await openPage('<button disabled>Pay</button>');
    const result = expectFailure(await session.click({ ref: ref('button', 'Pay') }), 'element_disabled');
    expect(result.changes).toBe(NO_CHANGE);
  });

  test('what changed all the same', async () => {
    const { session, ref } = await openPage(
      `<button onmouseenter="this.disabled = true; out.textContent = 'closed'">Pay</button><p id="out" role="status"></p>`,
    );
    const result = expectFailure(await session.click({ ref: ref('button', 'Pay') }), 'element_disabled');
    expect(result.changes).toContain('closed');
  });
});

describe('the options of a drop-down', () => {
  const COUNTRIES = `<select aria-label="Country">${Array.from({ length: 50 }, (_, index) => `<option>Country ${index}</option>`).join('')}</select>`;

  test('are not listed after a choice that worked', async () => {
    const { session, ref } = await openPage(COUNTRIES);
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Country'), labels: ['Country 7'] }));
    const text = await textOf(select, result);
    expect(text).toContain('Selected: "Country 7"');
    expect(text).not.toContain('Country 8');
    expect(result.options).toHaveLength(50);
  });

  test('are listed where they were asked for', async () => {
    const { session, ref } = await openPage(COUNTRIES);
    const result = expectSuccess(await session.select({ ref: ref('combobox', 'Country') }));
    expect(await textOf(select, result)).toContain('"Country 8"');
  });

  test('are listed where the page took another', async () => {
    const { session, read } = await openPage(`<div role="listbox" aria-label="Colour" tabindex="0">
      <div role="option" tabindex="0" aria-selected="true">Red</div><div role="option" tabindex="0" aria-selected="false">Green</div></div>`);
    const list = /listbox "Colour" (@e\d+)/.exec(await read())?.[1] ?? '';
    const text = await textOf(select, await session.select({ ref: list, labels: ['Green'] }));
    expect(text).toMatch(/differs[\s\S]*Options: "Red" selected, "Green"/);
  });
});

describe('suggestions', () => {
  const FIELD = `<input aria-label="City" role="combobox" aria-expanded="false" aria-controls="list" id="city">
    <div role="listbox" id="list" aria-label="Cities" hidden></div><script>
    city.oninput = () => {
      list.innerHTML = ['Oslo', 'Osaka'].map(name => '<div role="option" tabindex="0">' + name + '</div>').join('');
      list.hidden = false; city.ariaExpanded = 'true';
    };</script>`;
  const times = (text: string, name: string): number => text.split(`"${name}"`).length - 1;

  test('are told once', async () => {
    const { session, ref } = await openPage(FIELD);
    const result = expectSuccess(await session.type({ ref: ref('combobox', 'City'), text: 'Os' }));
    const text = await textOf(typeTool, result);
    expect(text).toContain('Suggestions opened.');
    expect([times(text, 'Oslo'), times(text, 'Osaka')]).toEqual([1, 1]);
    expect(result.suggestions).toMatchObject([{ name: 'Oslo' }, { name: 'Osaka' }]);
  });

  test('are told by what filled a form', async () => {
    const { session, ref } = await openPage(FIELD);
    const fields = [{ ref: ref('combobox', 'City'), value: 'Os' }];
    const text = await textOf(fillForm, await session.fillForm({ fields }));
    expect(text).toMatch(/Filled: @e\d+ "Os"\nSuggestions opened\./);
    expect(times(text, 'Oslo')).toBe(1);
  });

  test('are none where a field has none', async () => {
    const { session, ref } = await openPage('<input aria-label="Name">');
    const fields = [{ ref: ref('textbox', 'Name'), value: 'Ann' }];
    expect(await textOf(fillForm, await session.fillForm({ fields }))).not.toContain('Suggestions');
  });
});

test('a list that closed is said to have, where nothing else shows it', async () => {
  const { session, ref, read, script } = await openPage(
    `<button onclick="list.style.display = 'none'">Close</button><ul id="list"></ul>`,
  );
  await read();
  await script(`list.style.width = '10px'`);
  const { changes } = expectSuccess(await session.click({ ref: ref('button', 'Close') }));
  expect(changes).toBe('~ no longer shown: <ul>');
});
