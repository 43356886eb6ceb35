import type { BrowserMcpServer } from '@browser-toolset/mcp';
import { Hono } from 'hono';
import type { McpState } from './api.js';

/** The toolset for MCP clients, at the address that the page names, and who is connected. */
export function mcpRoutes(mcp: BrowserMcpServer): Hono {
  const app = new Hono();
  app.all('/mcp', context => mcp.fetch(context.req.raw));
  app.get('/playground/mcp', context => {
    const clients = mcp.clients().map(({ name, threadId, lastUsed }) => ({ name, threadId, lastUsed }));
    return context.json({ path: '/mcp', clients } satisfies McpState);
  });
  return app;
}
