import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';

export interface Options {
  readonly help: boolean;
  readonly headed: boolean;
  readonly maxSteps: number;
  /** Runs in the terminal instead of opening the playground. */
  readonly terminal?: true;
  readonly task?: string;
  /** The browser agent instead of a plain Mastra agent. */
  readonly agent?: 'browser';
  readonly url?: string;
  /** Of the playground; 0 takes a free one. */
  readonly port?: number;
}

const DEFAULT_MAX_STEPS = 40;

export const HELP = `Watch an agent work in a real browser.

  npm start                                   the playground: chat, live view and tools on one page
  npm start -- --terminal                     an agent buys a mug in the bundled shop, in your terminal
  npm start -- --task "…" [--url …]           a model of yours does any task, on any site, in your terminal

Options
  --port <n>        where the playground listens (default 4600, or a free one when that is taken)
  --terminal        the demo in your terminal
  --task "…"        what to do in your terminal; needs MODEL
  --url <address>   where that starts (default: the bundled shop)
  --agent browser   the browser agent does it, step by step, instead of a plain Mastra agent
  --max-steps <n>   stop after so many model calls (default ${DEFAULT_MAX_STEPS})
  --headed          show the browser window
  --help            this text

Environment
  PORT              like --port
  MODEL             a Mastra model router id, such as openai/gpt-5, with that provider's API key beside it
                    (OPENAI_API_KEY, ANTHROPIC_API_KEY, …); without it the demo follows a script
  MODEL_URL         the address of a server that speaks the OpenAI protocol, such as http://localhost:11434/v1; MODEL is then
                    the name that it has for its model, and MODEL_API_KEY its key, where it needs one
  PLAYGROUND_DATA   the folder where the playground keeps its threads, runs and the shop's port (default: output/playground here)
  CHROMIUM_PATH     the Chromium to use
  NO_COLOR          plain text`;

/** Throws a UsageError with one clear sentence for anything it does not understand. */
export function parseOptions(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Options {
  const { values } = parse(argv);
  const task = values.task?.trim();
  if (values.task !== undefined && !task) throw new UsageError('--task is empty: say what to do, in quotes.');
  if (values.url !== undefined && !task) throw new UsageError('--url needs --task: say what to do there.');
  if (values.agent !== undefined && values.agent !== 'browser')
    throw new UsageError(`--agent can be browser, not "${values.agent}".`);
  const inTerminal = values.terminal || task !== undefined || values.agent !== undefined;
  if (inTerminal && values.port !== undefined) throw new UsageError('--port is for the playground, not the terminal.');
  const port = values.port ?? env.PORT?.trim();
  return {
    help: values.help,
    headed: values.headed,
    maxSteps: wholeNumber(values['max-steps']),
    ...((values.terminal || values.agent !== undefined) && { terminal: true as const }),
    ...(values.agent === 'browser' && { agent: 'browser' as const }),
    ...(!inTerminal && port && { port: portNumber(port) }),
    ...(task && { task }),
    ...(values.url !== undefined && { url: webAddress(values.url) }),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        headed: { type: 'boolean', default: false },
        terminal: { type: 'boolean', default: false },
        port: { type: 'string' },
        'max-steps': { type: 'string', default: String(DEFAULT_MAX_STEPS) },
        task: { type: 'string' },
        agent: { type: 'string' },
        url: { type: 'string' },
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [sentence = ''] = error.message.split('. ');
    throw new UsageError(`${sentence.replace(/\.$/, '')}. Try --help.`, { cause: error });
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(`--max-steps must be a number from 1 to 9999, not "${text}".`);
  return Number(text);
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`The port must be a number from 0 to 65535, not "${text}".`);
  return port;
}

function webAddress(text: string): string {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`--url must be a web address, not "${text}".`);
  return url.href;
}
