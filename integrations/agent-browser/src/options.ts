import { isMastraStorage, type MastraStorageLike } from '@browser-toolset/core';
import type { MastraModelConfig } from '@mastra/core/llm';
import { z } from 'zod/v4';
import { parsePattern } from '#egress/addresses.js';
import { problemsOf } from '#egress/secrets.js';
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
import { ACTION_CLASSES, type Approval, approvalFor } from './policy/approval.js';

const milliseconds = z.number().int().positive();
const atLeast = (least: number) => z.number().int().min(least);

const snapshotOptions = z.strictObject({
  maxTokens: atLeast(100)
    .default(6000)
    .describe('Budget of a snapshot in estimated tokens; what does not fit is folded or can be read with `next`.'),
  afterAction: z
    .enum(['diff', 'full', 'none'])
    .default('diff')
    .describe('What an action reports about the page afterwards: what changed, a whole snapshot, or nothing.'),
  changeTokens: atLeast(40)
    .default(200)
    .describe(
      'Budget for the changes reported after an action, in estimated tokens. Where controls have come, it may be twice as much if that is enough for everything.',
    ),
  afterNavigation: atLeast(100)
    .default(600)
    .describe(
      'Budget for what an action reports about a page that it navigated to or a modal dialog that it opened, in estimated tokens. The header, menus, footer and anything the agent has already read on the previous page take one line each.',
    ),
});

const sessions = z.strictObject({
  max: atLeast(1)
    .default(20)
    .describe('Maximum number of open sessions; beyond that, the least recently used one hibernates.'),
  idleMs: milliseconds
    .default(600_000)
    .describe(
      'Idle time in milliseconds after which a session hibernates: its tabs, cookies, storage and scroll positions come back with the next call.',
    ),
  maxTabs: atLeast(1)
    .default(20)
    .describe('Maximum number of tabs in a session; if a page opens more, they are closed at once.'),
});

const tools = z.strictObject({
  only: z.array(z.string()).optional().describe('Exactly these tools, by id. Cannot be combined with except or also.'),
  except: z.array(z.string()).optional().describe('All default tools except these.'),
  also: z.array(z.string()).optional().describe('These in addition to the default tools, such as `ask_user`.'),
});

export const humanControl = z.strictObject({
  onAction: z
    .enum(['wait', 'refuse'])
    .default('wait')
    .describe(
      'What an action of the agent does while a person has control: it waits until they release it, or fails with `human_in_control` at once. Tools that only look (`browser_snapshot`, `browser_read`, `browser_screenshot`, `browser_wait`, `browser_extract`, `browser_pdf`, `browser_console`, `browser_network`) and `ask_user` keep working.',
    ),
  timeout: milliseconds
    .optional()
    .describe(
      'How long an action waits for a person, in milliseconds, before it fails with `human_in_control`. Default: it waits until they release control or its call is aborted.',
    ),
});

const prompt = z.strictObject({
  staleTokens: atLeast(0)
    .default(500)
    .describe(
      "Outdated results in the prompt are shortened to one line each, all together once they add up to this many estimated tokens. 0: each one immediately, which invalidates the provider's prompt cache at every step.",
    ),
  state: z
    .boolean()
    .default(true)
    .describe(
      'Adds a line to the prompt that says what the browser shows and who has control, if no result has said so.',
    ),
});

const video = z.union([
  z.boolean(),
  z.strictObject({
    folder: z.string().min(1).optional().describe('Folder for videos. Default: `downloadsPath`, otherwise `videos`.'),
    maxWidth: atLeast(160)
      .max(4096)
      .default(1280)
      .describe('Maximum width and height of the video in pixels. Smaller pages are not scaled.'),
    maxFps: z.number().min(1).max(30).default(10).describe('Maximum frames per second.'),
    maxMegabytes: z
      .number()
      .min(1)
      .default(500)
      .describe('Maximum file size in megabytes. Recording stops there, with a warning in the log.'),
  }),
]);

const trace = z.union([
  z.boolean(),
  z.strictObject({
    folder: z.string().min(1).optional().describe('Folder for traces. Default: `downloadsPath`, otherwise `traces`.'),
    screenshots: z.boolean().default(true).describe('Screenshots of the page over time.'),
    snapshots: z.boolean().default(true).describe('The DOM before and after each action.'),
  }),
]);

const storagePath = z
  .custom<string | ((thread: { threadId: string }) => string)>(
    value => (typeof value === 'string' && value !== '') || typeof value === 'function',
    'expected a folder, or a function of { threadId } that returns one',
  )
  .meta({ typeText: 'string | (({ threadId }) => string)' });

type UploadRoots = (thread: { threadId: string }) => readonly string[] | Promise<readonly string[]>;

const uploadRoots = z
  .custom<readonly string[] | UploadRoots>(
    value =>
      typeof value === 'function' ||
      (Array.isArray(value) && value.every(each => typeof each === 'string' && each !== '')),
    'expected a list of folders, or a function of { threadId } that returns one',
  )
  .meta({ typeText: 'string[] | (({ threadId }) => string[] | Promise<string[]>)' });

const extractOptions = z.strictObject({
  model: z
    .custom<MastraModelConfig>(
      value => (typeof value === 'string' && value.includes('/')) || (typeof value === 'object' && value !== null),
      'expected a model id such as provider/name, or a model',
    )
    .optional()
    .meta({ typeText: 'string | LanguageModel' })
    .describe(
      'The model that `browser_extract` uses: a Mastra model id (`provider/name`) or a model object. Default: the model of the calling agent, if the toolset is in its `browser` slot or the agent is registered with a Mastra instance.',
    ),
});

/** The argument of a `cdpUrl` function. */
export interface ThreadRef {
  threadId: string;
  /** The endpoint that the thread's browser had last, in this process or another; it may no longer exist. */
  endpoint?: string;
}

type Endpoint = string | RemoteEndpoint;

const endpoint = z
  .custom<string | ((thread: ThreadRef) => Endpoint | Promise<Endpoint>)>(
    value => (typeof value === 'string' && value !== '') || typeof value === 'function',
    'expected a URL, or a function of { threadId } that returns one',
  )
  .meta({ typeText: 'string | (({ threadId, endpoint }) => string | { url, headers?, release? })' });

const records = z
  .custom<RecordStore | MastraStorageLike>(
    value => typeof value === 'object' && value !== null && (isRecordStore(value) || isMastraStorage(value)),
    "expected Mastra's storage, or an object with get, set and delete",
  )
  .meta({ typeText: 'MastraStorage | { get, set, delete, replace? }' });

const approval = z
  .union([
    z.array(z.enum(ACTION_CLASSES)).transform(classes => approvalFor(...classes)),
    z.custom<Approval>(
      value => typeof value === 'function',
      'expected a function of the action, or a list of action classes',
    ),
  ])
  .meta({ typeText: 'ActionClass[] | ((action: BrowserAction) => boolean | Promise<boolean>)' });

const secrets = z
  .record(z.string(), z.strictObject({ value: z.string().max(10_000), domains: z.array(z.string()) }))
  .superRefine((value, ctx) => {
    for (const { path, message } of problemsOf(value)) ctx.addIssue({ code: 'custom', path, message });
  });

const httpCredentials = z.array(
  z.strictObject({
    origin: z
      .string()
      .refine(isWebOrigin, 'expected an origin such as https://intranet.example.com')
      .transform(text => new URL(text).origin),
    username: z.string().min(1),
    password: z.string(),
  }),
);

/** Whether a text is a scheme, a host and a port, without a path or credentials. */
function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, href, origin } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

const hostPattern = z.string().check(({ value, issues }) => {
  try {
    parsePattern(value);
  } catch (error) {
    issues.push({ code: 'custom', message: (error as Error).message, input: value });
  }
});

const urlPolicy = z.strictObject({
  allow: z
    .array(hostPattern)
    .optional()
    .describe(
      'The only hosts and URLs that pages may reach: `example.com` (with its subdomains), `*.example.com`, `example.com:8080`, `10.0.0.0/8`, `https://example.com/docs/*`.',
    ),
  block: z
    .array(hostPattern)
    .optional()
    .describe(
      'Hosts and URLs that pages may not reach; takes precedence over `allow`. An IP address matches however it is written: mapped to IPv6, decimal, hexadecimal.',
    ),
  privateNetwork: z
    .boolean()
    .optional()
    .describe(
      'Whether pages may reach private and loopback addresses. Default: allowed until the session has been on the public network; from then on, only hosts that the agent, your program or a person navigated to by name.',
    ),
});

const sessionKey = z
  .custom<(context: SessionKeyContext) => string | undefined>(
    value => typeof value === 'function',
    'expected a function of the execution context that returns a session key',
  )
  .meta({ typeText: '(context) => string | undefined' });

/** The fields of Mastra's tool execution context that identify the caller. */
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

/** Every option of a toolset: the source of its parser, types, defaults and documentation. */
export const configSchema = z
  .strictObject({
    headless: z.boolean().default(true).describe('Runs the browser without a window.'),
    executablePath: z
      .string()
      .optional()
      .describe(
        "The Chromium executable to run. Default: `CHROMIUM_PATH`, Playwright's own, Chrome, a distribution's Chromium or, if headless, a headless shell.",
      ),
    args: z.array(z.string()).default([]).describe('Extra command-line switches for Chromium.'),
    scope: z
      .enum(['thread', 'shared'])
      .optional()
      .describe(
        '`thread`: each thread has its own browser context. `shared`: all threads share one. Default: `thread`; with `profile`, `shared`.',
      ),
    cdpUrl: endpoint
      .optional()
      .describe(
        'Attaches to a running browser over the DevTools protocol instead of launching one: a URL, or a function of `{ threadId }` for a pool of browsers.',
      ),
    cdpHeaders: z.record(z.string(), z.string()).optional().describe('HTTP headers for the DevTools connection.'),
    closeRemote: z
      .boolean()
      .default(false)
      .describe(
        'Closes a browser of `cdpUrl` when nothing here uses it any more, instead of only disconnecting. For pools that give each browser to one thread.',
      ),
    records: records
      .optional()
      .describe(
        'Where sessions are recorded after each call (tabs, cookies, storage, endpoint), so that another process can continue a thread; only one process acts at a time.',
      ),
    storageKey: z
      .string()
      .min(8)
      .optional()
      .describe(
        'Encrypts `records` and what `browser_storage` saves (AES-256-GCM), because they contain cookies: 32 bytes as hex or base64, or a passphrase from which scrypt derives a key.',
      ),
    profile: z.string().optional().describe("Folder of a persistent Chromium profile. Implies `scope: 'shared'`."),
    storageState: z
      .string()
      .optional()
      .describe("File with cookies and storage (Playwright's format) that new sessions start with."),
    proxy: proxy.optional().describe('Proxy for all traffic of the pages.'),
    userAgent: z.string().optional().describe('User agent of the pages.'),
    locale: z.string().optional().describe('Locale of the pages, such as `de-DE`.'),
    timezoneId: z.string().optional().describe('Time zone of the pages, such as `Europe/Oslo`.'),
    viewport: size.default({ width: 1280, height: 720 }).describe('Size of the pages in CSS pixels.'),
    headers: z.record(z.string(), z.string()).optional().describe('HTTP headers sent with every request of the pages.'),
    initScripts: z
      .array(z.union([z.string().min(1), z.strictObject({ content: z.string() })]))
      .default([])
      .describe(
        'Scripts that run in every page and frame before its own scripts: a file path, or `{ content }`. They run in the main world of the page, so the page can see what they define.',
      ),
    extensions: z
      .array(
        z
          .string()
          .min(1)
          .refine(folder => !folder.includes(','), 'Chromium does not accept a folder with a comma in its path'),
      )
      .default([])
      .describe(
        'Folders of unpacked extensions for Chromium to load. Needs `profile`, because only its pages have extensions, and a Chromium that loads unpacked ones: not Google Chrome or the headless shell.',
      ),
    colorScheme: colorScheme.optional().describe('Color scheme that pages see.'),
    device: z
      .string()
      .optional()
      .describe(
        'Device to emulate, by its Playwright name such as `iPhone 15`: sets the viewport, user agent, pixel density and touch.',
      ),
    geolocation: geolocationField
      .optional()
      .describe('Geolocation reported to pages. Also grants the geolocation permission.'),
    offline: z.boolean().default(false).describe('Emulates being offline.'),
    ignoreHTTPSErrors: z.boolean().default(false).describe('Accepts invalid TLS certificates.'),
    timeout: milliseconds.default(10_000).describe('Maximum time for an action, in milliseconds.'),
    navigationTimeout: milliseconds.default(30_000).describe('Maximum time for a navigation, in milliseconds.'),
    launchTimeout: milliseconds
      .default(30_000)
      .describe('Maximum time in milliseconds for the browser to start, to accept a connection, or to open a page.'),
    downloadsPath: z
      .string()
      .optional()
      .describe(
        'Folder for downloads and screenshots. Default: a temporary folder that is deleted when the toolset closes.',
      ),
    storagePath: storagePath
      .optional()
      .describe(
        'Folder for what `browser_storage` saves, shared by all threads, or a function of `{ threadId }` that returns one. Default: a temporary folder for each thread that is deleted when the toolset closes.',
      ),
    urlPolicy: urlPolicy.prefault({}),
    uploadRoots: uploadRoots
      .default([])
      .describe(
        'Folders that `browser_upload` may take files from, including their subfolders, or a function of `{ threadId }` that returns them. Default: none, so nothing can be uploaded.',
      ),
    allowEvaluate: z
      .boolean()
      .default(false)
      .describe(
        "Enables the tool `browser_evaluate`, which lets the model run JavaScript in the page's main world, with the same rights as the page.",
      ),
    webMcp: z
      .boolean()
      .default(false)
      .describe(
        'Starts Chromium with WebMCP and enables the tool `browser_page_tools`, with which an agent calls the tools that a page itself offers. A browser of `cdpUrl` must have been started with it (`--enable-features=WebMCP`).',
      ),
    snapshot: snapshotOptions.prefault({}),
    sessions: sessions.prefault({}),
    tools: tools.prefault({}),
    humanControl: humanControl.prefault({}),
    extract: extractOptions.prefault({}),
    approval: approval
      .optional()
      .describe(
        'Actions that a person must approve first: a list of the classes `submit`, `pay`, `delete`, `upload`, `download` and `evaluate`, or a function of the action. Calls through `session()` come from your program and need no approval.',
      ),
    secrets: secrets
      .default({})
      .describe(
        'Named texts that the model may type but never sees: it writes `<secret>NAME</secret>`. A value may be typed only into documents on its `domains`, such as `example.com` and `*.example.com`; over https, or on this machine.',
      ),
    httpCredentials: httpCredentials
      .default([])
      .describe(
        'User names and passwords for servers that ask for them (HTTP authentication), each sent only to its `origin`, such as `https://intranet.example.com`. The model never sees them.',
      ),
    prompt: prompt.prefault({}),
    trace: trace
      .default(false)
      .describe(
        'Records each session for `playwright show-trace`, in one zip file per session. It contains what pages showed and what was typed, including passwords. `true` means `{}`.',
      ),
    video: video
      .default(false)
      .describe(
        'Records what each session shows, in one WebM file per session. The values of `secrets` are covered in it. `true` means `{}`.',
      ),
    sessionKey: sessionKey
      .optional()
      .describe(
        'Chooses the session of a call from its execution context, taking precedence over the thread id: for sub-agents, which get a new thread id for each delegation.',
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
      conflict('extensions', 'need profile: Chromium runs extensions only in the pages of a profile');
    if (value.args.some(arg => /^--(?:proxy|no-proxy)-/.test(arg)))
      conflict('args', 'cannot contain proxy switches: use the option proxy');
    if (value.cdpUrl !== undefined) {
      for (const option of ['executablePath', 'args'] as const)
        if (value[option]?.length) conflict(option, 'cannot be combined with cdpUrl, which does not launch a browser');
      if (value.closeRemote && typeof value.cdpUrl === 'string')
        conflict('closeRemote', 'needs a cdpUrl that is a function: nothing could restart a single browser');
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
      conflict('trace', 'cannot be combined with secrets: a trace keeps everything that was typed');
    if (value.tools.only !== undefined && (value.tools.except ?? value.tools.also) !== undefined)
      conflict('tools', 'use either only, or except and also');
  });

/** Options of a {@link BrowserToolset}. All are optional. */
export type BrowserToolsetConfig = z.input<typeof configSchema>;

/** The options with their defaults filled in. */
export type ResolvedConfig = z.output<typeof configSchema>;

const PERSONS_CONTEXT =
  'cannot be combined with cdpUrl and scope "shared": the existing context of the browser has its own settings. Leave scope out to get contexts with this option';

/** Parses options. Throws one `TypeError` that names every invalid field. */
export function parseConfig(options: BrowserToolsetConfig): ResolvedConfig {
  const parsed = configSchema.safeParse(options);
  const viewport = options.viewport && viewportConflict(options);
  if (parsed.success && viewport === undefined) return withDevice(parsed.data);
  const fields = (parsed.error?.issues ?? []).map(issue => `- ${issue.path.join('.') || 'options'}: ${issue.message}`);
  if (viewport !== undefined) fields.push(`- viewport: ${viewport}`);
  throw new TypeError(`BrowserToolset: invalid options:\n${fields.join('\n')}`);
}

/** Checked on the unparsed options: after parsing, a given viewport cannot be distinguished from the default. */
function viewportConflict({ device, cdpUrl, scope }: BrowserToolsetConfig): string | undefined {
  if (device !== undefined) return 'cannot be combined with device, which brings its own';
  return isPersonsContext({ cdpUrl, scope }) ? PERSONS_CONTEXT : undefined;
}

function withDevice(config: ResolvedConfig): ResolvedConfig {
  const found = config.device === undefined ? undefined : deviceNamed(config.device);
  return found === undefined ? config : { ...config, device: found.name, viewport: found.device.viewport };
}
