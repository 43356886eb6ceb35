import type { JsonSchema } from '../../src/server/api.js';

/** What a form shows for a JSON schema. */
export type Field =
  | { readonly kind: 'text'; readonly isRef: boolean }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly isWhole: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly item: Field }
  | { readonly kind: 'choice'; readonly variants: readonly Field[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  /** What no form fits: written as JSON. */
  | { readonly kind: 'json' };

export interface Member {
  readonly name: string;
  readonly field: Field;
  readonly isRequired: boolean;
  readonly help?: string;
}

type Keywords = { readonly [keyword: string]: unknown };

export function fieldOf(schema: JsonSchema, name = ''): Field {
  if (typeof schema === 'boolean') return { kind: 'json' };
  const variants = listOf(schema.anyOf ?? schema.oneOf);
  if (variants.length === 1 && variants[0]) return fieldOf(variants[0], name);
  if (variants.length > 1) return { kind: 'choice', variants: variants.map(variant => fieldOf(variant, name)) };
  if (Array.isArray(schema.enum) && schema.enum.every(value => typeof value === 'string')) {
    return { kind: 'enum', values: schema.enum };
  }
  return BY_TYPE[String(schema.type)]?.(schema, name) ?? { kind: 'json' };
}

const BY_TYPE: Record<string, (schema: Keywords, name: string) => Field> = {
  string: (schema, name) => ({ kind: 'text', isRef: isRef(schema, name) }),
  number: schema => ({ kind: 'number', isWhole: false, ...bounds(schema) }),
  integer: schema => ({ kind: 'number', isWhole: true, ...bounds(schema) }),
  boolean: () => ({ kind: 'boolean' }),
  array: schema => ({ kind: 'list', item: fieldOf(asSchema(schema.items)) }),
  object: schema => ({ kind: 'object', members: membersOf(schema) }),
};

/** The members of an object's schema, in its order. */
export function membersOf(schema: JsonSchema): Member[] {
  if (typeof schema === 'boolean' || typeof schema.properties !== 'object' || schema.properties === null) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).map(([name, value]) => {
    const member = asSchema(value);
    const help = typeof member === 'object' && typeof member.description === 'string' ? member.description : undefined;
    return { name, field: fieldOf(member, name), isRequired: required.includes(name), ...(help && { help }) };
  });
}

function isRef({ description }: Keywords, name: string): boolean {
  return name === 'ref' || (typeof description === 'string' && description.startsWith('Ref '));
}

function bounds({ minimum, maximum }: Keywords): { min?: number; max?: number } {
  return {
    ...(typeof minimum === 'number' && { min: minimum }),
    ...(typeof maximum === 'number' && { max: maximum }),
  };
}

function listOf(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.map(asSchema) : [];
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? { ...value } : true;
}
