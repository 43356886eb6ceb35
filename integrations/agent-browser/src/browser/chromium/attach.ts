import type { Browser, CDPSession } from 'playwright-core';
import { plainMessage } from '../../outcome/errors.js';
import { within } from '../deadline.js';
import type { HostOwner, Started } from '../host.js';
import { endpointOf, publicPart, type RemoteEndpoint, withoutTokens } from './endpoint.js';
import { loadPlaywright } from './playwright.js';

/** How long a browser may take to hear that it is to end, in milliseconds. */
const ASK_TIME = 2_000;

/**
 * Attaches to a running browser with Playwright itself: agent-browser's way sends no headers and refuses a browser
 * without an open page.
 */
export async function attach(answer: unknown, owner: HostOwner): Promise<Started> {
  const endpoint = endpointOf(answer);
  let isReleased = false;
  const release = async (): Promise<void> => {
    if (!isReleased) await endpoint.release?.();
    isReleased = true;
  };
  try {
    const browser = await connect(endpoint, owner);
    const ownContext = browser.contexts()[0] ?? null;
    // Else Playwright dismisses the dialogs of pages that are not ours, some of them other threads'.
    ownContext?.on('dialog', () => undefined);
    const contextId = await defaultContextId(browser, owner.config.navigationTimeout);
    return {
      browser,
      ownContext,
      isLaunched: false,
      ...(contextId !== undefined && { contextId }),
      async stop(parting) {
        if (parting !== 'handed on' && owner.config.closeRemote) await endBrowser(browser);
        await browser.close();
        if (parting !== 'handed on') await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

async function connect(endpoint: RemoteEndpoint, { config, files }: HostOwner): Promise<Browser> {
  try {
    return await loadPlaywright().chromium.connectOverCDP(endpoint.url, {
      timeout: config.navigationTimeout,
      // Where Playwright tells the browser to put downloads, on whatever machine it runs.
      artifactsDir: files.temporaryFolder(),
      headers: { ...config.cdpHeaders, ...endpoint.headers },
    });
  } catch (cause) {
    // The message goes to a model.
    const reason = withoutTokens(plainMessage(cause), endpoint);
    const place = publicPart(endpoint.url);
    throw new Error(`The browser at ${place} (option cdpUrl) could not be attached to: ${reason}`, { cause });
  }
}

/** Tells one browser from another. Undefined where the browser, or what stands before it, does not say. */
async function defaultContextId(browser: Browser, timeout: number): Promise<string | undefined> {
  return asked(browser, timeout, async session => {
    const { defaultBrowserContextId } = (await session.send('Target.getBrowserContexts')) as {
      defaultBrowserContextId?: string;
    };
    return defaultBrowserContextId;
  });
}

async function endBrowser(browser: Browser): Promise<void> {
  await asked(browser, ASK_TIME, async session => session.send('Browser.close'));
}

async function asked<T>(
  browser: Browser,
  timeout: number,
  question: (session: CDPSession) => Promise<T>,
): Promise<T | undefined> {
  const answer = browser.newBrowserCDPSession().then(question);
  // It may be gone already, or stand behind something that lets only a part of the protocol through.
  return within(timeout, answer).catch(() => undefined);
}
