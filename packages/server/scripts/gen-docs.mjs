// Writes the tables of the live view's protocol in docs/reference from its schemas; with --check it fails on drift.
import { CLIENT_MESSAGES, SERVER_MESSAGES } from '@browser-toolset/core/protocol';
import { z } from 'zod/v4';
import { writeGenerated } from '../../../scripts/docs/generated.mjs';

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

await writeGenerated(['docs/reference/live-view-protocol.md'], TABLES);

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
