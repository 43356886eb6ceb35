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
  async run() {
    return {};
  },
  async runWithoutTab({ session, sessions }) {
    await sessions.close(session);
    return {};
  },
  headline: () => 'The browser is closed.',
});
