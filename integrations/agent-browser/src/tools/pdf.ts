import { writeFile } from 'node:fs/promises';
import { z } from 'zod/v4';
import { ToolError } from '../outcome/errors.js';
import type { Action } from './action.js';
import { defineTool } from './define.js';
import { inTime } from './in-time.js';

/** Milliseconds that a long page may take beyond the time of an action. */
const PRINT_TIME = 50_000;
const NAME_LENGTH = 60;

export const pdf = defineTool({
  id: 'browser_pdf',
  description: 'Save the page as a PDF file.',
  input: z.strictObject({
    format: z.enum(['A3', 'A4', 'A5', 'Letter', 'Legal', 'Tabloid']).optional().describe('Default A4'),
    landscape: z.boolean().optional(),
    background: z.boolean().optional().describe('Prints colours and pictures behind the text; default true'),
  }),
  output: { path: z.string().optional(), fileSize: z.number().optional() },
  policy: { readOnly: true, optIn: true },
  async run(action, { format = 'A4', landscape = false, background = true }) {
    const { page } = action.tab;
    const printed = page.pdf({ format, landscape, printBackground: background }).catch(toToolError);
    const bytes = await inTime(action, printed, PRINT_TIME);
    const path = await newPath(action);
    await writeFile(path, bytes);
    return { path, fileSize: bytes.length };
  },
  headline: ({ path, fileSize }) => `Saved as ${path}, ${fileSize} bytes`,
});

function toToolError(cause: unknown): never {
  const isUnable = cause instanceof Error && cause.message.includes('PrintToPDF is not implemented');
  if (isUnable) throw new ToolError('browser_error', 'This browser cannot print: it has a window.', { cause });
  throw cause;
}

async function newPath({ session, tab }: Action): Promise<string> {
  const name = tab.title.slice(0, NAME_LENGTH).trim() || 'page';
  return session.owner.files.newPath(session.threadId, `${name}.pdf`);
}
