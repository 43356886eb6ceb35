import { z } from 'zod/v4';
import toolsetOptions from '../generated/toolset-options.json' with { type: 'json' };
import { PROFILES } from '../profiles.js';

const row = z.object({
  /** In a config file; as a flag and a variable in their own spelling. */
  name: z.string(),
  /** Where it stands in the options that it goes to. */
  path: z.array(z.string()),
  kind: z.enum(['boolean', 'number', 'string', 'list', 'choice', 'json']),
  description: z.string(),
  default: z.unknown().optional(),
  choices: z.array(z.string()).optional(),
});

/** An option of the command. */
export type OptionRow = z.infer<typeof row> & {
  /** Whose option it is. */
  owner: 'server' | 'toolset';
};

const seconds = z.number().nonnegative();

/** Options of the command itself; all others are those of the toolset. */
export const serverOptions = z.strictObject({
  profile: z.enum(PROFILES).default('core').describe('Which set of tools to expose.'),
  tools: z.array(z.string()).optional().describe('Exactly these tools, by id, instead of a profile.'),
  pageTools: z
    .boolean()
    .default(false)
    .describe(
      'Exposes each tool that the open page offers (WebMCP) as a tool of the server. The user must approve each call.',
    ),
  http: z.boolean().default(false).describe('Serves streamable HTTP at `/mcp` instead of standard input and output.'),
  port: z.number().int().min(0).max(65_535).default(3333).describe('HTTP port; 0 for any free one.'),
  host: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on. Anything other than loopback requires `token`.'),
  token: z
    .string()
    .min(16)
    .optional()
    .describe('Bearer token that every HTTP request must carry: at least 16 characters.'),
  allowHost: z
    .array(z.string())
    .optional()
    .describe('Additional host names of the HTTP server, such as `mcp.example.com`.'),
  allowOrigin: z
    .array(z.string())
    .optional()
    .describe('Host names of pages that may connect, in addition to those of this machine.'),
  maxClients: z.number().int().min(1).default(100).describe('Maximum number of HTTP clients.'),
  sessionIdle: seconds.default(3600).describe('Seconds after which the session of an idle HTTP client ends.'),
  shared: z.boolean().default(false).describe('All clients share one browser context, instead of one each.'),
  live: z
    .boolean()
    .default(false)
    .describe('Serves a live view of each browser, at an address printed to standard error.'),
  livePort: z.number().int().min(0).max(65_535).default(0).describe('Port of the live view; 0 for any free one.'),
  model: z
    .string()
    .optional()
    .describe(
      'Model of `run_browser_agent`, such as `openai/gpt-5-mini`. Default: `MODEL`, otherwise the model of the client.',
    ),
  modelUrl: z.url().optional().describe('URL of an OpenAI-compatible server for the model. Default: `MODEL_URL`.'),
  agentWait: seconds
    .default(50)
    .describe('Seconds after which `run_browser_agent` returns with what has been done so far; 0 for never.'),
});
export type ServerOptions = z.infer<typeof serverOptions>;

const ownRows: OptionRow[] = Object.entries(
  z.toJSONSchema(serverOptions, { io: 'input' }).properties as Record<string, Record<string, unknown>>,
).map(([name, schema]) => ({
  ...row.parse({
    name,
    path: [name],
    kind: kindOf(schema),
    description: schema.description,
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema.enum !== undefined && { choices: schema.enum }),
  }),
  owner: 'server',
}));

/** All options, in the order of the help. */
export const OPTIONS: readonly OptionRow[] = [
  ...ownRows,
  ...z
    .array(row)
    .parse(toolsetOptions)
    .map((each): OptionRow => ({ ...each, owner: 'toolset' })),
];

/** `urlPolicyBlock` is `--url-policy-block`. */
export function flagOf({ name }: OptionRow): string {
  return name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();
}

/** `urlPolicyBlock` is `BROWSER_TOOLSET_URL_POLICY_BLOCK`. */
export function variableOf(option: OptionRow): string {
  return `BROWSER_TOOLSET_${flagOf(option).replaceAll('-', '_').toUpperCase()}`;
}

function kindOf({ type, enum: choices }: Record<string, unknown>): OptionRow['kind'] {
  if (choices !== undefined) return 'choice';
  if (type === 'array') return 'list';
  if (type === 'boolean' || type === 'string') return type;
  return 'number';
}
