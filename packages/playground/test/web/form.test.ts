import { BrowserToolset } from '@browser-toolset/agent-browser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeTools } from '../../src/server/tool-runs.js';
import { type Draft, draftedValue, emptyDraft, emptyObject, objectOf } from '../../web/tools/draft.js';
import { type Field, fieldOf, membersOf } from '../../web/tools/fields.js';

const schema = {
  type: 'object',
  properties: {
    ref: { type: 'string', description: 'Ref from the snapshot, such as @e12' },
    count: { type: 'integer', minimum: 1, maximum: 3 },
    submit: { type: 'boolean' },
    button: { type: 'string', enum: ['left', 'right'] },
    keys: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    dialog: { type: 'object', properties: { accept: { type: 'boolean' } }, required: ['accept'] },
    odd: { type: 'null' },
  },
  required: ['ref'],
};

describe('a form made of a schema', () => {
  const members = membersOf(schema);
  const draft = emptyObject(members);

  test('has a fitting field for each member', () => {
    expect(members.map(({ name, field }) => `${name} ${field.kind}`)).toEqual([
      'ref text',
      'count number',
      'submit boolean',
      'button enum',
      'keys choice',
      'dialog object',
      'odd json',
    ]);
    expect(members[0]).toMatchObject({ isRequired: true, field: { isRef: true }, help: expect.stringMatching(/^Ref/) });
    expect(members[1]?.field).toEqual({ kind: 'number', isWhole: true, min: 1, max: 3 });
  });

  test('sends nothing for what was left empty', () => {
    expect(objectOf(members, draft)).toEqual({});
  });

  test('sends numbers, lists and objects as such, and what is none as it was typed', () => {
    const filled: Record<string, Draft> = {
      count: { kind: 'text', text: '2' },
      submit: { kind: 'boolean', value: false },
      keys: { kind: 'choice', variant: 1, draft: { kind: 'list', items: [{ kind: 'text', text: 'Enter' }] } },
      dialog: { kind: 'object', members: { accept: { kind: 'boolean', value: true } } },
      odd: { kind: 'text', text: '{"a":' },
    };
    expect(objectOf(members, { kind: 'object', members: { ...draft.members, ...filled } })).toEqual({
      count: 2,
      submit: false,
      keys: ['Enter'],
      dialog: { accept: true },
      odd: '{"a":',
    });
    const field: Field = { kind: 'number', isWhole: true };
    expect(draftedValue(field, { kind: 'text', text: 'many' })).toBe('many');
  });

  test('fits every tool of the toolset', () => {
    for (const { id, inputSchema } of describeTools(new BrowserToolset().tools as never)) {
      const kinds = membersOf(inputSchema).map(({ field }) => field.kind);
      expect({ id, odd: kinds.filter(kind => kind === 'json') }).toEqual({ id, odd: [] });
      expect(objectOf(membersOf(inputSchema), emptyObject(membersOf(inputSchema)))).toBeTypeOf('object');
    }
  });

  test('can be made of any JSON at all', () => {
    const schemas = fc.jsonValue().map(value => (typeof value === 'object' && value !== null ? { ...value } : true));
    fc.assert(
      fc.property(schemas, anySchema => {
        const field = fieldOf(anySchema);
        draftedValue(field, emptyDraft(field));
      }),
    );
  });
});
