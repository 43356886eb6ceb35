import { within } from '@browser-toolset/core/waiting';
import type { Browser, CDPSession } from 'playwright-core';
import { plainMessage } from '../../outcome/errors.js';
import type { HostOwner, Started } from '../running-browser.js';
import { loadPlaywright } from './agent-browser.js';
import { endpointOf, publicPart, type RemoteEndpoint, withoutTokens } from './endpoint.js';
import { ASK_TIME, closeHungPages, type HungPages } from './hung-pages.js';



/** How a host finds its remote browser, and what it may do there. */
export interface RemotePlace {
  /** The current value of the option `cdpUrl`. */
  endpoint(): Promise<unknown>;
  /** Whether a page there, by its target, was a session's of this toolset that is not open any more. */
  mayClose(targetId: string): boolean;
}

/**
 * Attaches to a running browser with Playwright itself: agent-browser's way sends no headers and refuses a browser
 * without an open page.
 */
export async function attach(place: RemotePlace, owner: HostOwner): Promise<Started> {
  const endpoint = endpointOf(await place.endpoint());
  let isReleased = false;
  const release = async (): Promise<void> => {
    if (!isReleased) await endpoint.release?.();
    isReleased = true;
  };
  try {
    const { browser, closedPages } = await connect(endpoint, place, owner);
    const ownContext = browser.contexts()[0] ?? null;
    // Else Playwright dismisses the dialogs of pages that are not ours, some of them other threads'.
    ownContext?.on('dialog', () => undefined);
    const contextId = await defaultContextId(browser, owner.config.launchTimeout);
    return {
      browser,
      ownContext,
      isLaunched: false,
      closedPages,
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

async function connect(
  endpoint: RemoteEndpoint,
  { mayClose }: RemotePlace,
  { config, files, log }: HostOwner,
): Promise<{ browser: Browser; closedPages: number }> {
  const headers = { ...config.cdpHeaders, ...endpoint.headers };
  const connecting = loadPlaywright().chromium.connectOverCDP(endpoint.url, {
    timeout: config.launchTimeout,
    // Where Playwright tells the browser to put downloads, on whatever machine it runs.
    artifactsDir: files.temporaryFolder(),
    headers,
  });
  const patience = Math.min(config.timeout, config.launchTimeout / 2);
  let hung: HungPages = { closed: 0, left: [] };
  try {
    if ((await within(patience, connecting)) === undefined)
      hung = await closeHungPages({ ...endpoint, headers }, mayClose).catch(error => {
        // Playwright may still get in where a question beside it did not.
        log.debug('pages of a remote browser could not be asked', { error: told(error, endpoint) });
        return hung;
      });
    return { browser: await connecting, closedPages: hung.closed };
  } catch (cause) {
    // The message goes to a model.
    const reason = hung.left.length === 0 ? told(cause, endpoint) : keptOut(hung.left);
    const place = publicPart(endpoint.url);
    throw new Error(`The browser at ${place} (option cdpUrl) could not be attached to: ${reason}`, { cause });
  }
}

function told(error: unknown, endpoint: RemoteEndpoint): string {
  return withoutTokens(plainMessage(error), endpoint);
}

function keptOut(pages: readonly string[]): string {
  const verb = pages.length === 1 ? 'does' : 'do';
  return `${pages.join(', ')} ${verb} not answer, which lets nobody in, and no closed session here left it behind. Close it there.`;
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
