import { afterAll, describe, expect, test } from 'vitest';
import { meantInput } from '../../src/call/meant-input.js';
import { ALL_TOOLS } from '../../src/tools/index.js';
import { expectFailure, expectSuccess, pageOf, refOf, servePages, sharingToolset } from '../fixtures.js';

const toolset = sharingToolset();
afterAll(() => toolset.close());

const PAGE = `<!doctype html><title>Keys</title><input aria-label="One"><input aria-label="Two"><select aria-label="Sort" multiple><option>New<option>Old</select>
  <div style="height:3000px"></div><p id="out" role="status"></p><script>onkeydown = ({ key }) => { out.textContent += key + ' ' }</script>`;

/** Opens the page as a model's calls reach it, and returns the refs of its elements. */
async function opened(): Promise<(role: string, name: string) => string> {
  const site = await servePages({ '/': PAGE });
  expectSuccess(await toolset.tools.browser_navigate.execute({ url: site.url() }));
  const snapshot = expectSuccess(await toolset.tools.browser_snapshot.execute({}));
  return (role, name) => refOf(snapshot, role, name);
}

function tool(id: string): (input: unknown) => Promise<{ success: boolean; code?: 'invalid_input'; message?: string }> {
  return (toolset.tools as unknown as Record<string, { execute: ReturnType<typeof tool> }>)[id]?.execute as never;
}

describe('what a model or client means is taken', () => {
  test.each([
    ['browser_press', { keys: '["Tab","Enter"]' }, { pressed: 2 }],
    ['browser_press', { keys: '["a"]' }, { pressed: 1 }],
    ['browser_scroll', { direction: 'down', amount: '500' }, { position: { x: 0, y: 500 } }],
    ['browser_click', { x: '5', y: '5', clickCount: '1' }, { success: true }],
    ['browser_snapshot', { interactiveOnly: 'false', maxTokens: '2000' }, { success: true }],
    ['browser_wait', { for: '{"seconds": "0.1"}' }, { success: true }],
    ['browser_drag', { from: '{"x": 5, "y": 5}', to: { x: '9', y: '9' } }, { success: true }],
  ])('%s with %j', async (id, input, expected) => {
    await opened();
    expect(await tool(id)(input)).toMatchObject({ success: true, ...expected });
  });

  test.each(['@e%', 'e%', '[ref=e%]', 'ref=@e%', '[ref=@e%]', 'ref: e%', '"@e%"', ' [@e%] '])(
    'a ref that is written %j',
    async written => {
      const ref = await opened();
      const input = { ref: written.replace('%', ref('textbox', 'Two').slice(2)), text: 'Ann' };
      expect(await tool('browser_type')(input)).toMatchObject({ success: true, value: 'Ann' });
    },
  );

  test('lists of one, and lists of forms as text', async () => {
    const ref = await opened();
    const [sort, one] = [ref('listbox', 'Sort'), ref('textbox', 'One')];
    expect(await tool('browser_select')({ ref: sort, labels: 'Old' })).toMatchObject({ selected: ['Old'] });
    const fields = JSON.stringify([{ ref: one, value: 'Ann' }]);
    expect(await tool('browser_fill_form')({ fields })).toMatchObject({ success: true, fields: [{ value: 'Ann' }] });
  });

  test('by plain code too', async () => {
    await opened();
    const keys = '["Tab","Enter"]';
    expect(await toolset.session('default').press({ keys })).toMatchObject({ success: true, pressed: 2 });
  });
});

describe('what is not in doubt stays', () => {
  test('text that looks like a list, where text is asked for', async () => {
    const ref = await opened();
    for (const text of ['["Tab","Enter"]', '500', 'true', '{"a":1}']) {
      expect(await tool('browser_type')({ ref: ref('textbox', 'One'), text })).toMatchObject({ value: text });
      const fields = [{ ref: ref('textbox', 'Two'), value: text }];
      expect(await tool('browser_fill_form')({ fields })).toMatchObject({ fields: [{ value: text }] });
    }
    const page = await pageOf(toolset, 'default');
    expect(await page.evaluate('[...document.querySelectorAll("input")].map(field => field.value)')).toEqual([
      '{"a":1}',
      '{"a":1}',
    ]);
  });

  test.each([
    ['browser_press', { keys: '["Tab","Bogus"]' }, 'is not a key name'],
    ['browser_scroll', { direction: 'down', amount: '5 pages' }, 'amount'],
    ['browser_click', { ref: '@e1', clickCount: 'two' }, 'clickCount'],
    ['browser_type', { ref: '@e1', text: ['a'] }, 'text'],
  ])('%s with %j is refused', async (id, input, message) => {
    await opened();
    expect(expectFailure(await tool(id)(input), 'invalid_input').message).toContain(message);
  });

  test('input that a tool accepts', () => {
    const inputs: Record<string, unknown> = {
      browser_press: { keys: ['[', '{', '1', 'F1'] },
      browser_scroll: { direction: 'down', amount: 'half' },
      browser_drag: { from: '@e1', to: { x: 1, y: 2 } },
      browser_fill_form: {
        fields: [
          { ref: 'e1', value: '["a"]' },
          { ref: 'e2', value: ['a'] },
        ],
      },
      browser_evaluate: { expression: '[1]', arg: '[1]' },
    };
    for (const [id, input] of Object.entries(inputs)) {
      const schema = ALL_TOOLS.find(each => each.id === id)?.input;
      if (schema === undefined) expect.fail(`no tool ${id}`);
      expect(schema.safeParse(input).success).toBe(true);
      expect(meantInput(schema, input)).toEqual(input);
    }
  });
});
