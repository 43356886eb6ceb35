import { checkUrl, type UrlRefusal } from '#egress/url-policy.js';
import { ToolError } from '../../results/errors.js';
import type { Session } from '../session.js';
import type { Tab } from './tab.js';

const URL_IN_MESSAGE = 200;

/** Completes a URL for a session's driver. @throws ToolError when it is invalid or refused. */
export function openableUrl(session: Session, input: string): string {
  const checked = checkUrl(input);
  if (!checked.allowed) throw new ToolError(checked.code, checked.reason);
  const refusal = session.network.check(checked.url);
  if (refusal !== undefined) throw urlBlocked(checked.url, refusal);
  return checked.url;
}

/** Why a tab did not load the document that it requested since a moment (`performance.now()`). */
export function whyNotLoaded(session: Session, { asked }: Tab, since: number): { blocked?: ToolError; error?: string } {
  if (asked === undefined) return {};
  const { refusal, error } = session.network.whyUnreached(asked, since) ?? {};
  return { blocked: refusal && urlBlocked(session.owner.secrets.hide(asked), refusal), error };
}

function urlBlocked(url: string, { rule, reason }: UrlRefusal): ToolError {
  return new ToolError('url_blocked', `${url.slice(0, URL_IN_MESSAGE)} is refused: ${reason} (${rule}).`);
}
