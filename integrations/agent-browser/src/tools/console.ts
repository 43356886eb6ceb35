import { z } from 'zod/v4';
import {
  type ConsoleEntry,
  consoleEntry,
  LOG_LEVELS,
  type UncaughtError,
  uncaughtError,
} from '../browser/tab/page-logs.js';
import { newest } from '../call/cut-value.js';
import { defineTool } from '../call/define.js';

const CONSOLE_TOKENS = 2_000;

export const console = defineTool({
  id: 'browser_console',
  description: 'Read what pages wrote to the console, and uncaught errors.',
  input: z.strictObject({
    level: z.enum(LOG_LEVELS).optional().describe('This level and more severe ones'),
    clear: z.boolean().optional().describe('Clear the list afterwards'),
  }),
  output: {
    messages: z.array(consoleEntry).optional(),
    errors: z.array(uncaughtError).optional(),
    /** How many older entries do not fit. */
    earlier: z.number().optional(),
    /** How many entries the log has discarded. */
    dropped: z.number().optional(),
  },
  policy: { needsTab: false, worksInDialog: true, readOnly: true, optIn: true },
  risk: 'none',
  enters: 'nothing',
  async runWithoutTab({ session }, { level, clear }) {
    const log = session.records.console;
    const { errors, dropped } = log;
    const messages = log.messages(level);
    if (clear) log.clear();
    const { shown, earlier } = newest<ConsoleEntry | UncaughtError>(
      [...messages, ...errors],
      consoleLineOf,
      CONSOLE_TOKENS,
    );
    return {
      messages: shown.filter(entry => 'level' in entry),
      errors: shown.filter(entry => !('level' in entry)),
      ...(earlier > 0 && { earlier }),
      ...(dropped > 0 && { dropped }),
    };
  },
  headline: ({ messages = [], errors = [], earlier = 0, dropped = 0 }) => {
    const lines = [...messages, ...errors].map(consoleLineOf);
    const before = earlier + dropped;
    if (lines.length + before === 0) return 'Nothing was written to the console.';
    return [...(before > 0 ? [`… ${before} earlier`] : []), ...lines].join('\n');
  },
});

function consoleLineOf(entry: ConsoleEntry | UncaughtError): string {
  const { text, source, count } = entry;
  const what = 'level' in entry ? entry.level : 'uncaught';
  return `${what}: ${text}${count > 1 ? ` (${count} times)` : ''}${source === undefined ? '' : ` at ${source}`}`;
}
