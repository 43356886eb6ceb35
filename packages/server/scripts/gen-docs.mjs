// Writes the tables of the README from the schemas, between their markers. With --check it writes nothing and fails on drift.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CLIENT_MESSAGES, SERVER_MESSAGES } from '@browser-toolset/core/protocol';
import { z } from 'zod/v4';

const README = resolve(import.meta.dirname, '../README.md');
const { REFUSALS } = await import('../dist/requests.js').catch(error => {
  throw new Error(`The package cannot be loaded, run pnpm build first: ${error.message}`);
});

const TABLES = {
  'client-messages': () =>
    table(
      ['`type`', 'fields', 'what it does'],
      Object.entries(CLIENT_MESSAGES).map(([type, schema]) => [code(type), fields(schema), schema.description]),
    ),
  'server-messages': () =>
    table(
      ['message', 'what it says'],
      Object.entries(SERVER_MESSAGES).map(([, schema]) => [fields(schema), schema.description]),
    ),
  refusals: () =>
    table(
      ['status', 'codes'],
      [...Map.groupBy(Object.entries(REFUSALS), ([, status]) => status)].map(([status, refusals]) => [
        `${status}`,
        refusals.map(([name]) => code(name)).join(' '),
      ]),
    ),
};

const text = await readFile(README, 'utf8');
const fresh = text.replace(/(<!-- gen:([\w-]+):start -->\n)[\s\S]*?(<!-- gen:\2:end -->)/g, (_, start, name, end) => {
  if (!Object.hasOwn(TABLES, name)) throw new Error(`The README asks for ${name}; there are ${Object.keys(TABLES)}`);
  return `${start}\n${TABLES[name]()}\n\n${end}`;
});
if (fresh !== text && process.argv.includes('--check')) {
  console.error('packages/server/README.md does not say what the schemas say.\nRun: pnpm gen');
  process.exitCode = 1;
} else if (fresh !== text) await writeFile(README, fresh);

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');
}

/** The fields of a message as a viewer writes them, those of one form after those of the other. */
function fields(schema) {
  const written = z.toJSONSchema(schema, { io: 'input' });
  const forms = written.anyOf ?? [written];
  return forms.map(form => shapeOf(form) || '-').join(' or ');
}

function shapeOf({ properties = {}, required = [] }) {
  const names = Object.entries(properties).map(
    ([name, value]) => `${code(`${name}${required.includes(name) ? '' : '?'}`)}${kindOf(value)}`,
  );
  return names.join(', ');
}

/** The type of a field, in as few words as tell it. */
function kindOf(value) {
  const choices = value.anyOf ?? [value];
  const object = choices.find(({ properties }) => properties) ?? choices.find(({ items }) => items?.properties)?.items;
  if (object) return ` (${shapeOf(object)})`;
  const values = choices.flatMap(choice => choice.enum ?? []);
  return values.length > 0 ? `: ${values.map(one => `\`${one}\``).join(' ')}` : '';
}

function code(name) {
  return `\`${name}\``;
}
