import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { BrowserMcpServer } from '../mcp-server.js';
import { nodeMcp } from './node-handler.js';

/**
 * A listener of `node:http` that no request throws out of: whatever fails is told and answered with 500.
 *
 * @param answer Gets the path of the request, undefined where its target is no url.
 */
export function listenerOf(
  answer: (request: IncomingMessage, response: ServerResponse, path: string | undefined) => Promise<unknown>,
  onError: (error: unknown) => void,
): RequestListener {
  return (request, response) => {
    answer(request, response, URL.parse(request.url ?? '', 'http://localhost')?.pathname).catch(error => {
      onError(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  };
}

/** Answers `/mcp` and `/health`, and nothing else. */
export function mcpListener(mcp: BrowserMcpServer, onError: (error: unknown) => void): RequestListener {
  const handle = nodeMcp(mcp);
  return listenerOf(async (request, response, path) => {
    if (path === '/mcp') return handle(request, response);
    if (path === '/health') return response.end('ok\n');
    return response.writeHead(404).end();
  }, onError);
}
