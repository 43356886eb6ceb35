import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HumanRecord } from '../../src/browser/person/human-watch.js';
import { humanActionsField, humanLines } from '../../src/results/effects.js';
import { estimateTokens } from '../../src/tokens.js';

const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const field = fc.record({ role: fc.constant('textbox'), name: text, value: text });
const tabs = fc.record({
  active: fc.constantFrom('t1', 't2'),
  url: fc.webUrl(),
  tabs: fc.array(fc.tuple(fc.constantFrom('t1', 't2', 't3', 't4', 't9'), fc.webUrl())).map(entries => new Map(entries)),
});

test('whatever a person does, it takes at most 200 tokens and fits the schema', () => {
  fc.assert(
    fc.property(fc.array(field), fc.array(field), fc.array(tabs, { minLength: 2 }), (fields, clicks, moves) => {
      const record = new HumanRecord();
      for (const [index, each] of fields.entries()) record.noteField(`${index}`, each);
      for (const { role, name } of clicks) record.noteClick({ role, name });
      for (const [index, move] of moves.entries()) if (index > 0) record.noteTabs(moves[index - 1] ?? move, move);
      const report = record.report() ?? {};
      expect(humanActionsField.parse(report)).toEqual(report);
      const told = (report.fields?.length ?? 0) + (report.clicks?.length ?? 0);
      if (told > 0) expect(estimateTokens(humanLines(report).join('\n'))).toBeLessThanOrEqual(200);
    }),
  );
});

test('a secret has no value, whatever it came with', () => {
  const record = new HumanRecord();
  record.noteField('1', { role: 'textbox', name: 'PIN', value: '1234', secret: true });
  expect(record.report()).toEqual({ fields: [{ role: 'textbox', name: 'PIN', secret: true }] });
});

test('what came and went again is not told', () => {
  const record = new HumanRecord();
  const at = (url: string, ...ids: string[]) => ({ active: 't1', url, tabs: new Map(ids.map(id => [id, url])) });
  record.noteTabs(at('https://a/', 't1'), at('https://b/', 't1', 't2'));
  record.noteTabs(at('https://b/', 't1', 't2'), at('https://a/', 't1'));
  record.noteField('1', { role: 'textbox', name: 'A', value: 'x' });
  record.noteField('1', undefined);
  expect(record.report()).toBeUndefined();
});
