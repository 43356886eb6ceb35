import { AgentBrowser } from '@mastra/agent-browser';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { chromiumPath } from './chromium.js';

/** Lets a test look into its page. */
class OpenProvider extends AgentBrowser {
  async value(threadId: string): Promise<string> {
    const page = (await this.getActivePage(threadId)) as Page | null;
    return (await page?.inputValue('textarea')) ?? '';
  }
}

/** The provider of Mastra for one test. */
export function officialProvider(): OpenProvider {
  const browser = new OpenProvider({ headless: true, scope: 'thread', executablePath: chromiumPath() });
  onTestFinished(() => browser.close());
  return browser;
}
