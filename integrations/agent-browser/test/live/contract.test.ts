import { describeBrowserToolsetLike } from '@browser-toolset/core/testing';
import { BrowserToolset } from '../../src/toolset.js';

describeBrowserToolsetLike('BrowserToolset', {
  async create() {
    const toolset = new BrowserToolset({ args: ['--no-sandbox'] });
    return {
      toolset,
      async open(threadId, url) {
        const result = await toolset.session(threadId).navigate({ url });
        if (!result.success) throw new Error(JSON.stringify(result));
      },
      closeThread: threadId => toolset.closeThreadSession(threadId),
      dispose: () => toolset.close(),
    };
  },
});
