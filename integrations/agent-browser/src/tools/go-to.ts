import { plainMessage, ToolError } from '../outcome/errors.js';
import { type Action, isTimeout } from './action.js';

type WaitUntil = 'load' | 'domcontentloaded' | 'networkidle';

/** How Chromium names what kept a page from loading (net/base/net_error_list.h). */
const NET_ERROR = /net::(ERR_[A-Z_]+)/;

/** Opens a url in the tab of an action. Returns the status of the answer, where there was one. */
export async function goTo(action: Action, url: string, waitUntil: WaitUntil): Promise<number | undefined> {
  const { session, signal } = action;
  // A page that hangs would keep its renderer, and with it the navigation, for ever.
  const tab = action.tab.unresponsive ? await session.renew(action.tab) : action.tab;
  try {
    const response = await tab.page.goto(url, { waitUntil, timeout: session.owner.config.navigationTimeout, signal });
    return response?.status();
  } catch (error) {
    if (signal.aborted || tab.crashed || tab.page.isClosed()) throw error;
    if (startedDownload(action, error)) return undefined;
    throw navigationError(url, error);
  }
}

/** A url that answers with a file aborts the navigation and starts a download instead. */
function startedDownload(action: Action, error: unknown): boolean {
  const message = plainMessage(error);
  return (
    action.session.effects.current.download !== undefined ||
    message.startsWith('Download is starting') ||
    isReplaced(message)
  );
}

/** Another navigation, such as a redirect by script, took this one's place. */
function isReplaced(message: string): boolean {
  return message.includes('is interrupted by another navigation');
}

function navigationError(url: string, cause: unknown): ToolError {
  const where = url.slice(0, 200);
  if (isTimeout(cause)) return new ToolError('timeout', `${where} did not finish loading in time.`, { cause });
  const code = NET_ERROR.exec(plainMessage(cause))?.[1];
  return new ToolError('navigation_failed', `${where} could not be loaded: ${code ?? plainMessage(cause)}`, { cause });
}
