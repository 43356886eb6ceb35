/**
 * The toolset, its agent and its live view as an MCP server.
 * @module @browser-toolset/mcp
 */

export type { Authorize } from './http/guard.js';
export { nodeMcp } from './http/node-handler.js';
export {
  type BrowserMcpServer,
  type ConnectedClient,
  createMcpServer,
  type McpOptions,
  type ServedToolset,
} from './mcp-server.js';
export { PROFILES, type Profile } from './profiles.js';
export type { ToolInfo } from './toolset/catalogue.js';
export type { McpToolset } from './toolset/mcp-toolset.js';
