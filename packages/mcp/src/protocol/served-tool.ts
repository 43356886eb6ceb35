import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import type { Client } from '../clients/client.js';
import type { ToolInfo } from '../toolset/catalogue.js';
import type { McpToolset } from '../toolset/mcp-toolset.js';

/**
 * What a call that asked its client for something goes on with: it travels through the client, signed, and comes back with
 * the answers (MCP 2026-07-28, multi-round-trip requests; the SDK does the same for older clients within the call).
 */
export const callState = z.object({
  /** Thread of the client that was asked: no other may answer. */
  threadId: z.string(),
  /** Its handle, where it has no connection. */
  session: z.string(),
  callId: z.string(),
  /** Hash of the tool and its input: the answer counts for no other call. */
  of: z.string(),
  asks: z.enum(['answer', 'approval', 'pageTool', 'roots', 'sampling']),
  runId: z.string().optional(),
  /** The thing of a page that the person was asked to approve. */
  use: z.string().optional(),
  /** How often this call has asked. */
  rounds: z.number(),
  /** When it began, in milliseconds since the epoch. */
  begun: z.number(),
});
export type CallState = z.infer<typeof callState>;

/** The requests that a client can answer. */
export interface ClientAbilities {
  elicitation: boolean;
  sampling: boolean;
  roots: boolean;
}

/** A call of a tool. */
export interface ToolCall {
  input: Record<string, unknown>;
  client: Client;
  callId: string;
  signal: AbortSignal;
  /** When it began, before all that it asked; in milliseconds since the epoch. */
  begun: number;
  abilities: ClientAbilities;
  /** The client is of 2026-07-28 or later: it repeats the call with its answers, a few times at most. */
  isModern: boolean;
  /** The state that the call goes on with. */
  state?: CallState;
  /** The answers of the client, by the names of the questions; nobody has checked them. */
  answers: Readonly<Record<string, unknown>>;
  /** @param need `browser`: the call opens a page, so that the browser can start while the toolset is made. */
  toolset(need?: 'browser'): Promise<McpToolset>;
  /** Signs a state for the way through the client. */
  sign(state: Pick<CallState, 'asks' | 'runId' | 'use'>): Promise<string>;
  /** Tells how far the call is. Does nothing where the client did not ask for it. */
  progress(done: number, message: string): void;
}

/** A tool as this server serves it. */
export interface ServedTool {
  info: ToolInfo;
  /** Its results have an exact shape: what pages say in them is marked text by text, where each stands. */
  isMarked?: true;
  call(call: ToolCall): Promise<CallToolResult | InputRequiredResult>;
}
