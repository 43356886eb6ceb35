import type { AgentConfig } from '@mastra/core/agent';
import type { Page } from 'playwright-core';
import { chromiumPath, viewport } from './chromium.ts';

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

/** The toolset with the browser and the viewport that every stack has. */
export async function newToolset(options: object = {}): Promise<Toolset> {
  const { BrowserToolset } = (await import(packageName)) as { BrowserToolset: new (options: object) => Toolset };
  return new BrowserToolset({ headless: true, executablePath: chromiumPath(), viewport, ...options });
}
