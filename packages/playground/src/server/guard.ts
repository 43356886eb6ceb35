import type { MiddlewareHandler } from 'hono';

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Everything comes from here. `data:` is for what a model sees, `blob:` for the frames of the live view. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Whether a request is for this server and not from a foreign page. A name that a foreign site points at loopback (DNS
 * rebinding) shows in Host; a foreign page shows in Origin, which browsers send with all that changes anything, and with
 * each WebSocket.
 */
export function isFromOwnPage(host: string, origin: string | undefined): boolean {
  return LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`);
}

function isOwnRequest(request: Request): boolean {
  const origin = request.headers.get('origin') ?? undefined;
  if (!isFromOwnPage(request.headers.get('host') ?? '', origin)) return false;
  if (origin !== undefined || SAFE_METHODS.has(request.method)) return true;
  // A program on this machine sends neither; a page cannot leave out both.
  return ['same-origin', null].includes(request.headers.get('sec-fetch-site'));
}

/** Refuses what foreign pages ask for, and tells browsers to keep this page to itself. */
export const guard: MiddlewareHandler = async (context, next) => {
  if (!isOwnRequest(context.req.raw)) {
    return context.json({ error: 'Only the playground’s own page may ask for this.' }, 403);
  }
  await next();
  const { headers } = context.res;
  headers.set('content-security-policy', CONTENT_SECURITY_POLICY);
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'no-referrer');
  headers.set('cross-origin-resource-policy', 'same-origin');
  headers.set('cross-origin-opener-policy', 'same-origin');
};
