import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod/v4';
import { type ActionDefinition, defineAction } from '../src/actions/action.js';
import { doneAction } from '../src/actions/done.js';
import { InvalidAnswer } from '../src/model/invalid-answer.js';
import { isUnclosed } from '../src/model/parse-json.js';
import { readAnswer } from '../src/model/read-answer.js';

const run = async (): Promise<string> => '';
const actions: ActionDefinition[] = [
  defineAction({
    name: 'click',
    description: '',
    input: z.strictObject({ ref: z.string().optional(), x: z.number().optional(), y: z.number().optional() }),
    run,
  }) as ActionDefinition,
  defineAction({
    name: 'type',
    description: '',
    input: z.strictObject({ ref: z.string(), text: z.string(), submit: z.boolean().optional() }),
    run,
  }) as ActionDefinition,
  defineAction({
    name: 'fill_form',
    description: '',
    input: z.strictObject({
      fields: z.array(
        z.strictObject({ ref: z.string(), value: z.union([z.string(), z.boolean(), z.array(z.string())]) }),
      ),
    }),
    run,
  }) as ActionDefinition,
  defineAction({
    name: 'tabs',
    description: '',
    input: z.strictObject({ action: z.enum(['new', 'close']), url: z.string().optional() }),
    run,
  }) as ActionDefinition,
  defineAction({
    name: 'write_file',
    description: '',
    input: z.strictObject({ name: z.string(), content: z.string() }),
    run,
  }) as ActionDefinition,
  defineAction({
    name: 'extract',
    description: '',
    input: z.strictObject({ query: z.string(), schema: z.record(z.string(), z.unknown()).optional() }),
    run,
  }) as ActionDefinition,
  defineAction({
    name: 'select',
    description: '',
    input: z.strictObject({ ref: z.string(), labels: z.array(z.string()).optional(), count: z.int().optional() }),
    run,
  }) as ActionDefinition,
  defineAction({ name: 'own', description: '', input: z.object({ code: z.string() }), run }) as ActionDefinition,
  defineAction({
    name: 'evaluate',
    description: '',
    input: z.strictObject({ arg: z.unknown() }),
    run,
  }) as ActionDefinition,
  doneAction(undefined),
];
const read = (given: unknown) => readAnswer(given, { mode: 'full', actions });

/** What is taken of an answer; nothing where it is refused. */
function taken(given: unknown): object[] {
  try {
    return read(given).output.actions;
  } catch (error) {
    if (!(error instanceof InvalidAnswer)) throw error;
    return [];
  }
}

const SEEDED = { seed: 28, numRuns: 500 };
const word = fc.constantFrom(
  'Delete all',
  'Do NOT send this before Monday',
  'it’s {braced} [and listed]',
  'a "quoted" \\ word',
  "Ann's",
  '```json',
  'two\nlines',
  '',
);
const action = fc.oneof(
  word.map(ref => ({ click: { ref } })),
  fc.tuple(word, word).map(([ref, text]) => ({ type: { ref, text } })),
  word.map(text => ({ done: { text, success: true } })),
  fc.tuple(word, word).map(([ref, value]) => ({ fill_form: { fields: [{ ref, value }] } })),
);
const wholeAnswer = fc
  .record({ evaluation: word, memory: word, nextGoal: word, actions: fc.array(action, { minLength: 1, maxLength: 3 }) })
  .map(answer => ({ answer, text: JSON.stringify(answer) }));
const prose = fc.constantFrom(
  '',
  'I click {Next} now. ',
  'Let me see: ',
  'A set {1, 2}, a list [3].\n',
  'There are {"Next"} and {last: Send}. ',
  'Here it is:\n',
);
const thinking = fc.constantFrom(
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<reasoning>', '</reasoning>'],
  // The template of a model writes the beginning itself.
  ['', '</think>'],
  ['<think>First</think>', '</think>'],
);
const draft = fc.oneof(
  fc
    .tuple(thinking, wholeAnswer, prose)
    .map(([[start, end], { text }, said]) => `${start}${said}${text}${said}${end}\n`),
  fc.tuple(wholeAnswer, prose).map(([{ text }, said]) => `${said}Draft:\n\`\`\`json\n${text}\n\`\`\`\nNo. `),
  // Thoughts are cut off as well.
  fc
    .tuple(thinking, wholeAnswer, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([[start, end], { text }, part]) => `${start}${text.slice(0, text.length * part)}${end}\n`),
  prose,
);
const fence = fc.constantFrom(['', ''], ['```json\n', '\n```'], ['```\n', '\n```\nGood luck']);

describe('of 500 generated answers', () => {
  test('none that is cut off is acted on, and each is known for it', () => {
    fc.assert(
      fc.property(
        draft,
        fence,
        wholeAnswer,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (before, [start], { text }, part) => {
          const length = 1 + Math.floor(part * (text.length - 2));
          const cut = `${before}${start}${text.slice(0, length)}`;
          expect(taken(cut)).toEqual([]);
          expect(isUnclosed(cut)).toBe(true);
        },
      ),
      SEEDED,
    );
  });

  test('what stands in thinking and drafts is never acted on, and does not hide the answer', () => {
    fc.assert(
      fc.property(draft, fence, wholeAnswer, prose, (before, [start, end], { answer, text }, after) => {
        const whole = `${before}${start}${text}${end}${after}`;
        expect(taken(whole)).toEqual(answer.actions);
        expect(isUnclosed(whole)).toBe(false);
      }),
      SEEDED,
    );
  });

  test('thinking that never ends is no answer', () => {
    fc.assert(
      fc.property(thinking, wholeAnswer, prose, ([start], { text }, said) => {
        fc.pre(start !== '' && !start?.includes('</'));
        const open = `${said}${start}${said}${text}`;
        expect([taken(open), isUnclosed(open)]).toEqual([[], true]);
      }),
      SEEDED,
    );
  });
});

describe('an answer that cannot be read', () => {
  const drafted = JSON.stringify({ memory: '', actions: [{ click: { ref: '@e1' } }] });

  test.each([
    ['with an ellipsis in it', '{"memory": "", "actions": [{"click": {"ref": "@e2"}}, ...]}'],
    ['whose brackets do not match', '{"memory": "", "actions": [{"click": {"ref": "@e2"}]}}'],
    ['without actions', '{"evaluation": "Success", "memory": "done"}'],
  ])('%s does not give way to a draft before it', (_, text) => {
    expect(taken(`${drafted}\nNo, rather:\n${text}`)).toEqual([]);
    expect(taken(text)).toEqual([]);
  });

  test('keeps what it says beside its actions', () => {
    const given = {
      evaluation: 'Success: sent',
      memory: 'Order 7',
      plan: ['pay', 'leave'],
      nextGoal: 'Fly',
      actions: [{ fly: {} }],
    };
    const error = caught(given);
    expect(error.message).toMatch(/no action "fly"/);
    expect(error.kept).toEqual({ evaluation: 'Success: sent', memory: 'Order 7', plan: 'pay\nleave', nextGoal: 'Fly' });
  });
});

function caught(given: unknown): InvalidAnswer {
  try {
    read(given);
  } catch (error) {
    if (error instanceof InvalidAnswer) return error;
    throw error;
  }
  throw new Error('it was taken');
}

const click = { click: { ref: '@e4' } };
const said = { evaluation: 'Success', memory: 'm', nextGoal: 'g' };

describe('another form of the same is taken:', () => {
  test.each([
    ['memory that is missing', { evaluation: '', nextGoal: '', actions: [click] }, '', [click]],
    ['memory that is null', { ...said, memory: null, actions: [click] }, '', [click]],
    ['a list for memory', { ...said, memory: ['a', 2], actions: [click] }, 'a\n2', [click]],
    ['actions alone', { actions: [click] }, '', [click]],
    ['one action', { ...said, actions: click }, 'm', [click]],
    ['one action below its own name', { ...said, action: click }, 'm', [click]],
    ['actions as text', { ...said, actions: JSON.stringify([click]) }, 'm', [click]],
    ['an action by name and input', { ...said, actions: [{ name: 'click', input: { ref: '@e4' } }] }, 'm', [click]],
    ['an action by name and text', { ...said, actions: [{ name: 'click', arguments: '{"ref":"@e4"}' }] }, 'm', [click]],
    ['an action by its name', { ...said, actions: [{ action: 'click', ref: '@e4' }] }, 'm', [click]],
    ['an action within an action', { ...said, actions: [{ action: click }] }, 'm', [click]],
    [
      'an action that is named like the key of one',
      { ...said, actions: [{ type: 'click', ref: '@e4' }] },
      'm',
      [click],
    ],
    ['all actions but one null', { ...said, actions: [{ ...click, type: null, done: null }] }, 'm', [click]],
    ['null for what is left out', { ...said, actions: [{ do: 'click', ref: '@e4', x: null, y: null }] }, 'm', [click]],
  ])('%s', (_, given, memory, expected) => {
    for (const form of [given, JSON.stringify(given), JSON.stringify([given]), JSON.stringify({ answer: given })]) {
      if (typeof form === 'string' && !form.includes('"actions"')) continue;
      const { output, ignored } = read(form);
      expect([output.memory, output.actions, ignored]).toEqual([memory, expected, []]);
    }
  });

  test.each([
    [{ tabs: { action: 'new', url: null } }, { tabs: { action: 'new' } }],
    [{ do: 'tabs', action: 'close' }, { tabs: { action: 'close' } }],
    [{ do: 'write_file', name: 'a.md', content: 5 }, { write_file: { name: 'a.md', content: '5' } }],
    [{ type: { ref: '@e1', text: 42, submit: 'true' } }, { type: { ref: '@e1', text: '42', submit: true } }],
    [{ click: { x: '10', y: ' 7.5 ' } }, { click: { x: 10, y: 7.5 } }],
    [{ select: { ref: '@e1', labels: 'Red', count: '2' } }, { select: { ref: '@e1', labels: ['Red'], count: 2 } }],
    [{ fill_form: { fields: { ref: '@e1', value: 3 } } }, { fill_form: { fields: [{ ref: '@e1', value: '3' }] } }],
    [{ extract: { query: 'q', schema: '{"type":"object"}' } }, { extract: { query: 'q', schema: { type: 'object' } } }],
    [{ evaluate: { arg: '{"a":1}' } }, { evaluate: { arg: { a: 1 } } }],
    [{ evaluate: { arg: '5' } }, { evaluate: { arg: '5' } }],
  ])('%j', (given, expected) => {
    expect(read({ ...said, actions: [given] }).output.actions).toEqual([expected]);
  });

  test('what nobody knows is left out, and told', () => {
    const given = { ...said, mood: 'good', actions: [{ click: { ref: '@e4', force: true, index: null }, why: 'x' }] };
    const { output, ignored } = read(given);
    expect(output.actions).toEqual([click]);
    expect(ignored).toEqual(['mood', 'click.why', 'click.force']);
    const own = read({ ...said, actions: [{ own: { code: '1', digits: 4 } }] });
    expect([own.output.actions, own.ignored]).toEqual([[{ own: { code: '1' } }], ['own.digits']]);
  });
});

describe('what is doubtful is refused with its reason:', () => {
  test.each([
    [{ click: { ref: 5 } }, /click.*ref/s],
    [{ type: { ref: '@e1' } }, /type.*text/s],
    [{ click: { ref: '@e1' }, type: { ref: '@e1', text: '' } }, /2 names/],
    [{ do: 'fly', to: 'x' }, /no action "fly"/],
    [{ tabs: { action: 'open' } }, /tabs.*new/s],
    [{ click: { x: '10px', y: 1 } }, /click.*number/s],
    ['click', /no action/],
  ])('%j', (given, reason) => {
    expect(caught({ ...said, actions: [given] }).message).toMatch(reason);
  });
});
