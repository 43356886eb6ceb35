import { z } from 'zod/v4';
import { deviceNamed, noSuchDevice } from './browser/devices.js';
import { ACTION_CLASSES, type Approval, approvalFor } from './policy/approval.js';
import { problemsOf } from './policy/secrets.js';

/** What a resolver of session keys or DevTools endpoints is given. */
export interface ThreadRef {
  threadId: string;
}

const endpoint = z
  .custom<string | ((thread: ThreadRef) => string | Promise<string>)>(
    value => (typeof value === 'string' && value !== '') || typeof value === 'function',
    'a url, or a function of { threadId } that answers with one',
  )
  .meta({ typeText: 'string | (({ threadId }) => string | Promise<string>)' });

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

const milliseconds = z.number().int().positive();

const size = z.strictObject({
  width: z.number().int().min(1).max(10_000),
  height: z.number().int().min(1).max(10_000),
});

const place = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracy: z.number().min(0).optional(),
});

const proxy = z.strictObject({
  server: z.string().min(1),
  bypass: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
});

const snapshot = z.strictObject({
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
  only: z.array(z.string()).optional().describe('Exactly these tools, by id.'),
  except: z.array(z.string()).optional().describe('All default tools but these.'),
  also: z.array(z.string()).optional().describe('These besides the default tools, such as `ask_user`.'),
});

const humanControl = z.strictObject({
  onAction: z
    .enum(['wait', 'refuse'])
    .default('wait')
    .describe(
      'What an action of the agent does while a person has control: it waits until they give it back, or it answers `human_in_control` at once. Tools that only look (`browser_snapshot`, `browser_screenshot`, `browser_wait`, `ask_user`) go on.',
    ),
  timeout: milliseconds
    .default(15_000)
    .describe('How long an action waits for a person in milliseconds, before it answers `human_in_control`.'),
});

const approval = z
  .union([
    z.array(z.enum(ACTION_CLASSES)).transform(classes => approvalFor(...classes)),
    z.custom<Approval>(
      value => typeof value === 'function',
      'a function of the action, or a list of classes of action',
    ),
  ])
  .meta({ typeText: 'ActionClass[] | ((action: BrowserAction) => boolean | Promise<boolean>)' });

const secrets = z
  .record(z.string(), z.strictObject({ value: z.string().max(10_000), domains: z.array(z.string()) }))
  .superRefine((value, ctx) => {
    for (const { path, message } of problemsOf(value)) ctx.addIssue({ code: 'custom', path, message });
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

const trace = z.union([
  z.boolean(),
  z.strictObject({
    folder: z.string().min(1).optional().describe('Where traces go. Default: `downloadsPath`, else `traces`.'),
    screenshots: z.boolean().default(true).describe('Pictures of the page over time.'),
    snapshots: z.boolean().default(true).describe('The DOM before and after each action.'),
  }),
]);

/** Every option of a toolset: parser, types, defaults and documentation in one. */
export const configSchema = z
  .strictObject({
    headless: z.boolean().default(true).describe('Runs the browser without a window.'),
    executablePath: z
      .string()
      .optional()
      .describe(
        "The Chromium to run. Default: `CHROMIUM_PATH`, Playwright's own, Chrome, or a distribution's Chromium.",
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
    colorScheme: z.enum(['light', 'dark', 'no-preference']).optional().describe('Colour scheme that the pages see.'),
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
    downloadsPath: z
      .string()
      .optional()
      .describe('Folder for downloads and screenshots. Default: a temporary folder that goes with the toolset.'),
    uploadRoots: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Folders that `browser_upload` may take files from, with all that is in them. Default: none, and nothing can be uploaded.',
      ),
    allowEvaluate: z
      .boolean()
      .default(false)
      .describe(
        "Brings the tool `browser_evaluate`, which runs JavaScript of the agent in the page's own world, with all that the page's user may do.",
      ),
    snapshot: snapshot.prefault({}),
    sessions: sessions.prefault({}),
    tools: tools.default({}).describe('Picks the tools: `only`, or `except` and `also`.'),
    humanControl: humanControl.prefault({}),
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
    if (value.cdpUrl !== undefined) {
      for (const option of ['executablePath'] as const) {
        if (value[option] !== undefined) conflict(option, 'cannot be combined with cdpUrl, which launches nothing');
      }
      if (value.args.length > 0) conflict('args', 'cannot be combined with cdpUrl, which launches nothing');
    } else if (value.cdpHeaders !== undefined) conflict('cdpHeaders', 'need cdpUrl');
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

/** Whether sessions use the context that a browser came with, whose device is its own. */
export function joinsContext({
  profile,
  cdpUrl,
  scope,
}: Pick<ResolvedConfig, 'profile' | 'cdpUrl' | 'scope'>): boolean {
  return profile !== undefined || typeof cdpUrl === 'function' || (cdpUrl !== undefined && scope === 'shared');
}

/** Parses options. Throws one error that names every wrong field. */
export function parseConfig(options: BrowserToolsetConfig): ResolvedConfig {
  const parsed = configSchema.safeParse(options);
  const both = options.device !== undefined && options.viewport !== undefined;
  if (parsed.success && !both) return withDevice(parsed.data);
  const fields = (parsed.error?.issues ?? []).map(issue => `- ${issue.path.join('.') || 'options'}: ${issue.message}`);
  if (both) fields.push('- viewport: cannot be combined with device, which brings its own');
  throw new TypeError(`BrowserToolset: these options do not fit:\n${fields.join('\n')}`);
}

function withDevice(config: ResolvedConfig): ResolvedConfig {
  const found = config.device === undefined ? undefined : deviceNamed(config.device);
  return found === undefined ? config : { ...config, device: found.name, viewport: found.device.viewport };
}
