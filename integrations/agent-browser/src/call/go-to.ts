import type { Response } from 'playwright-core';
import { leavePage } from '../browser/tab/leave-page.js';
import { whyNotLoaded } from '../browser/tab/openable-url.js';
import { type StillLoading, stopLoading } from '../browser/tab/settle.js';
import type { Tab } from '../browser/tab/tab.js';
import { PROBE_MS } from '../limits.js';
import { credentialsHint } from '../results/effects.js';
import { isTimeout, plainMessage, ToolError } from '../results/errors.js';
import type { Action } from './action.js';

type WaitUntil = 'load' | 'domcontentloaded' | 'networkidle';

/** Chromium's name for what kept a page from loading (net/base/net_error_list.h). */
function netErrorCode(error: unknown): string | undefined {
  return /net::(ERR_[A-Z0-9_]+)/.exec(plainMessage(error))?.[1];
}

/** Milliseconds until Chromium shows its own error page. */
const ERROR_PAGE_MS = 1_000;

interface LoadOptions {
  waitUntil: WaitUntil;
  timeout: number;
  signal: AbortSignal;
}

/**
 * Opens a URL in the tab of an action. Returns the status of the response, if there was one.
 * @param options.isNamed The driver of the session gave this URL.
 */
export async function goTo(
  action: Action,
  url: string,
  waitUntil: WaitUntil,
  { isNamed = true } = {},
): Promise<number | undefined> {
  const tab = await action.session.answering(action.tab);
  const response = await load({ action, tab, url, waitUntil, isNamed }, options => goDespitePage(tab, url, options));
  return response?.status();
}

const INTERRUPTED = 'is interrupted by another navigation';

/**
 * Playwright's `page.goto`, repeated for as long as the open page navigates at the same time: the driver has priority. A
 * page that reloads itself all the time cuts off several attempts before one gets through.
 */
async function goDespitePage(tab: Tab, url: string, options: LoadOptions): Promise<Response | null> {
  const deadline = performance.now() + options.timeout;
  for (;;) {
    try {
      return await tab.page.goto(url, options);
    } catch (error) {
      const message = plainMessage(error);
      if (!message.includes(INTERRUPTED) || message.includes('"chrome-error:') || options.signal.aborted) throw error;
      await stopLoading(tab);
      if (performance.now() < deadline) continue;
      throw new ToolError('navigation_failed', 'The open page kept navigating elsewhere.', {
        hint: 'Open the url in a new tab, then close this one.',
        cause: error,
      });
    }
  }
}

interface Loading {
  action: Action;
  tab: Tab;
  url: string;
  waitUntil: WaitUntil;
  /** The driver of the session gave this URL; otherwise it comes from the tab's history. */
  isNamed?: boolean;
}

/** Lets a tab load something, and reports why it does not. Returns null when no document resulted. */
export async function load(
  { action, tab: before, url, waitUntil, isNamed = false }: Loading,
  perform: (options: LoadOptions) => Promise<Response | null>,
): Promise<Response | null> {
  const { session, signal } = action;
  const began = performance.now();
  const { navigationTimeout } = session.owner.config;
  const options = { waitUntil, timeout: Math.min(action.timings.shown, navigationTimeout), signal };
  const to = { url, isNamed };
  let tab = before;
  // Not every navigation begins with a request, which would show that the failure before is over.
  before.unreachedBy = undefined;
  try {
    return await leavePage(session, before, {
      go: () => session.network.drive(before, to, () => perform(options)),
      anew(fresh) {
        tab = fresh;
        return session.network.drive(fresh, to, () => goDespitePage(fresh, url, options));
      },
    });
  } catch (error) {
    if (tab.crashed || tab.page.isClosed()) throw error;
    if (signal.aborted) {
      await stopLoading(tab);
      throw error;
    }
    if (error instanceof ToolError) throw error;
    if (isNoDocument(action, error, began) || hasArrived(tab, error, { url, began })) return null;
    // A busy machine shows Chromium's error page later than it is known why.
    const isLate = isTimeout(error) && tab.unreachedBy === undefined;
    const still = isLate ? await stillLoading(action, tab, began) : undefined;
    if (still !== undefined) {
      session.effects.note(still);
      return null;
    }
    if (tab.navigation !== undefined) await stopLoading(tab);
    await errorPageShows(tab, error);
    const why = whyNotLoaded(session, tab, began);
    const asks = tab.isChallenged || netErrorCode(error) === 'ERR_INVALID_AUTH_CREDENTIALS';
    const hint = asks ? credentialsHint(!session.network.hasCredentials(url)) : undefined;
    const code = isLate ? undefined : (why.error ?? netErrorCode(error) ?? tab.unreachedBy);
    throw why.blocked ?? navigationError(session.owner.secrets.hide(url), error, { code, hint });
  }
}

/**
 * What a tab still loads after the timeout: a document that can be read as far as it has loaded, or one that may still
 * arrive. Undefined when neither is possible.
 */
async function stillLoading(
  { session, signal, timings }: Action,
  tab: Tab,
  began: number,
): Promise<StillLoading | undefined> {
  const { navigationTimeout } = session.owner.config;
  const { navigation } = tab;
  if (navigation !== undefined)
    return navigationTimeout > timings.shown ? { loading: true, awaited: navigation.url() } : undefined;
  if (tab.navigatedAt < began) return undefined;
  // The document is there; on a busy machine it may take as long to answer as the load itself may take.
  const timeout = Math.max(PROBE_MS, began + navigationTimeout - performance.now());
  return (await tab.probe({ timeout, signal })) ? { loading: true } : undefined;
}

/** Waits for Chromium's error page, whose navigation would cut off one that begins before it. */
async function errorPageShows({ page }: Tab, error: unknown): Promise<void> {
  const code = netErrorCode(error);
  if (code === undefined || code === 'ERR_ABORTED') return;
  const isErrorPage = ({ href }: URL): boolean => href.startsWith('chrome-error:');
  await page.waitForURL(isErrorPage, { waitUntil: 'commit', timeout: ERROR_PAGE_MS }).catch(cause => {
    if (!isTimeout(cause)) throw cause;
  });
}

/**
 * Whether the document is there all the same: Playwright also reports the end of a navigation that was cancelled by this
 * one, such as that to Chromium's error page.
 */
function hasArrived(tab: Tab, error: unknown, { url, began }: { url: string; began: number }): boolean {
  const isCommitted = tab.navigation === undefined && tab.navigatedAt >= began && tab.url === url;
  return isCommitted && netErrorCode(error) === 'ERR_ABORTED';
}

/** Whether a download or another navigation, such as a redirect by script, took the place of the navigation. */
function isNoDocument({ session }: Action, error: unknown, since: number): boolean {
  const message = plainMessage(error);
  return (
    session.effects.downloads.some(({ began }) => began >= since) ||
    message.startsWith('Download is starting') ||
    message.includes(INTERRUPTED)
  );
}

/** Hints for errors that a model would otherwise repeat. */
const NET_ERROR_HINTS: Record<string, string> = {
  ERR_NAME_NOT_RESOLVED: 'There is no such host: check the spelling.',
  ERR_CONNECTION_REFUSED: 'Nothing is listening at that address and port.',
  ERR_HTTP_RESPONSE_CODE_FAILURE: 'The server returned an error without a page.',
  ERR_TOO_MANY_REDIRECTS: 'The site redirects in a loop.',
  ERR_ABORTED: 'The server sent no page, or the navigation was cancelled; the previous page may still be open.',
};

function navigationError(url: string, cause: unknown, { code, hint }: { code?: string; hint?: string }): ToolError {
  const where = url.slice(0, 200);
  if (isTimeout(cause) && code === undefined) {
    return new ToolError('timeout', `${where} did not finish loading in time.`, { cause });
  }
  const isBadCertificate = code?.startsWith('ERR_CERT_') || code?.startsWith('ERR_SSL_');
  const usual = isBadCertificate
    ? 'The connection is not secure; the option ignoreHTTPSErrors accepts invalid certificates.'
    : NET_ERROR_HINTS[code ?? ''];
  return new ToolError('navigation_failed', `${where} could not be loaded: ${code ?? plainMessage(cause)}`, {
    hint: hint ?? usual,
    cause,
  });
}
