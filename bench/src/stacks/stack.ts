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
  /** Finds the controls of the `framework` page. */
  prepareForm?(): Promise<FormActions>;
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

/**
 * Actions on controls by their accessible names, with the calls that a model would make. Each resolves to what the model reads
 * of it, which is nothing where the stack has no tools.
 */
export interface FormActions {
  click(name: string): Promise<string>;
  type(name: string, text: string): Promise<string>;
  /** The box stands the other way before. */
  check(name: string, isOn: boolean): Promise<string>;
  select(name: string, option: string): Promise<string>;
  press(key: string): Promise<string>;
  hover(name: string): Promise<string>;
  fill(fields: readonly FieldValue[]): Promise<string>;
  evaluate(expression: string): Promise<string>;
}

export interface FieldValue {
  kind: 'textbox' | 'checkbox' | 'combobox';
  name: string;
  /** A text, `true` or `false`, or an option. */
  value: string;
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
