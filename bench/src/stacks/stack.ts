import type { Page } from 'playwright-core';

/** Someone who turns pages into text for a model and refs into actions: ours, the peers, and the floors. */
export interface Stack {
  readonly name: string;
  readonly packageName: string;
  open(): Promise<StackBrowser>;
  /** Tool definitions as they are sent to a model; none for a stack that has no tools. */
  toolSchemas?(): Promise<readonly ToolSchema[]>;
}

export interface StackBrowser {
  /** A session of its own cookies and pages; nothing is started before its first navigation. */
  thread(id: string): Promise<StackThread>;
  close(): Promise<void>;
}

export interface StackThread {
  navigate(url: string): Promise<void>;
  /** The ways this stack describes a page, by variant: the text is what a model would read. */
  readonly snapshots: Readonly<Record<string, () => Promise<string>>>;
  /** Finds the controls of the `plain` page; the returned calls are what is timed. */
  prepareActions?(): Promise<Actions>;
  /** The elements that the interactive refs of a fresh snapshot stand for. */
  interactiveRefs?(): Promise<readonly RefTarget[]>;
  /** The page itself, for a measure that changes it. */
  browserPage?(): Promise<Page>;
  close(): Promise<void>;
}

export interface Actions {
  click(): Promise<unknown>;
  type(text: string): Promise<unknown>;
  select(label: string): Promise<unknown>;
}

export interface RefTarget {
  ref: string;
  role: string;
  /** Where the element is (see `pathKey`); undefined when the ref leads to none. */
  key: string | undefined;
}

export interface ToolSchema {
  name: string;
  description: string;
  inputSchema: unknown;
}

/** What a call of a stack answers when it worked; the bench goes on with nothing else. */
export function succeeded<T extends { success: boolean }>(result: T): Extract<T, { success: true }> {
  if (!result.success) throw new Error(`A call has failed: ${JSON.stringify(result)}`);
  return result as Extract<T, { success: true }>;
}
