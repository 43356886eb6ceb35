import { describe, expect, test } from 'vitest';
import type { ActionResult, ElementRecord } from '../src/index.js';
import { type AgentHistory, detectVariables, recordedActions, toCode } from '../src/index.js';
import { VariableTexts } from '../src/rerun/variables.js';

type Action = Pick<ActionResult, 'action' | 'input' | 'elements' | 'metadata'>;

function historyOf(...taken: Action[]): AgentHistory {
  const results = taken.map(each => ({ ...each, success: true, text: '', duration: 1 }));
  const usage = { input: 0, output: 0 };
  const step = { step: 1, url: '', title: '', tabs: [], results, startedAt: 0, duration: 1, modelDuration: 0, usage };
  return { version: 1, runId: 'r', threadId: 't', task: 'x', steps: [step] };
}

function field(role: string, name: string, more: Partial<ElementRecord> = {}): ElementRecord {
  return { role, name, index: 0, count: 1, ...more };
}

const typed = (name: string, text: string, more: Partial<ElementRecord> = {}): Action => ({
  action: 'type',
  input: { ref: '@e1', text },
  elements: { ref: field('textbox', name, more) },
});
const clicked = (role: string, name: string, more: Partial<ElementRecord> = {}): Action => ({
  action: 'click',
  input: { ref: '@e2' },
  elements: { ref: field(role, name, more) },
});

/** The actions as another run with other values has them: the input, and role, name and row of the element. */
function replaced(history: AgentHistory, given: Record<string, string>) {
  const texts = new VariableTexts(history);
  return recordedActions(history)
    .map((each, number) => texts.replaceIn(each, number, given))
    .map(({ input, elements }) => ({ ...input, name: elements?.ref?.name, row: elements?.ref?.row }));
}

const values = (history: AgentHistory): Record<string, string> =>
  Object.fromEntries(Object.values(detectVariables(history)).map(({ name, value = '' }) => [name, value]));

describe('variables', () => {
  test('of equal value are those of their fields, and each changes its own', () => {
    const history = historyOf(
      typed('Full name', 'Ann Lee'),
      typed('Name on card', 'Ann Lee'),
      clicked('link', 'Ann Lee'),
    );
    expect(values(history)).toEqual({ full_name: 'Ann Lee', name_on_card: 'Ann Lee' });
    expect(replaced(history, { name_on_card: 'Bo Ek' })).toMatchObject([
      { text: 'Ann Lee' },
      { text: 'Bo Ek' },
      { name: 'Ann Lee' },
    ]);
    expect(replaced(history, { full_name: 'Bo Ek' })).toMatchObject([
      { text: 'Bo Ek' },
      { text: 'Ann Lee' },
      { name: 'Bo Ek' },
    ]);
    const source = toCode(history, { as: 'playwright' });
    expect(source.match(/fill\(input\.\w+\)/g)).toEqual(['fill(input.full_name)', 'fill(input.name_on_card)']);
    expect(source).toContain("role: 'link', name: input.full_name");
  });

  test('are one where the same field got the same value twice, and two where fields of one name stand in several rows', () => {
    const twice = historyOf(typed('Email', 'a@example.com'), typed('Email', 'a@example.com'));
    expect(detectVariables(twice)).toMatchObject({ email: { places: [{ action: 0 }, { action: 1 }] } });
    const rows = historyOf(typed('Quantity', '12', { row: 'Mug' }), typed('Quantity', '12', { row: 'Bowl' }));
    expect(values(rows)).toEqual({ quantity: '12', quantity_2: '12' });
  });

  test('are choices as well: of drop-downs, of lists of their own, and of several at once', () => {
    const chosen = historyOf(
      {
        action: 'select',
        input: { ref: '@e1', labels: ['Red', 'Blue'] },
        elements: { ref: field('listbox', 'Colours') },
      },
      {
        action: 'fill_form',
        input: { fields: [{ ref: '@e2', value: ['Norway'] }] },
        elements: { 'fields.0.ref': field('combobox', 'Country') },
      },
      typed('From', 'Zuri', { role: 'combobox' }),
      clicked('option', 'Zurich'),
    );
    expect(values(chosen)).toEqual({
      colours: 'Red',
      colours_2: 'Blue',
      country: 'Norway',
      from: 'Zuri',
      from_option: 'Zurich',
    });
    const [red, , from, option] = replaced(chosen, { colours_2: 'Green', from: 'Bas', from_option: 'Basel' });
    expect([red, from, option]).toMatchObject([{ labels: ['Red', 'Green'] }, { text: 'Bas' }, { name: 'Basel' }]);
  });

  test('are choices by number, too, by what was chosen', () => {
    const input = { ref: '@e1', indexes: [2] };
    const elements = { ref: field('combobox', 'Size') };
    const history = historyOf({ action: 'select', input, elements, metadata: { success: true, selected: ['Large'] } });
    expect(values(history)).toEqual({ size: 'Large' });
    expect(replaced(history, { size: 'Small' })).toMatchObject([{ labels: ['Small'] }]);
  });

  test('stand in other texts as whole words, and only from where they were put in', () => {
    const row = { row: 'Ann Anna, Annual' };
    const history = historyOf(clicked('button', 'Open', row), typed('Name', 'Ann'), clicked('button', 'Open', row));
    const [before, , after] = replaced(history, { name: 'Bo' });
    expect([before?.row, after?.row]).toEqual(['Ann Anna, Annual', 'Bo Anna, Annual']);
  });

  test('have names that source can have', () => {
    const history = historyOf(typed('2nd café', 'x y'));
    expect(values(history)).toEqual({ field_2nd_cafe: 'x y' });
    expect(toCode(history, { as: 'mastra' })).toContain('text: input.field_2nd_cafe');
  });
});

test('a field in a frame is found in its frame, also by a record that has it in its path alone', () => {
  const path = 'div > x-host >> iframe:nth-of-type(2) >> form > input';
  const frames = [{ tag: 'iframe', name: 'Pay "now"', path: 'div > x-host >> iframe:nth-of-type(2)' }];
  const written = (more: object): string =>
    toCode(historyOf(typed('Card', '4242', { path, ...more })), { as: 'playwright' });
  expect(written({ frames })).toMatch(/path: 'form > input', frames: \['iframe\[title="Pay \\\\"now\\\\""\], /);
  expect(written({})).toContain("path: 'form > input', frames: ['div > x-host >> iframe:nth-of-type(2)']");
});

test('a ref without a record of its element is no source: another run would act on another element', () => {
  const history = historyOf({ action: 'click', input: { ref: '@e7' } });
  for (const as of ['playwright', 'mastra'] as const)
    expect(() => toCode(history, { as })).toThrow('Step 1: the record does not tell what ref was');
});
