import type { JsonSchema } from '../actions/action.js';

/**
 * What a provider takes as a schema. `docs/guides/browser-agent/models.md` has the rules with their sources.
 *
 * - `strict`: every property is required, an optional one can be null, and no object is open.
 * - `openapi`: the part of OpenAPI 3.0 that Google takes: neither references nor open objects, and no object without properties.
 * - `plain`: JSON Schema as it is, without limits of values: these are checked here, with words for the model.
 */
export type Dialect = 'strict' | 'openapi' | 'plain';

/** A part that can be any JSON, or an object with names that are not known before: it is asked for as text. */
const AS_TEXT = 'JSON as text';

/** A schema in the words that a provider takes. */
export function inDialect(schema: JsonSchema, dialect: Dialect): JsonSchema {
  const written = nodeIn(schema, dialect);
  return dialect === 'strict' ? withDefinitions(written) : written;
}

function nodeIn(schema: JsonSchema, dialect: Dialect): JsonSchema {
  const { description } = schema;
  const said = description === undefined ? {} : { description };
  if (isNullable(schema)) return nullable({ ...nodeIn(withoutNull(schema), dialect), ...said }, dialect);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const all = choices.map(each => nodeIn(each, dialect));
    return all.length === 1 ? { ...all[0], ...said } : { anyOf: all, ...said };
  }
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values !== undefined) return { ...choiceOf(values, dialect), ...said };
  if (schema.type === 'array') return { type: 'array', items: itemsIn(schema, dialect), ...said };
  if (isClosed(schema, dialect)) return { ...objectIn(schema, dialect), ...said };
  if (typeof schema.type === 'string' && schema.type !== 'object') return { type: schema.type, ...said };
  if (dialect === 'plain') return { ...(schema.type === 'object' && { type: 'object' }), ...said };
  return { type: 'string', description: description === undefined ? AS_TEXT : `${description} (${AS_TEXT})` };
}

function itemsIn({ items, prefixItems }: JsonSchema, dialect: Dialect): JsonSchema {
  const each = prefixItems ?? (Array.isArray(items) ? items : undefined);
  if (each !== undefined) return nodeIn({ anyOf: each }, dialect);
  return nodeIn((items as JsonSchema | undefined) ?? {}, dialect);
}

/** Whether all names of an object are known. */
function isClosed(schema: JsonSchema, dialect: Dialect): boolean {
  const { type, properties } = schema;
  if (type !== 'object' || properties === undefined) return false;
  const isEmpty = Object.keys(properties).length === 0;
  if (isOpen(schema)) return dialect === 'plain' && !isEmpty;
  return !isEmpty || dialect !== 'openapi';
}

/** Whether an object can have other names than those that stand there. */
export function isOpen({ additionalProperties }: JsonSchema): boolean {
  return additionalProperties === true || typeof additionalProperties === 'object';
}

function objectIn(schema: JsonSchema, dialect: Dialect): JsonSchema {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const written = nodeIn(field, dialect);
    const isOptional = dialect === 'strict' && !required.includes(name) && !isNullable(written);
    return [name, isOptional ? nullable(written, dialect) : written] as const;
  });
  const needed = dialect === 'strict' ? Object.keys(properties) : required;
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...((dialect === 'strict' || needed.length > 0) && { required: needed }),
    ...(dialect !== 'openapi' && !isOpen(schema) && { additionalProperties: false }),
  };
}

function choiceOf(values: readonly unknown[], dialect: Dialect): JsonSchema {
  const types = [...new Set(values.map(value => (value === null ? 'null' : typeof value)))];
  const [type = 'string'] = types;
  if (types.length > 1)
    return {
      anyOf: types.map(each =>
        choiceOf(
          values.filter(value => typeof value === each),
          dialect,
        ),
      ),
    };
  // Google's `enum` has texts alone.
  if (dialect === 'openapi' && type !== 'string') return { type, description: `One of ${values.join(', ')}` };
  return { type, enum: [...values] };
}

function isNullable({ type, anyOf, oneOf, nullable: isMarked }: JsonSchema): boolean {
  if (isMarked === true || (Array.isArray(type) && type.includes('null'))) return true;
  return (anyOf ?? oneOf ?? []).some(each => each.type === 'null');
}

function withoutNull({ type, anyOf, oneOf, nullable: _, ...rest }: JsonSchema): JsonSchema {
  const left = (anyOf ?? oneOf)?.filter(each => each.type !== 'null');
  const types = [type ?? []].flat().filter(each => each !== 'null');
  if (left !== undefined) return { ...rest, anyOf: left };
  const [only] = types;
  if (types.length > 1) return { anyOf: types.map(each => ({ ...rest, type: each })) };
  return {
    ...rest,
    ...(only !== undefined && { type: only }),
    ...(rest.enum && { enum: rest.enum.filter(v => v !== null) }),
  };
}

function nullable(schema: JsonSchema, dialect: Dialect): JsonSchema {
  if (dialect === 'openapi') return { ...schema, nullable: true };
  const { type, anyOf, enum: values, description } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type === 'string' && type !== 'object' && type !== 'array')
    return { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) };
  const { description: _, ...bare } = schema;
  return { anyOf: [bare, { type: 'null' }], ...(description !== undefined && { description }) };
}

/** Characters from which on a part that stands in several places is written once. */
const WORTH_A_NAME = 100;

/** What several actions have alike, such as the answer to a dialog, stands once. */
function withDefinitions(schema: JsonSchema): JsonSchema {
  const times = new Map<string, number>();
  each(schema, node => {
    const text = JSON.stringify(node);
    if (text.length >= WORTH_A_NAME) times.set(text, (times.get(text) ?? 0) + 1);
  });
  const names = new Map<string, string>();
  const definitions: Record<string, JsonSchema> = {};
  const replaced = (node: unknown, isTop = false): unknown => {
    if (Array.isArray(node)) return node.map(inner => replaced(inner));
    if (typeof node !== 'object' || node === null) return node;
    const text = JSON.stringify(node);
    const write = (): object => Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, replaced(inner)]));
    if (isTop || (times.get(text) ?? 0) < 2) return write();
    const name = names.get(text) ?? `d${names.size + 1}`;
    if (!names.has(text)) {
      names.set(text, name);
      definitions[name] = write() as JsonSchema;
    }
    return { $ref: `#/$defs/${name}` };
  };
  const written = replaced(schema, true) as JsonSchema;
  return names.size === 0 ? written : { ...written, $defs: definitions };
}

function each(node: JsonSchema, visit: (node: JsonSchema) => void): void {
  visit(node);
  for (const inner of [...Object.values(node.properties ?? {}), ...(node.anyOf ?? []), ...[node.items ?? []].flat()])
    each(inner, visit);
}
