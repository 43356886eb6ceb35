/** Stands for a value that nobody needs to see. */
export const MASKED = '•••';

/** Names under which secrets travel. */
const SECRET =
  /cookie|token|secret|passw|passphrase|api[-_]?key|auth(?!or(?!i))|session|csrf|xsrf|signature|credential|^(otp|pin|cvc|cvv|jwt|sig)$/i;
/** They read like secrets and are none. */
const PLAIN_HEADERS = /^(:|access-control-|www-authenticate$|cross-origin-|x-frame-)/i;

/** Headers whose values are urls, or have some in them. */
const URL_HEADERS = /^(?::path|location|content-location|referer|refresh|link|sourcemap|x-sourcemap)$/i;
/** A text or a number under a name, in what is JSON but for its beginning, its end, or line by line. */
const JSON_FIELD = /("((?:[^"\\]|\\.)*)"\s*:\s*)("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*)/g;
/** Numbers under such names count, measure or time what they speak of. */
const COUNT =
  /(?:[Tt]okens|[Ss]essions|[Cc]ookies|[Aa]ttempts|[Cc]ount|[Ll]ength|[Ss]ize|[Ll]imit|ttl|TTL|[Aa]ge|[Ee]xpir(?:y|es|ation)|[_-](?:in|at))$|[a-z](?:In|At)$/;
/** Headers of a part of a form, with the name of its field. */
const PART =
  /^(\r?\n(?:[^\r\n]+\r?\n)*?content-disposition:[^\r\n]*?[;\s]name="?([^"\r\n;]*)"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n)/i;

/** Headers with the values of those that carry secrets taken out. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const masked = Object.entries(headers).map(([name, value]) => {
    if (isSecretHeader(name)) return [name, MASKED];
    return [name, URL_HEADERS.test(name) ? maskUrl(value) : value];
  });
  return Object.fromEntries(masked);
}

/** A url without the values of secret parameters. Others stay as they are, to the letter. */
export function maskUrl(url: string): string {
  return url.replace(/([?&#;])([^=&#;?]+)=([^&#;]*)/g, (all, before: string, name: string) =>
    isSecretHeader(decodedName(name)) ? `${before}${name}=${MASKED}` : all,
  );
}

/** A body without the values of secret fields, where it is JSON or a form, with files or without. */
export function maskBody(body: string, contentType: string): string {
  // Scripts send JSON as plain text when they do not say what it is.
  if (/json/i.test(contentType) || /^\s*[[{]/.test(body)) return maskJson(body);
  if (/x-www-form-urlencoded/i.test(contentType)) return maskUrl(`?${body}`).slice(1);
  return /^multipart\/form-data/i.test(contentType) ? maskParts(body) : body;
}

function maskJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value: unknown) =>
      isSecretHeader(name) && isTelling(name, value) ? MASKED : value,
    );
  } catch {
    // It only says that it is JSON, or there is more than one.
    return body.replace(JSON_FIELD, (all, before: string, name: string, value: string) =>
      isSecretHeader(name) && isTelling(name, value.startsWith('"') ? value : Number(value))
        ? `${before}"${MASKED}"`
        : all,
    );
  }
}

/** https://www.rfc-editor.org/rfc/rfc7578: the first line is the boundary, a part's name stands among its headers. */
function maskParts(body: string): string {
  const boundary = /^--[^\r\n]+/.exec(body)?.[0];
  if (boundary === undefined) return body;
  const parts = body.split(boundary).map(part => {
    const [, headers = '', name = ''] = PART.exec(part) ?? [];
    return isSecretHeader(name) ? `${headers}${MASKED}\r\n` : part;
  });
  return parts.join(boundary);
}

/** Whether a value under a name that speaks of secrets is one: `tokens: 3` and `tokenExpiresIn: 3600` are numbers of something. */
function isTelling(name: string, value: unknown): boolean {
  if (typeof value === 'number') return !COUNT.test(name);
  return (typeof value === 'string' || typeof value === 'object') && value !== null;
}

function isSecretHeader(name: string): boolean {
  return SECRET.test(name) && !PLAIN_HEADERS.test(name);
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
