import { z } from 'zod/v4';

/** One line a tool: what it does and the names of its input. */
export function toolTable(tools) {
  const rows = tools.map(({ id, description, input }) => [
    `\`${id}\``,
    description,
    fields(input)
      .map(({ name, optional }) => `\`${name}${optional ? '?' : ''}\``)
      .join(', '),
  ]);
  return table(['Tool', 'What it does', 'Input'], rows);
}

/** All of a tool's input and result. */
export function toolReference(tools) {
  return tools
    .map(({ id, description, input, output }) => {
      const takes = fields(input).map(fieldLine);
      const gives = fields(z.object(output)).map(({ name, type }) => `\`${name}\`: ${code(type)}`);
      return [
        `#### \`${id}\``,
        description,
        takes.length > 0 ? takes.map(line => `- ${line}`).join('\n') : 'It takes no input.',
        ...(gives.length > 0 ? [`Result: ${gives.join(', ')}`] : []),
      ].join('\n\n');
    })
    .join('\n\n');
}

/** Every option with its default; options in groups are named with a dot. */
export function optionTable(schema) {
  const rows = optionFields(schema).map(({ name, type, fallback, description }) => [
    `\`${name}\``,
    code(type),
    fallback === undefined ? '' : code(JSON.stringify(fallback)),
    description,
  ]);
  return table(['Option', 'Type', 'Default', 'What it does'], rows);
}

export function errorTable(codes) {
  const rows = Object.entries(codes).map(([name, { meaning, canRetry, recoveryHint = '' }]) => [
    `\`${name}\``,
    meaning,
    canRetry ? 'yes' : 'no',
    recoveryHint,
  ]);
  return table(['Code', 'When', '`canRetry`', 'What the agent is told to do'], rows);
}

/** What a result tells beside what its tool returns. */
export function effectTable(effects) {
  const rows = Object.values(effects).map(effect => [
    Object.keys(effect.fields)
      .map(name => `\`${name}\``)
      .join(', '),
    effect.means,
  ]);
  return table(['Field', 'What it tells'], rows);
}

function optionFields(schema) {
  return fields(schema).flatMap(field => {
    const group = unwrap(schema.shape[field.name]);
    // A group of options that has a text of its own is one value.
    const within = object => fields(object).map(inner => ({ ...inner, name: `${field.name}.${inner.name}` }));
    if (group instanceof z.ZodUnion) {
      const object = group.options.find(option => option instanceof z.ZodObject);
      return object === undefined ? [field] : [field, ...within(object)];
    }
    if (!(group instanceof z.ZodObject) || field.description !== '') return [field];
    return within(group);
  });
}

function unwrap(schema) {
  return typeof schema.unwrap === 'function' ? unwrap(schema.unwrap()) : schema;
}

/** The fields of an object schema, as its JSON Schema tells them. */
function fields(schema) {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(json.properties ?? {}).map(([name, property]) => ({
    name,
    optional: !json.required?.includes(name),
    type: typeOf(property),
    bounds: boundsOf(property),
    fallback: property.default,
    description: property.description ?? '',
  }));
}

function fieldLine({ name, optional, type, bounds, description }) {
  const notes = [description, bounds].filter(Boolean).join('; ');
  return `\`${name}${optional ? '?' : ''}\`: ${code(type)}${notes && `: ${notes}`}`;
}

function typeOf(json) {
  if (json.typeText !== undefined) return json.typeText;
  if (json.enum !== undefined) return json.enum.map(value => JSON.stringify(value)).join(' | ');
  if (json.anyOf !== undefined) return json.anyOf.map(typeOf).join(' | ');
  if (json.type === 'array')
    return json.items.anyOf || json.items.enum ? `(${typeOf(json.items)})[]` : `${typeOf(json.items)}[]`;
  if (json.type === 'object') return objectOf(json);
  return json.type === 'integer' ? 'number' : (json.type ?? 'unknown');
}

function objectOf({ properties, required = [], additionalProperties }) {
  if (properties === undefined) return `Record<string, ${typeOf(additionalProperties ?? {})}>`;
  const inner = Object.entries(properties).map(
    ([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(property)}`,
  );
  return inner.length === 0 ? '{}' : `{ ${inner.join(', ')} }`;
}

/** Bounds that somebody could run into. */
function boundsOf({ minimum, maximum }) {
  return typeof maximum === 'number' && maximum <= 1000 ? `${minimum} to ${maximum}` : '';
}

function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map(cells => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function code(text) {
  return `\`${text}\``;
}
