import { z } from 'zod/v4';
import { LEVELS } from '../browser/tab/console-log.js';
import { defineTool } from './define.js';
import { newestLines } from './newest-lines.js';

/** What a model reads at most, in estimated tokens. */
const TEXT_TOKENS = 2_000;

const written = { text: z.string(), source: z.string().optional(), count: z.number() };

export const console = defineTool({
  id: 'browser_console',
  description: 'Read what pages wrote to the console, and uncaught errors.',
  input: z.strictObject({
    level: z.enum(LEVELS).optional().describe('This one and more serious ones'),
    clear: z.boolean().optional().describe('Forgets them afterwards'),
  }),
  output: {
    messages: z.array(z.object({ level: z.enum(LEVELS), ...written })).optional(),
    errors: z.array(z.object(written)).optional(),
    dropped: z.number().optional(),
  },
  policy: { needsTab: false, worksInDialog: true, readOnly: true, optIn: true },
  async run() {
    return {};
  },
  async runWithoutTab({ session }, { level, clear }) {
    const log = session.records.console;
    const { errors, dropped } = log;
    const messages = log.messages(level);
    if (clear) log.clear();
    return { messages, errors, ...(dropped > 0 && { dropped }) };
  },
  headline: ({ messages = [], errors = [], dropped = 0 }) => {
    const lines = [
      ...messages.map(message => `${message.level}: ${lineOf(message)}`),
      ...errors.map(error => `uncaught: ${lineOf(error)}`),
    ];
    if (lines.length === 0) return 'Nothing was written to the console.';
    const { shown, left } = newestLines(lines, TEXT_TOKENS);
    const earlier = left + dropped;
    return [...(earlier > 0 ? [`… ${earlier} earlier`] : []), ...shown].join('\n');
  },
});

function lineOf({ text, source, count }: { text: string; source?: string; count: number }): string {
  return `${text}${count > 1 ? ` (${count} times)` : ''}${source === undefined ? '' : ` at ${source}`}`;
}
