/** Stands for a value that nobody needs to see. */
export const MASKED = '•••';

/** Names under which secrets travel. */
const SECRET =
  /cookie|token|secret|passw|passphrase|api[-_]?key|auth(?!or(?!i))|session|csrf|xsrf|signature|credential|^(otp|pin|cvc|cvv|jwt|sig)$/i;
/** They read like secrets and are none. */
const PLAIN = /^(:|access-control-|www-authenticate$|cross-origin-|x-frame-)/i;

/** Headers with the values of those that carry secrets taken out. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? MASKED : value]));
}

/** A url without the values of secret parameters. Others stay as they are, to the letter. */
export function maskUrl(url: string): string {
  return url.replace(/([?&#;])([^=&#;?]+)=([^&#;]*)/g, (all, before: string, name: string) =>
    isSecret(decoded(name)) ? `${before}${name}=${MASKED}` : all,
  );
}

/** A body without the values of secret fields, where it is JSON or a form. */
export function maskBody(body: string, contentType: string): string {
  if (/json/i.test(contentType)) {
    try {
      return JSON.stringify(JSON.parse(body), (name, value: unknown) =>
        isSecret(name) && (typeof value === 'string' || typeof value === 'object') && value !== null ? MASKED : value,
      );
    } catch {
      // It only says that it is JSON.
      return body;
    }
  }
  if (/x-www-form-urlencoded/i.test(contentType)) return maskUrl(`?${body}`).slice(1);
  return body;
}

function isSecret(name: string): boolean {
  return SECRET.test(name) && !PLAIN.test(name);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
