import type { BrowserToolsetLike } from '@browser-toolset/core';

/** A schema that can tell its JSON schema (Standard JSON Schema), as the tools of Mastra have them. */
export interface ToolSchema {
  readonly '~standard': {
    readonly jsonSchema: {
      input(options: { target: string }): Record<string, unknown>;
      output(options: { target: string }): Record<string, unknown>;
    };
  };
}

/** A tool as far as an MCP server needs it: what Mastra's `createTool` makes. */
export interface McpTool {
  readonly id: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly mcp?: { annotations?: ToolHints };
  execute?(input: unknown, context: unknown): Promise<unknown>;
  toModelOutput?(output: unknown): unknown;
}

/** Hints about a tool for clients (MCP `ToolAnnotations`). */
export interface ToolHints {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A tool of a page, in the page's own words. */
export interface PageToolOffer {
  name: string;
  description: string;
  inputSchema?: unknown;
}

/** A toolset whose threads can be ended one by one. */
export interface McpToolset extends BrowserToolsetLike<unknown> {
  closeThreadSession?(threadId: string): Promise<void>;
  /** `shared`: all threads have one browser context, which no client may end for the others. */
  getScope?(): string;
  /** The tools that the open page of a thread offers (WebMCP); undefined for one that does not answer in time. */
  getPageTools?(threadId: string, options?: { timeout?: number }): Promise<PageToolOffer[] | undefined>;
  /** Calls back when `getPageTools` may answer anew. Returns the way to stop. */
  onPageToolsChanged?(callback: () => void, threadId: string): () => void;
}
