import type { Html } from './html.js';

export function page(content: Html, status = 200): Response {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(content.text, { status, headers });
}

/** See Other: the browser asks for the new address with GET. */
export function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}

export function refused(message: string): Response {
  return new Response(message, { status: 400 });
}

/** The fields of a submitted form. They are whatever the sender liked: check them before use. */
export async function formValues(request: Request): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await request.text()));
}
