import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { BrowserMcpServer } from '../mcp-server.js';
import { errorResponse } from './guard.js';
import { REQUEST_BYTES } from './http-handler.js';

/** An MCP server as a handler of `node:http` and of frameworks that build on it. */
export function nodeMcp(mcp: BrowserMcpServer): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const handle = toNodeHandler({ fetch: request => mcp.fetch(request) });
  return async (request, response) => {
    const { method, url, headers } = request;
    const body = await bodyOf(request);
    if (body !== undefined) return handle(Object.assign(Readable.from(body), { method, url, headers }), response);
    const refusal = errorResponse(413, `The request has more than ${REQUEST_BYTES} bytes`);
    response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(await refusal.text());
    // Who is not done with sending does not read the answer.
    request.resume();
  };
}

/** All that was sent; undefined where that is too much, and the rest is still to come. */
async function bodyOf(request: IncomingMessage): Promise<Buffer[] | undefined> {
  if (Number(request.headers['content-length']) > REQUEST_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > REQUEST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return chunks;
}
