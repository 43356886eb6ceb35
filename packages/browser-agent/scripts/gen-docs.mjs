// Writes the browser agent's tables in docs from its schemas; with --check it fails on drift.
import { z } from 'zod/v4';
import { writeGenerated } from '../../../scripts/docs/generated.mjs';

const load = path =>
  import(path).catch(error => {
    throw new Error(`The package cannot be loaded, run pnpm build first: ${error.message}`);
  });
const { agentOptions } = await load('../dist/options.js');
const { runOptions } = await load('../dist/run/run-options.js');
const { AGENT_EVENTS } = await load('../dist/run/events.js');
const { VOCABULARY, FIELD_NAMES } = await load('../dist/actions/vocabulary.js');

const TABLES = {
  options: () =>
    table(
      ['Option', 'Type', 'Default', 'What it does'],
      Object.entries(z.toJSONSchema(agentOptions, { io: 'input' }).properties).map(([name, schema]) => [
        code(name),
        code(typeOf(schema)),
        schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
        schema.description,
      ]),
    ),
  'run-options': () =>
    table(
      ['Option', 'What it does'],
      Object.entries(runOptions.shape).map(([name, schema]) => [code(name), schema.description]),
    ),
  events: () =>
    table(
      ['Event', 'Fields', 'When'],
      AGENT_EVENTS.map(schema => {
        const { type, ...fields } = z.toJSONSchema(schema, { unrepresentable: 'any' }).properties;
        const told = Object.entries(fields).map(([field, of]) => code(`${field}: ${typeOf(of)}`));
        return [code(type.const), told.join(', '), schema.description];
      }),
    ),
  vocabulary: () =>
    table(
      ['Elsewhere', 'Here', 'With'],
      Object.entries(VOCABULARY).map(([name, { action, input, needs }]) => [
        code(name),
        code(action),
        [code(input), needs && `(with ${code(needs)})`].filter(Boolean).join(' '),
      ]),
    ),
  'field-names': () =>
    table(
      ['Elsewhere', 'Here'],
      FIELD_NAMES.map(([theirs, ours]) => [
        theirs.split(', ').map(code).join(', '),
        ours.split(', ').map(code).join(', '),
      ]),
    ),
};

await writeGenerated(['docs/reference/browser-agent.md', 'docs/migration/browser-use.md'], TABLES);

function typeOf(schema) {
  if (schema.title) return schema.title;
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items)}[]`;
  return schema.type === 'integer' ? 'number' : schema.type;
}

function code(value) {
  return `\`${value}\``;
}

function table(head, rows) {
  const cells = row => `| ${row.map(cell => String(cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
  return [cells(head), cells(head.map(() => '---')), ...rows.map(cells)].join('\n');
}
