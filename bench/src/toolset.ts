import type { AgentConfig } from '@mastra/core/agent';
import type { Page } from 'playwright-core';
import { chromiumPath, viewport } from './chromium.ts';
import { outputText } from './prompt/scripted-model.ts';

export const packageName = '@browser-toolset/agent-browser';

// The bench runs from source, the toolset from its build: the shapes it relies on are named here, so that neither
// type-checks against the other's output.
interface Failure {
  success: false;
  code: string;
  message: string;
}
type Outcome<T = object> = ({ success: true } & T) | Failure;

export interface SnapshotResult {
  tree: string;
  refs: Record<string, { role: string; name?: string }>;
}

export interface Session {
  navigate(input: { url: string }): Promise<Outcome>;
  snapshot(input: { interactiveOnly?: boolean; maxTokens?: number }): Promise<Outcome<SnapshotResult>>;
  read(input: { format: 'text'; maxTokens: number }): Promise<{ content?: string; message?: string }>;
  click(input: { ref: string }): Promise<Outcome>;
  type(input: { ref: string; text: string }): Promise<Outcome>;
  select(input: { ref: string; labels: string[] }): Promise<Outcome>;
  close(input: object): Promise<unknown>;
}

export interface Toolset {
  session(id: string): Session;
  getActivePage(id: string): Promise<Page | null>;
  tools: AgentConfig['tools'];
  close(): Promise<void>;
}

/** A tool as the toolset gives it to Mastra, as far as it is called here. */
export interface ModelTool {
  execute(input: object, context: object): Promise<unknown>;
  toModelOutput(result: unknown): Promise<Parameters<typeof outputText>[0]>;
}

/** Calls a tool as an agent of Mastra's does. Resolves to the result and what a model reads of it. */
export async function callTool(
  tool: ModelTool,
  input: object,
  threadId: string,
): Promise<{ result: unknown; text: string }> {
  const result = await tool.execute(input, { agent: { agentId: 'bench', threadId, resourceId: 'bench' } });
  const text = outputText(await tool.toModelOutput(result));
  if ((result as { success?: boolean }).success === false) throw new Error(`${JSON.stringify(input)}: ${text}`);
  return { result, text };
}

/** The toolset with the browser and the viewport that every stack has. */
export async function newToolset(options: object = {}): Promise<Toolset> {
  const { BrowserToolset } = (await import(packageName)) as { BrowserToolset: new (options: object) => Toolset };
  return new BrowserToolset({ headless: true, executablePath: chromiumPath(), viewport, ...options });
}
