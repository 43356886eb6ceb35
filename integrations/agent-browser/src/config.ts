import { z } from 'zod/v4';
import { deviceNamed, noSuchDevice } from './browser/chromium/devices.js';
import { colorScheme, place, size } from './browser/chromium/emulated-fields.js';
import { isPersonsContext, joinsContext, ownContextOptions } from './browser/chromium/whose-context.js';
import {
  endpoint,
  extract,
  humanControl,
  milliseconds,
  prompt,
  records,
  sessions,
  snapshot,
  storagePath,
  tools,
  trace,
  uploadRoots,
  video,
} from './option-groups.js';
import { approval, secrets } from './policy/trust-options.js';
import { urlPolicy } from './policy/url-policy-options.js';

const sessionKey = z
  .custom<(context: SessionKeyContext) => string | undefined>(
    value => typeof value === 'function',
    'a function of the execution context that answers with a session key',
  )
  .meta({ typeText: '(context) => string | undefined' });

/** The parts of Mastra's tool execution context that say whose call it is. */
export interface SessionKeyContext {
  agent?: { agentId?: string; threadId?: string; resourceId?: string };
  workflow?: { runId?: string; workflowId?: string };
  mcp?: { extra?: { sessionId?: string } };
  requestContext?: { get(key: string): unknown };
}

const proxy = z.strictObject({
  server: z.string().min(1),
  bypass: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
});

/** Every option of a toolset: parser, types, defaults and documentation in one. */
export const configSchema = z
  .strictObject({
    headless: z.boolean().default(true).describe('Runs the browser without a window.'),
    executablePath: z
      .string()
      .optional()
      .describe(
        "The Chromium to run. Default: `CHROMIUM_PATH`, Playwright's own, Chrome, a distribution's Chromium, or without a window a headless shell.",
      ),
    args: z.array(z.string()).default([]).describe('More command line switches for Chromium.'),
    scope: z
      .enum(['thread', 'shared'])
      .optional()
      .describe(
        '`thread`: each thread has a browser context of its own. `shared`: all threads use one. Default `thread`; `shared` with `profile`.',
      ),
    cdpUrl: endpoint
      .optional()
      .describe(
        'Attaches to a running browser over the DevTools protocol instead of launching one: a url, or a function of `{ threadId }` for a pool of browsers.',
      ),
    cdpHeaders: z.record(z.string(), z.string()).optional().describe('Headers of the DevTools connection.'),
    closeRemote: z
      .boolean()
      .default(false)
      .describe(
        'Ends a browser of `cdpUrl` when nothing here uses it any more, instead of letting go of it. For pools that give a browser to one thread.',
      ),
    records: records
      .optional()
      .describe(
        'Where sessions are recorded after each call (tabs, cookies, storage, endpoint), so that another process can go on with a thread; one process acts at a time.',
      ),
    storageKey: z
      .string()
      .min(8)
      .optional()
      .describe(
        'Encrypts `records` and what `browser_storage` saves (AES-256-GCM), for they hold cookies: 32 bytes as hex or base64, or a passphrase, which scrypt makes a key of.',
      ),
    profile: z.string().optional().describe("Folder of a Chromium profile to use and keep. Implies `scope: 'shared'`."),
    storageState: z
      .string()
      .optional()
      .describe("File with cookies and storage (Playwright's format) that new sessions start with."),
    proxy: proxy.optional().describe('Proxy for all traffic of the pages.'),
    userAgent: z.string().optional().describe('User agent of the pages.'),
    locale: z.string().optional().describe('Locale of the pages, such as `de-DE`.'),
    timezoneId: z.string().optional().describe('Time zone of the pages, such as `Europe/Oslo`.'),
    viewport: size.default({ width: 1280, height: 720 }).describe('Size of the pages in CSS pixels.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe('HTTP headers that every request of the pages carries.'),
    initScripts: z
      .array(z.union([z.string().min(1), z.strictObject({ content: z.string() })]))
      .default([])
      .describe(
        'Scripts that run in every page and frame before its own: the path of a file, or `{ content }`. They run in the world of the page, which can see what they leave there.',
      ),
    extensions: z
      .array(
        z
          .string()
          .min(1)
          .refine(folder => !folder.includes(','), 'Chromium takes no folder with a comma in its path'),
      )
      .default([])
      .describe(
        'Folders of unpacked extensions that Chromium loads. Needs `profile`, for only its pages have extensions, and a Chromium that loads unpacked ones: not Google Chrome, nor the headless shell.',
      ),
    colorScheme: colorScheme.optional().describe('Colour scheme that the pages see.'),
    device: z
      .string()
      .optional()
      .describe(
        "Device that pages see, by Playwright's name for it, such as `iPhone 15`: brings viewport, user agent, pixel density and touch.",
      ),
    geolocation: place.optional().describe('Where pages find themselves, which they may ask for then.'),
    offline: z.boolean().default(false).describe('Pages have no network.'),
    ignoreHTTPSErrors: z.boolean().default(false).describe('Accepts bad certificates.'),
    timeout: milliseconds.default(10_000).describe('Longest time of an action in milliseconds.'),
    navigationTimeout: milliseconds.default(30_000).describe('Longest time of a navigation in milliseconds.'),
    launchTimeout: milliseconds
      .default(30_000)
      .describe(
        'Longest time in milliseconds that a browser has to start, to let the toolset attach, or to open a page.',
      ),
    downloadsPath: z
      .string()
      .optional()
      .describe('Folder for downloads and screenshots. Default: a temporary folder that goes with the toolset.'),
    storagePath: storagePath
      .optional()
      .describe(
        'Folder for what `browser_storage` saves, which all threads share then, or a function of `{ threadId }` that answers with one. Default: a temporary folder for each thread that goes with the toolset.',
      ),
    urlPolicy: urlPolicy.prefault({}),
    uploadRoots: uploadRoots
      .default([])
      .describe(
        'Folders that `browser_upload` may take files from, with all that is in them, or a function of `{ threadId }` that answers with them. Default: none, and nothing can be uploaded.',
      ),
    allowEvaluate: z
      .boolean()
      .default(false)
      .describe(
        "Brings the tool `browser_evaluate`, which runs JavaScript of the agent in the page's own world, with all that the page's user may do.",
      ),
    webMcp: z
      .boolean()
      .default(false)
      .describe(
        'Starts Chromium with WebMCP and brings the tool `browser_page_tools`, with which an agent calls the tools that a page itself offers. A browser of `cdpUrl` needs to run with it (`--enable-features=WebMCP`).',
      ),
    snapshot: snapshot.prefault({}),
    sessions: sessions.prefault({}),
    tools: tools.prefault({}),
    humanControl: humanControl.prefault({}),
    extract: extract.prefault({}),
    approval: approval
      .optional()
      .describe(
        'Actions that a person has to approve first: a list of the classes `submit`, `pay`, `delete`, `upload`, `download` and `evaluate`, or a function of the action. Through `session()` the program itself acts, and nobody is asked.',
      ),
    secrets: secrets
      .default({})
      .describe(
        'Texts by name that the model may type and never sees: it writes `<secret>NAME</secret>`. `domains` are those of the documents that a value may be typed into, such as `example.com` and `*.example.com`; over https, or on this machine.',
      ),
    prompt: prompt.prefault({}),
    trace: trace
      .default(false)
      .describe(
        'Records each session for `playwright show-trace`, in a zip file a session. It holds what pages showed and what was typed, passwords too. `true` stands for `{}`.',
      ),
    video: video
      .default(false)
      .describe(
        'Records what each session shows, in a WebM file a session. The values of `secrets` are covered in it. `true` stands for `{}`.',
      ),
    sessionKey: sessionKey
      .optional()
      .describe(
        'Chooses the session of a call from its execution context, before the thread id is looked at: for sub-agents, which get a new thread id for each delegation.',
      ),
  })
  .check(ctx => {
    const { value, issues } = ctx;
    const conflict = (path: string, message: string): void => {
      issues.push({ code: 'custom', path: [path], message, input: value });
    };
    if (value.profile !== undefined) {
      if (value.scope === 'thread')
        conflict('scope', 'a profile is one context: leave scope out or set it to "shared"');
      if (value.cdpUrl !== undefined)
        conflict('profile', 'cannot be combined with cdpUrl: the remote browser has its own');
      for (const option of ['storageState', 'locale', 'timezoneId'] as const) {
        if (value[option] !== undefined) conflict(option, 'cannot be combined with profile, which keeps its own');
      }
    }
    if (value.extensions.length > 0 && value.profile === undefined)
      conflict('extensions', 'need profile: Chromium runs extensions in the pages of a profile alone');
    if (value.args.some(arg => /^--(?:proxy|no-proxy)-/.test(arg)))
      conflict('args', 'cannot hold switches about proxies: use the option proxy');
    if (value.cdpUrl !== undefined) {
      for (const option of ['executablePath'] as const) {
        if (value[option] !== undefined) conflict(option, 'cannot be combined with cdpUrl, which launches nothing');
      }
      if (value.args.length > 0) conflict('args', 'cannot be combined with cdpUrl, which launches nothing');
      if (value.closeRemote && typeof value.cdpUrl === 'string')
        conflict('closeRemote', 'needs a cdpUrl that is a function: nothing would bring the one browser back');
    } else {
      if (value.cdpHeaders !== undefined) conflict('cdpHeaders', 'need cdpUrl');
      if (value.closeRemote) conflict('closeRemote', 'needs cdpUrl');
    }
    if (isPersonsContext(value)) {
      const set = ownContextOptions({ ...value, device: undefined });
      for (const option of value.storageState === undefined ? set : ['storageState', ...set])
        conflict(option, PERSONS_CONTEXT);
    }
    if (value.device !== undefined) {
      if (deviceNamed(value.device) === undefined) conflict('device', noSuchDevice(value.device));
      if (joinsContext(value))
        conflict('device', 'cannot be combined with a profile or the context of a remote browser');
    }
    if (value.trace !== false && Object.keys(value.secrets).length > 0)
      conflict('trace', 'cannot be combined with secrets: a trace keeps all that was typed');
    if (value.tools.only !== undefined && (value.tools.except ?? value.tools.also) !== undefined)
      conflict('tools', 'take either only, or except and also');
  });

/** Options of a {@link BrowserToolset}. All can be left out. */
export type BrowserToolsetConfig = z.input<typeof configSchema>;

/** The options with their defaults filled in. */
export type ResolvedConfig = z.output<typeof configSchema>;

const PERSONS_CONTEXT =
  'cannot be combined with cdpUrl and scope "shared": the context that the browser came with has its own. Leave scope out for contexts that have the options';

/** Parses options. Throws one error that names every wrong field. */
export function parseConfig(options: BrowserToolsetConfig): ResolvedConfig {
  const parsed = configSchema.safeParse(options);
  const viewport = options.viewport && viewportConflict(options);
  if (parsed.success && viewport === undefined) return withDevice(parsed.data);
  const fields = (parsed.error?.issues ?? []).map(issue => `- ${issue.path.join('.') || 'options'}: ${issue.message}`);
  if (viewport !== undefined) fields.push(`- viewport: ${viewport}`);
  throw new TypeError(`BrowserToolset: these options do not fit:\n${fields.join('\n')}`);
}

/** The viewport has a default: whether it was asked for, the options alone tell. */
function viewportConflict({ device, cdpUrl, scope }: BrowserToolsetConfig): string | undefined {
  if (device !== undefined) return 'cannot be combined with device, which brings its own';
  return isPersonsContext({ cdpUrl, scope }) ? PERSONS_CONTEXT : undefined;
}

function withDevice(config: ResolvedConfig): ResolvedConfig {
  const found = config.device === undefined ? undefined : deviceNamed(config.device);
  return found === undefined ? config : { ...config, device: found.name, viewport: found.device.viewport };
}
