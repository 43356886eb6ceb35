import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trials } from '../../../../scripts/testing/trials.js';
import { testToolset } from '../fixtures.js';
import { act, keptBy, refsOf, serveEverything, type ToolName } from './tool-results.js';

const site = await serveEverything();

describe('the output schema of a tool', () => {
  it('keeps every field of every result', { timeout: trials.limit }, async () => {
    const toolset = testToolset({ timeout: 1_500, navigationTimeout: 3_000, snapshot: { maxTokens: 100 } });
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 4, maxLength: 12 }), async calls => {
        const session = toolset.session();
        const refs = await refsOf(session, site);
        for (const { tool, input } of calls) {
          const result = await act(session, tool, input(refs));
          expect(keptBy(toolset.tools[tool], result)).toEqual(result);
          seen.add(result.success ? tool : `${tool} failed`);
        }
      }),
      { ...trials.runs({ slice: 4, full: 20 }), endOnFailure: true },
    );
    // Most of what is drawn does something; what it is, chance decides.
    expect(seen.size).toBeGreaterThan(10);
  });
});

interface Call {
  tool: ToolName;
  input(refs: string[]): object;
}

const pick = fc.nat(100);
const at = (refs: string[], index: number) => refs[index % Math.max(1, refs.length)] ?? '@e1';
const call: fc.Arbitrary<Call> = fc.oneof(
  onRef('browser_click', fc.constantFrom({}, { waitAfter: 0.1 }, { onDialog: { accept: true } })),
  onRef('browser_type', fc.record({ text: fc.constantFrom('Oslo', 'x', ''), slowly: fc.boolean() })),
  onRef('browser_select', fc.constantFrom({}, { labels: ['M'] }, { indexes: [7] })),
  onRef('browser_hover', fc.constant({})),
  onRef('browser_screenshot', fc.constantFrom({}, { labels: true })),
  fc.record({ from: pick, to: pick }).map(
    ({ from, to }): Call => ({
      tool: 'browser_drag',
      input: refs => ({ from: at(refs, from), to: at(refs, to) }),
    }),
  ),
  pick.map(
    (index): Call => ({
      tool: 'browser_fill_form',
      input: refs => ({ fields: refs.slice(index % 3, 4).map(ref => ({ ref, value: 'Ann' })) }),
    }),
  ),
  plain('browser_navigate', { url: site.url() }, { url: site.url('/file') }, { url: 'http://127.0.0.1:1/' }),
  plain('browser_history', { direction: 'back' }, { direction: 'reload' }),
  plain('browser_tabs', { action: 'list' }, { action: 'new' }, { action: 'close' }, { action: 'switch', tab: 't1' }),
  plain('browser_snapshot', {}, { interactiveOnly: false }, { diff: true }, { scope: 'modal' }, { ref: '@e900' }),
  plain('browser_find', { text: 'Row' }, { role: 'button' }, { text: 'nowhere' }),
  plain('browser_press', { keys: 'Enter' }, { keys: ['Tab', 'Tab'] }, { keys: 'Nonsense' }),
  plain('browser_scroll', { direction: 'down' }, { direction: 'up', amount: 'half' }),
  plain('browser_wait', { for: { seconds: 0 } }, { for: { text: 'nowhere' }, timeout: 0.2 }),
  plain('browser_dialog', { action: 'accept' }, { action: 'dismiss' }),
  plain('browser_close', {}),
);

function plain(tool: ToolName, ...inputs: object[]): fc.Arbitrary<Call> {
  return fc.constantFrom(...inputs).map(input => ({ tool, input: () => input }));
}

function onRef(tool: ToolName, more: fc.Arbitrary<object>): fc.Arbitrary<Call> {
  return fc.tuple(pick, more).map(([index, rest]) => ({ tool, input: refs => ({ ref: at(refs, index), ...rest }) }));
}
