/** Whether a url may be opened, and how it reads in full. */
export type CheckedUrl =
  | { allowed: true; url: string }
  | { allowed: false; code: 'url_blocked' | 'invalid_input'; reason: string };

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const OPENED_SCHEMES = new Set(['http', 'https']);
/** They read like `host:port` when digits follow. */
const NEVER_HOSTS = new Set([
  'javascript',
  'data',
  'file',
  'about',
  'blob',
  'view-source',
  'chrome',
  'vbscript',
  'mailto',
  'tel',
  'sms',
]);
/** `host:port` and `user:password@host` look like a scheme to a url parser; a port is digits up to the path. */
const HOST_AND_PORT = /^[^\s/:@]+:(?:\d{1,5}(?:[/?#]|$)|[^\s/@]*@)/;
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:[/?#]|$)/i;
/** The beginning of an address within a site. */
const RELATIVE = /^(?:[.?#]|\/(?!\/))/;

/** Completes a url the way an address bar does and refuses schemes that reach beyond the web. */
export function checkUrl(input: string): CheckedUrl {
  const text = input.trim();
  if (text.toLowerCase() === 'about:blank') return { allowed: true, url: 'about:blank' };
  const scheme = schemeOf(text);
  if (scheme !== undefined && !OPENED_SCHEMES.has(scheme))
    return { allowed: false, code: 'url_blocked', reason: `${scheme}: urls are not opened; only http and https are.` };
  const url = scheme === undefined ? withScheme(text) : text;
  if (text === '' || RELATIVE.test(text) || /\s/.test(hostPart(url)) || !URL.canParse(url)) {
    const words = `${JSON.stringify(input.slice(0, 200))} is no web address; one such as https://example.com is expected`;
    return { allowed: false, code: 'invalid_input', reason: `url: ${words}` };
  }
  return { allowed: true, url: new URL(url).href };
}

function schemeOf(text: string): string | undefined {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || NEVER_HOSTS.has(scheme)) return scheme;
  return HOST_AND_PORT.test(text) ? undefined : scheme;
}

function withScheme(text: string): string {
  return `${LOCAL_HOST.test(text) ? 'http' : 'https'}://${text.replace(/^\/\//, '')}`;
}

function hostPart(url: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
}
