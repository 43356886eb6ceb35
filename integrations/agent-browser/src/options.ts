import { isMastraStorage, type MastraStorageLike } from '@browser-toolset/core';
import type { MastraModelConfig } from '@mastra/core/llm';
import { z } from 'zod/v4';
import {
  colorScheme,
  deviceNamed,
  geolocationField,
  isPersonsContext,
  joinsContext,
  noSuchDevice,
  ownContextOptions,
  size,
} from './browser/chromium/devices.js';
import type { RemoteEndpoint } from './browser/chromium/endpoint.js';
import { isRecordStore, type RecordStore } from './browser/storage/record-store.js';
import { parsePattern } from './policy/addresses.js';
import { ACTION_CLASSES, type Approval, approvalFor } from './policy/approval.js';
import { problemsOf } from './policy/secrets.js';

const milliseconds = z.number().int().positive();

const snapshotOptions = z.strictObject({
  maxTokens: z
    .number()
    .int()
    .min(100)
    .default(6000)
    .describe('Budget of a snapshot in estimated tokens; what does not fit is folded or left to `next`.'),
  afterAction: z
    .enum(['diff', 'full', 'none'])
    .default('diff')
    .describe('What an action tells of the page afterwards: what changed, a whole snapshot, or nothing.'),
  changeTokens: z
    .number()
    .int()
    .min(40)
    .default(200)
    .describe('Budget of the changes after an action, in estimated tokens.'),
  afterNavigation: z
    .number()
    .int()
    .min(100)
    .default(600)
    .describe(
      'Budget of what an action tells of a page that it went to, in estimated tokens. Header, menus, footer and what the agent has read on the page before take a line each.',
    ),
});

const sessions = z.strictObject({
  max: z
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('Open sessions at most; beyond that the one used longest ago hibernates.'),
  idleMs: milliseconds
    .default(600_000)
    .describe(
      'A session that was not used for so long hibernates: its tabs, cookies, storage and scroll come back with the next call.',
    ),
  maxTabs: z
    .number()
    .int()
    .min(1)
    .default(20)
    .describe('Tabs of a session at most; a page that opens more has them closed at once.'),
});

const tools = z.strictObject({
  only: z.array(z.string()).optional().describe('Exactly these tools, by id. Cannot be combined with except or also.'),
  except: z.array(z.string()).optional().describe('All default tools but these.'),
  also: z.array(z.string()).optional().describe('These besides the default tools, such as `ask_user`.'),
});

export const humanControl = z.strictObject({
  onAction: z
    .enum(['wait', 'refuse'])
    .default('wait')
    .describe(
      'What an action of the agent does while a person has control: it waits until they give it back, or it answers `human_in_control` at once. Tools that only look (`browser_snapshot`, `browser_read`, `browser_screenshot`, `browser_wait`, `browser_extract`, `browser_pdf`, `browser_console`, `browser_network`) and `ask_user` go on.',
    ),
  timeout: milliseconds
    .optional()
    .describe(
      'How long an action waits for a person in milliseconds, before it answers `human_in_control`. Left out, it waits until they give control back, or until its call is aborted.',
    ),
});

const prompt = z.strictObject({
  staleTokens: z
    .number()
    .int()
    .min(0)
    .default(500)
    .describe(
      "In what is sent to the model, results that are out of date become one line each, together once they make up so many estimated tokens. 0: each at once, which loses the provider's prompt cache with every step.",
    ),
  state: z
    .boolean()
    .default(true)
    .describe('A line in the prompt says what the browser shows and who drives, where no result has said it.'),
});

const video = z.union([
  z.boolean(),
  z.strictObject({
    folder: z.string().min(1).optional().describe('Where videos go. Default: `downloadsPath`, else `videos`.'),
    maxWidth: z
      .number()
      .int()
      .min(160)
      .max(4096)
      .default(1280)
      .describe('Largest width and height of the picture in pixels. Smaller pages stay as they are.'),
    maxFps: z.number().min(1).max(30).default(10).describe('Pictures in a second at most.'),
    maxMegabytes: z
      .number()
      .min(1)
      .default(500)
      .describe('Largest size of a file. What comes after is not recorded, and the log says so.'),
  }),
]);

const trace = z.union([
  z.boolean(),
  z.strictObject({
    folder: z.string().min(1).optional().describe('Where traces go. Default: `downloadsPath`, else `traces`.'),
    screenshots: z.boolean().default(true).describe('Pictures of the page over time.'),
    snapshots: z.boolean().default(true).describe('The DOM before and after each action.'),
  }),
]);

const storagePath = z
  .custom<string | ((thread: { threadId: string }) => string)>(
    value => (typeof value === 'string' && value !== '') || typeof value === 'function',
    'a folder, or a function of { threadId } that answers with one',
  )
  .meta({ typeText: 'string | (({ threadId }) => string)' });

type UploadRoots = (thread: { threadId: string }) => readonly string[] | Promise<readonly string[]>;

const uploadRoots = z
  .custom<readonly string[] | UploadRoots>(
    value =>
      typeof value === 'function' ||
      (Array.isArray(value) && value.every(each => typeof each === 'string' && each !== '')),
    'a list of folders, or a function of { threadId } that answers with one',
  )
  .meta({ typeText: 'string[] | (({ threadId }) => string[] | Promise<string[]>)' });

const extractOptions = z.strictObject({
  model: z
    .custom<MastraModelConfig>(
      value => (typeof value === 'string' && value.includes('/')) || (typeof value === 'object' && value !== null),
      'a model id such as provider/name, or a model',
    )
    .optional()
    .meta({ typeText: 'string | LanguageModel' })
    .describe(
      'The model that `browser_extract` asks: an id of Mastra (`provider/name`) or a model object. Default: that of the agent which calls, where the toolset is in its `browser` slot or a Mastra instance knows it.',
    ),
});

/** The argument of a function that finds DevTools endpoints. */
export interface ThreadRef {
  threadId: string;
  /** Where the thread's browser was the last time, here or in another process; it may be gone. */
  endpoint?: string;
}

type Endpoint = string | RemoteEndpoint;

const endpoint = z
  .custom<string | ((thread: ThreadRef) => Endpoint | Promise<Endpoint>)>(
    value => (typeof value === 'string' && value !== '') || typeof value === 'function',
    'a url, or a function of { threadId } that answers with one',
  )
  .meta({ typeText: 'string | (({ threadId, endpoint }) => string | { url, headers?, release? })' });

const records = z
  .custom<RecordStore | MastraStorageLike>(
    value => typeof value === 'object' && value !== null && (isRecordStore(value) || isMastraStorage(value)),
    "Mastra's storage, or an object with get, set and delete",
  )
  .meta({ typeText: 'MastraStorage | { get, set, delete, replace? }' });

/** The option `approval`: which actions a person has to approve first. */
const approval = z
  .union([
    z.array(z.enum(ACTION_CLASSES)).transform(classes => approvalFor(...classes)),
    z.custom<Approval>(
      value => typeof value === 'function',
      'a function of the action, or a list of classes of action',
    ),
  ])
  .meta({ typeText: 'ActionClass[] | ((action: BrowserAction) => boolean | Promise<boolean>)' });

/** The option `secrets`: texts that the model may type and never sees. */
const secrets = z
  .record(z.string(), z.strictObject({ value: z.string().max(10_000), domains: z.array(z.string()) }))
  .superRefine((value, ctx) => {
    for (const { path, message } of problemsOf(value)) ctx.addIssue({ code: 'custom', path, message });
  });

const hostPattern = z.string().check(({ value, issues }) => {
  try {
    parsePattern(value);
  } catch (error) {
    issues.push({ code: 'custom', message: (error as Error).message, input: value });
  }
});

/** The rules for what pages may reach. */
const urlPolicy = z.strictObject({
  allow: z
    .array(hostPattern)
    .optional()
    .describe(
      'The only hosts and urls that pages may reach: `example.com` (with its subdomains), `*.example.com`, `example.com:8080`, `10.0.0.0/8`, `https://example.com/docs/*`.',
    ),
  block: z
    .array(hostPattern)
    .optional()
    .describe(
      'Hosts and urls that pages may not reach; wins over `allow`. An address means that address however it is written: mapped to IPv6, decimal, hexadecimal.',
    ),
  privateNetwork: z
    .boolean()
    .optional()
    .describe(
      'Whether pages may reach private and loopback addresses. Left out: until the session has been on the public network; from then on only hosts that a navigation of the agent, your program or a person named.',
    ),
});

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
    geolocation: geolocationField.optional().describe('Where pages find themselves, which they may ask for then.'),
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
    snapshot: snapshotOptions.prefault({}),
    sessions: sessions.prefault({}),
    tools: tools.prefault({}),
    humanControl: humanControl.prefault({}),
    extract: extractOptions.prefault({}),
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
