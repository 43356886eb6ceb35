import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request with any headers: `fetch` does not let a test set Host or Origin. */
export function ask(
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const outgoing = request(url, { method, headers: { ...json, ...headers } }, incoming => {
    let text = '';
    incoming.setEncoding('utf8').on('data', chunk => {
      text += chunk;
    });
    incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }));
  });
  outgoing.on('error', reject);
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
