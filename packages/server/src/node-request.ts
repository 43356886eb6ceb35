import type { IncomingMessage } from 'node:http';
import { BodyTooLong, type LiveRequest } from './requests.js';

/** A request target in origin form (RFC 9112, section 3.2.1). The others name a host, which the sender may choose freely. */
const ORIGIN_FORM = /^\/(?![/\\])/;

/** The url of a request, with the host that it was sent to; null when it is none. */
export function urlOf({ url = '/', headers, socket }: IncomingMessage): URL | null {
  if (!ORIGIN_FORM.test(url)) return null;
  const protocol = 'encrypted' in socket && socket.encrypted ? 'https' : 'http';
  const home = `${protocol}://${headers.host ?? ''}`;
  // A host that is none is nobody's own: pages of no origin are at home there.
  return URL.parse(`${isHost(home) ? home : `${protocol}://host.invalid`}${url}`);
}

function isHost(home: string): boolean {
  const url = URL.parse(home);
  return (
    url !== null && url.username === '' && url.password === '' && /^\/?$/.test(url.pathname + url.search + url.hash)
  );
}

/** A request of Node's http server as the live view reads it. */
export function liveRequestOf(request: IncomingMessage, url: URL): LiveRequest {
  return {
    method: request.method ?? 'GET',
    url,
    headers: headersOf(request),
    remoteAddress: request.socket.remoteAddress,
    readBody: mostBytes => readText(request, mostBytes),
  };
}

/** Reads what a stream gives as text; rejects with `BodyTooLong` as soon as it is longer. */
export async function readText(chunks: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > mostBytes) throw new BodyTooLong();
    read.push(chunk);
  }
  return Buffer.concat(read).toString();
}

function headersOf({ headers }: IncomingMessage): Headers {
  const entries = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  const flat = entries.flatMap(([name, value = []]) => [value].flat().map(one => [name, one] as [string, string]));
  return new Headers(flat);
}
