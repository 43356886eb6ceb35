import { z } from 'zod/v4';
import { savePdf } from '../browser/files/pdf-files.js';
import { withTimeout } from '../call/action.js';
import { defineTool } from '../call/define.js';
import { ToolError } from '../results/errors.js';

/** Milliseconds in addition to the timeout of an action, for long pages. */
const PRINT_MS = 50_000;

export const pdf = defineTool({
  id: 'browser_pdf',
  description: 'Save the page as a PDF file.',
  input: z.strictObject({
    format: z.enum(['A3', 'A4', 'A5', 'Letter', 'Legal', 'Tabloid']).optional().describe('Default A4'),
    landscape: z.boolean().optional(),
    background: z.boolean().optional().describe('Print background colors and images (default true)'),
  }),
  output: { path: z.string().optional(), fileSize: z.number().optional() },
  policy: { readOnly: true, optIn: true },
  risk: 'none',
  enters: 'nothing',
  async run(action, { format = 'A4', landscape = false, background = true }) {
    const saving = savePdf(action.session, action.tab, { format, landscape, printBackground: background });
    const { path, size } = await withTimeout(action, saving.catch(toPdfError), {
      extra: PRINT_MS,
      late: 'The page was not printed',
    });
    return { path, fileSize: size };
  },
  headline: ({ path, fileSize }) => `Saved as ${path}, ${fileSize} bytes`,
});

function toPdfError(cause: unknown): never {
  const isUnable = cause instanceof Error && cause.message.includes('PrintToPDF is not implemented');
  if (isUnable)
    throw new ToolError('browser_error', 'This browser cannot print because it is not headless.', {
      canRetry: false,
      cause,
    });
  throw cause;
}
