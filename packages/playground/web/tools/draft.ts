import type { Field, Member } from './fields.js';

/** What stands in a form: text for numbers too, as it was typed. */
export type Draft =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean | undefined }
  | { readonly kind: 'list'; readonly items: readonly Draft[] }
  | { readonly kind: 'choice'; readonly variant: number; readonly draft: Draft }
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, Draft>> }
  /** An optional object or list that is left out. */
  | { readonly kind: 'absent' };

export function emptyDraft(field: Field): Draft {
  switch (field.kind) {
    case 'boolean':
      return { kind: 'boolean', value: undefined };
    case 'list':
      return { kind: 'list', items: [] };
    case 'choice':
      return { kind: 'choice', variant: 0, draft: emptyDraft(field.variants[0] ?? { kind: 'json' }) };
    case 'object':
      return emptyObject(field.members);
    default:
      return { kind: 'text', text: '' };
  }
}

/** Of the members of an object, optional objects are left out until somebody wants them. */
export function emptyObject(members: readonly Member[]): Draft & { kind: 'object' } {
  const drafts = members.map(({ name, field, isRequired }): [string, Draft] => [
    name,
    field.kind === 'object' && !isRequired ? { kind: 'absent' } : emptyDraft(field),
  ]);
  return { kind: 'object', members: Object.fromEntries(drafts) };
}

/** What a form sends: nothing for what was left empty, so that the tool itself says what it misses. */
export function draftedValue(field: Field, draft: Draft): unknown {
  switch (draft.kind) {
    case 'absent':
      return undefined;
    case 'boolean':
      return draft.value;
    case 'list':
      return draft.items.length === 0 || field.kind !== 'list'
        ? undefined
        : draft.items.map(item => draftedValue(field.item, item) ?? '');
    case 'choice': {
      const variant = field.kind === 'choice' ? field.variants[draft.variant] : undefined;
      return variant && draftedValue(variant, draft.draft);
    }
    case 'object':
      return field.kind === 'object' ? objectOf(field.members, draft) : undefined;
    case 'text':
      return draft.text === '' ? undefined : textValue(field, draft.text);
  }
}

export function objectOf(members: readonly Member[], draft: Draft & { kind: 'object' }): Record<string, unknown> {
  const values = members.map(({ name, field }): [string, unknown] => {
    const member = draft.members[name];
    return [name, member && draftedValue(field, member)];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** What is no number or no JSON is sent as it was typed: the tool says what is wrong with it. */
function textValue(field: Field, text: string): unknown {
  if (field.kind === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  if (field.kind !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
