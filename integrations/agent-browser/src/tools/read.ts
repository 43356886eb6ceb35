import { z } from 'zod/v4';
import { markupOf } from '../actions/page-markup.js';
import { pdfPageTexts, pdfText, saveShownPdf } from '../browser/files/pdf-files.js';
import type { Action } from '../call/action.js';
import { defineTool, headlineOf, refField } from '../call/define.js';
import type { PageMarkup, WriteOptions, WrittenReading } from '../reading/write.js';
import { ToolError } from '../results/errors.js';

/** The default budget of one page. */
const READ_PAGE_TOKENS = 5000;

export const read = defineTool({
  id: 'browser_read',
  description:
    'Read text as Markdown: the main article (if there is none, the whole page) or one element. For long content; to act, use browser_snapshot.',
  input: z
    .strictObject({
      ref: refField.optional(),
      format: z.enum(['markdown', 'text', 'html']).optional().describe('Default markdown'),
      links: z.boolean().optional().describe('Include link URLs (default true)'),
      full: z.boolean().optional().describe('Read the whole page, not just the article'),
      maxTokens: z.number().int().min(100).max(1_000_000).optional(),
      page: z.number().int().min(1).max(10_000).optional().describe('Page of a long text (default 1)'),
    })
    .refine(({ ref, full }) => ref === undefined || full === undefined, {
      path: ['full'],
      message: 'cannot be combined with ref',
    }),
  output: {
    content: z.string().optional(),
    pages: z.number().optional(),
    page: z.number().optional(),
    /** `article`: the page has more content, which `full` reads. */
    part: z.enum(['article', 'page', 'element']).optional(),
    byline: z.string().optional(),
    /** The page is longer than the part that can be read. */
    cut: z.boolean().optional(),
    /** The file of a PDF. */
    path: z.string().optional(),
  },
  policy: { readOnly: true },
  risk: 'none',
  enters: 'nothing',
  async run(action, { page = 1, ref, full = false, format = 'markdown', links = true, maxTokens = READ_PAGE_TOKENS }) {
    const { tab } = action;
    const scope = ref !== undefined ? 'element' : full ? 'page' : 'main';
    const options: WriteOptions = { scope, format, links, maxTokens };
    const { doc } = await action.ask(tab.page.mainFrame(), 'ping', {});
    const key = JSON.stringify([doc, tab.url, ref, options]);
    // The further pages of a reading are of the same document, while it has the same URL.
    const kept = page > 1 && tab.latestReading?.key === key ? tab.latestReading.reading : undefined;
    const reading = kept ?? (await written(action, await markupOf(action, ref), options));
    tab.latestReading = { key, reading };
    const { pages, ...about } = reading;
    const content = pages[page - 1];
    if (content === undefined)
      throw new ToolError(
        'invalid_input',
        `page: there ${pages.length === 1 ? 'is 1 page' : `are ${pages.length} pages`}.`,
      );
    return { content, pages: pages.length, page, ...about };
  },
  headline: ({ title, content = '', page = 1, pages = 1, part, byline, cut, path }) =>
    headlineOf(
      page === 1 && path ? `Saved as ${path}\n` : '',
      page === 1 && part === 'article' && title && !content.slice(0, 500).includes(title) ? `# ${title}\n` : '',
      page === 1 && byline ? `${byline}\n` : '',
      content || (path ? '(no text: its pages may be pictures, which browser_screenshot shows)' : '(no text)'),
      page < pages ? `\n… page ${page} of ${pages}: browser_read page=${page + 1}` : '',
      part === 'article' && page === pages ? '\n(end of the article; full=true reads the whole page)' : '',
      cut ? '\n(the page is longer than this: read parts of it by ref)' : '',
    ),
});

/** Extraction and conversion are loaded on demand, because most sessions never read. */
async function written(action: Action, markup: PageMarkup, options: WriteOptions): Promise<WrittenReading> {
  const { splitIntoPages, writeReading } = await import('../reading/write.js');
  if (markup.pdf === undefined) return writeReading(markup, options);
  const { path, bytes } = await saveShownPdf(action.session, action.tab, markup.pdf);
  const text = action.session.owner.secrets.hide(pdfText(await pdfPageTexts(bytes, action.signal)));
  return { pages: splitIntoPages(text, options.maxTokens), part: 'page', path };
}
