/** Whether a url may be opened, and how it reads in full. */
export type CheckedUrl =
  | { allowed: true; url: string }
  | { allowed: false; code: 'url_blocked' | 'invalid_input'; reason: string };

/** `host:port` looks like a scheme to a url parser; a port is digits and nothing else up to the path. */
const HOST_AND_PORT = /^[^\s/:]+:\d{1,5}(?:[/?#]|$)/;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const OPEN_SCHEMES = new Set(['http:', 'https:']);
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:[/?#]|$)/i;

/** Completes a url the way an address bar does and refuses schemes that reach beyond the web. */
export function checkUrl(input: string): CheckedUrl {
  const text = input.trim();
  if (text === '')
    return {
      allowed: false,
      code: 'invalid_input',
      reason: 'url: is empty; a web address such as https://example.com is expected',
    };
  if (text.toLowerCase() === 'about:blank') return { allowed: true, url: 'about:blank' };
  const scheme = HOST_AND_PORT.test(text) ? undefined : SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && !OPEN_SCHEMES.has(`${scheme}:`)) {
    return { allowed: false, code: 'url_blocked', reason: `${scheme}: urls are not opened; only http and https are.` };
  }
  const complete =
    scheme !== undefined ? text : `${LOCAL_HOST.test(text) ? 'http' : 'https'}://${text.replace(/^\/\//, '')}`;
  if (/\s/.test(hostPart(complete)) || !URL.canParse(complete)) {
    return {
      allowed: false,
      code: 'invalid_input',
      reason: `url: ${JSON.stringify(input.slice(0, 200))} is no web address; one such as https://example.com is expected`,
    };
  }
  return { allowed: true, url: new URL(complete).href };
}

function hostPart(url: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
}
