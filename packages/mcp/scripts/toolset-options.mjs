/**
 * Options of the toolset that make no sense on a command line: functions and objects of a program, what Mastra's agents
 * alone have, and what the command has its own word for.
 */
const LEFT_OUT = new Set(['records', 'sessionKey', 'prompt', 'tools', 'scope']);
/** Flags whose names would mean another thing here, or read better for one value. */
const RENAMED = {
  profile: 'profileDir',
  uploadRoots: 'uploadRoot',
  initScripts: 'initScript',
  extensions: 'extension',
};
/** What an option of several types is on a command line. */
const KINDS = {
  cdpUrl: 'string',
  storagePath: 'string',
  uploadRoots: 'list',
  initScripts: 'list',
  approval: 'list',
  'extract.model': 'string',
};

/** The options of the toolset as flat rows: `{ name, path, kind, description, default?, choices? }`. */
export function toolsetOptions(schema, path = []) {
  return Object.entries(schema.properties).flatMap(([key, value]) => {
    const own = [...path, key];
    if (path.length === 0 && LEFT_OUT.has(key)) return [];
    if (value.type === 'object' && value.properties !== undefined) return toolsetOptions(value, own);
    const description = value.description ?? schema.description ?? '';
    const { default: given, enum: choices } = value;
    const hasDefault = given !== undefined && JSON.stringify(given) !== '{}' && JSON.stringify(given) !== '[]';
    return [
      {
        name:
          path.length === 0
            ? (RENAMED[key] ?? key)
            : own.map((part, index) => (index === 0 ? part : upperFirst(part))).join(''),
        path: own,
        kind: KINDS[own.join('.')] ?? kindOf(value),
        description,
        ...(hasDefault && { default: given }),
        ...(choices && { choices }),
      },
    ];
  });
}

function kindOf({ type, enum: choices, items }) {
  if (choices) return 'choice';
  if (type === 'boolean') return 'boolean';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'string') return 'string';
  if (type === 'array' && items?.type === 'string') return 'list';
  return 'json';
}

function upperFirst(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
