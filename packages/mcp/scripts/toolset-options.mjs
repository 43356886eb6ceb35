/**
 * Options of the toolset that make no sense on a command line: functions and objects of a program and what needs them, what
 * Mastra's agents alone have, and what the command has its own word for.
 */
const LEFT_OUT = new Set(['records', 'sessionKey', 'prompt', 'tools', 'scope', 'closeRemote']);
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

/** Texts for the command line, where those of the toolset speak of code, or of several values at once. */
const TEXTS = {
  headless: 'Whether the browser runs without a window.',
  cdpUrl: 'Attaches to a running browser over the DevTools protocol instead of launching one: its URL.',
  storageKey:
    'Encrypts what `browser_storage` saves (AES-256-GCM), because it contains cookies: 32 bytes as hex or base64, or a passphrase from which scrypt derives a key.',
  profile: 'Folder of a persistent Chromium profile. All clients share it.',
  'proxy.bypass': 'Hosts to reach without the proxy, separated by commas.',
  'proxy.username': 'User name for the proxy.',
  'proxy.password': 'Password for the proxy.',
  'viewport.width': 'Width of the pages in CSS pixels.',
  'viewport.height': 'Height of the pages in CSS pixels.',
  'geolocation.latitude': 'Latitude reported to pages. Also grants the geolocation permission.',
  'geolocation.longitude': 'Longitude reported to pages.',
  'geolocation.accuracy': 'Accuracy of that position in meters.',
  initScripts:
    'Files with scripts that run in every page and frame before its own scripts. They run in the main world of the page, so the page can see what they define.',
  storagePath:
    'Folder for what `browser_storage` saves, shared by all clients. Default: a temporary folder for each client that is deleted when the server stops.',
  uploadRoots:
    'Folders that `browser_upload` may take files from, including their subfolders, in addition to the roots that a client offers.',
  'extract.model': 'The model that `browser_extract` uses, such as `openai/gpt-5-mini`. Default: the one of `--model`.',
  approval:
    'Classes of actions that a person must approve first: `submit`, `pay`, `delete`, `upload`, `download` and `evaluate`.',
};

/** The options of the toolset as flat rows: `{ name, path, kind, description, default?, choices? }`. */
export function toolsetOptions(schema, path = []) {
  return Object.entries(schema.properties).flatMap(([key, value]) => {
    const own = [...path, key];
    if (path.length === 0 && LEFT_OUT.has(key)) return [];
    if (value.type === 'object' && value.properties !== undefined) return toolsetOptions(value, own);
    const description = TEXTS[own.join('.')] ?? value.description ?? schema.description ?? '';
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
        description: withFlags(description),
        ...(hasDefault && { default: given }),
        ...(choices && { choices }),
      },
    ];
  });
}

/** Texts name options of the toolset by their keys; here they are flags. */
function withFlags(description) {
  return description.replace(/`(extensions|profile|cdpUrl|secrets)`/g, (_, key) => {
    const name = RENAMED[key] ?? key;
    return `\`--${name.replace(/[A-Z]/g, capital => `-${capital.toLowerCase()}`)}\``;
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
