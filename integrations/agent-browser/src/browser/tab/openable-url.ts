import { checkUrl, type UrlRefusal } from '../../policy/url-policy.js';
import { ToolError } from '../../results/errors.js';
import type { Session } from '../session.js';
import type { Tab } from './tab.js';

/** A url is shown so long. */
const URL_IN_MESSAGE = 200;

/**
 * A url in full, as who drives a session wants it opened.
 * @throws ToolError where it is none, or may not be opened.
 */
export function openableUrl(session: Session, input: string): string {
  const checked = checkUrl(input);
  if (!checked.allowed) throw new ToolError(checked.code, checked.reason);
  const refusal = session.network.check(checked.url);
  if (refusal !== undefined) throw urlBlocked(checked.url, refusal);
  return checked.url;
}

/** The reason why a tab has not loaded the document that it asked for since a moment (`performance.now()`). */
export function whyNotLoaded(session: Session, { asked }: Tab, since: number): { blocked?: ToolError; error?: string } {
  if (asked === undefined) return {};
  const { refusal, error } = session.network.whyUnreached(asked, since) ?? {};
  return {
    ...(refusal !== undefined && { blocked: urlBlocked(session.owner.secrets.hide(asked), refusal) }),
    ...(error !== undefined && { error }),
  };
}

function urlBlocked(url: string, { rule, reason }: UrlRefusal): ToolError {
  return new ToolError('url_blocked', `${url.slice(0, URL_IN_MESSAGE)} is refused: ${reason} (${rule}).`);
}
