import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { BrowserMcpServer } from '../mcp-server.js';

/** An MCP server as a handler of `node:http` and of frameworks that build on it. */
export function nodeMcp(mcp: BrowserMcpServer): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const handle = toNodeHandler({ fetch: request => mcp.fetch(request) });
  return async (request, response) => handle(request, response);
}
