import { z } from 'zod/v4';
import { defineTool } from '../call/define.js';

export const close = defineTool({
  id: 'browser_close',
  description: 'Close the browser of this conversation.',
  input: z.strictObject({}),
  output: {},
  policy: { needsTab: false, worksInDialog: true, trustedOutput: true },
  risk: 'none',
  enters: 'nothing',
  async runWithoutTab({ session }) {
    // Calls that wait in its queue open it anew.
    await session.close();
    return {};
  },
  headline: () => 'The browser is closed.',
});
