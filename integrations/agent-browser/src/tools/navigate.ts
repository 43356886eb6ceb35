import { z } from 'zod/v4';
import { isFileUrl } from '#page-engine/names/hint-words.js';
import { openableUrl } from '../browser/tab/openable-url.js';
import { defineTool } from '../call/define.js';
import { goTo } from '../call/go-to.js';

export const navigate = defineTool({
  id: 'browser_navigate',
  description: 'Open a URL in the active tab.',
  input: z.strictObject({
    url: z.string().min(1).max(100_000).describe('https:// is added if missing (http:// for localhost)'),
    waitUntil: z.enum(['load', 'domcontentloaded', 'networkidle']).optional().describe('Default domcontentloaded'),
  }),
  output: { status: z.number().optional() },
  policy: { changesPage: true, describesContentBoundaries: true, worksInDialog: true, allowedDuringNavigation: true },
  risk: (_, { url }) => ({ classes: isFileUrl(String(url ?? '').trim()) ? ['download'] : [] }),
  enters: 'nothing',
  async run(action, { url, waitUntil = 'domcontentloaded' }) {
    const status = await goTo(action, openableUrl(action.session, url), waitUntil);
    return status === undefined ? {} : { status };
  },
  headline: () => '',
});
