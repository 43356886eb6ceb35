import { connect } from 'node:net';

/** Targets that are no path, as no client sends them. */
export const BROKEN_TARGETS = ['//', '//[', 'http://[', '*', '/%', '/mcp/../..//'];

/** Sends a request whose target stands on the wire as it is. Resolves to the status of the answer. */
export function statusOfRaw(url: string, target: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(Number(port), hostname, () =>
    socket.write(`GET ${target} HTTP/1.1\r\nHost: evil.example\r\n\r\n`),
  );
  socket.once('data', data => {
    resolve(Number(String(data).split(' ')[1]));
    socket.destroy();
  });
  socket.once('error', reject).once('close', () => reject(new Error(`${target} was not answered`)));
  return promise;
}
