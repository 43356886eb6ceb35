export const MASKED = '•••';

/** Names of headers, parameters and fields that carry secrets. */
const SECRET =
  /cookie|token|secret|passw|passphrase|api[-_]?key|auth(?!or(?!i))|session|csrf|xsrf|signature|credential|^(otp|pin|cvc|cvv|jwt|sig)$/i;
/** Headers whose names match although they carry no secrets. */
const PLAIN_HEADERS = /^(:|access-control-|www-authenticate$|cross-origin-|x-frame-)/i;

const URL_HEADERS = /^(?::path|location|content-location|referer|refresh|link|sourcemap|x-sourcemap)$/i;
/** A string or number field in truncated JSON or in JSON lines. */
const JSON_FIELD = /("((?:[^"\\]|\\.)*)"\s*:\s*)("(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*)/g;
/** Names of numbers that count, measure or time something. */
const COUNT =
  /(?:[Tt]okens|[Ss]essions|[Cc]ookies|[Aa]ttempts|[Cc]ount|[Ll]ength|[Ss]ize|[Ll]imit|ttl|TTL|[Aa]ge|[Ee]xpir(?:y|es|ation)|[_-](?:in|at))$|[a-z](?:In|At)$/;
/** The headers of a form part, with the field's name. */
const PART =
  /^(\r?\n(?:[^\r\n]+\r?\n)*?content-disposition:[^\r\n]*?[;\s]name="?([^"\r\n;]*)"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n)/i;

/** The password in the userinfo of a URL (RFC 3986, 3.2.1). */
const URL_PASSWORD = /\b([a-z][a-z\d+.-]{1,20}:\/\/[^\s/?#@:"'<>]{0,500}:)[^\s/?#@"'<>]{1,500}@/gi;

/** Replaces the passwords of all URLs in a text. */
export function maskUrlPasswords(text: string): string {
  return text.includes('://') ? text.replace(URL_PASSWORD, `$1${MASKED}@`) : text;
}

/** Replaces the values of secret headers. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const masked = Object.entries(headers).map(([name, value]) => {
    if (isSecretHeader(name)) return [name, MASKED];
    return [name, URL_HEADERS.test(name) ? maskUrl(value) : value];
  });
  return Object.fromEntries(masked);
}

/** Replaces the values of secret parameters in a URL; the rest stays unchanged. */
export function maskUrl(url: string): string {
  return url.replace(/([?&#;])([^=&#;?]+)=([^&#;]*)/g, (all, before: string, name: string) =>
    isSecretHeader(decodedName(name)) ? `${before}${name}=${MASKED}` : all,
  );
}

/** Replaces the values of secret fields in a JSON, URL-encoded or multipart body. */
export function maskBody(body: string, contentType: string): string {
  // Scripts that set no type send JSON as plain text.
  if (/json/i.test(contentType) || /^\s*[[{]/.test(body)) return maskJson(body);
  if (/x-www-form-urlencoded/i.test(contentType)) return maskUrl(`?${body}`).slice(1);
  return /^multipart\/form-data/i.test(contentType) ? maskParts(body) : body;
}

function maskJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value: unknown) =>
      isSecretHeader(name) && isRevealing(name, value) ? MASKED : value,
    );
  } catch {
    // The body is not one valid JSON value.
    return body.replace(JSON_FIELD, (all, before: string, name: string, value: string) =>
      isSecretHeader(name) && isRevealing(name, value.startsWith('"') ? value : Number(value))
        ? `${before}"${MASKED}"`
        : all,
    );
  }
}

/** RFC 7578: the first line is the boundary, and a part's headers hold its name. */
function maskParts(body: string): string {
  const boundary = /^--[^\r\n]+/.exec(body)?.[0];
  if (boundary === undefined) return body;
  const parts = body.split(boundary).map(part => {
    const [, headers = '', name = ''] = PART.exec(part) ?? [];
    return isSecretHeader(name) ? `${headers}${MASKED}\r\n` : part;
  });
  return parts.join(boundary);
}

/** Whether a value under a secret name is a secret: `tokens: 3` and `tokenExpiresIn: 3600` are not. */
function isRevealing(name: string, value: unknown): boolean {
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
