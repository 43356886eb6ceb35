import type { ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { CommonResult } from '../outcome/result.js';

export type Prompt = ProcessLLMRequestArgs['prompt'];
export type Message = Prompt[number];
export type ToolResultPart = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>;

/** A result of any tool, as far as it is read here. */
export type RawResult = Partial<CommonResult> & {
  tree?: string;
  element?: { role: string; name: string };
  path?: string;
};

/** A call as Mastra stores it: what the tool was given, what it returned, and when. */
export interface StoredCall {
  args: Record<string, unknown>;
  result?: RawResult;
  /** Milliseconds since 1970. */
  at?: number;
}

/** The facts of a tool that decide what to keep of its results. */
export interface PromptTool {
  id: string;
  readOnly: boolean;
}

/**
 * `view`: the page as a whole. `more`: the rest of a view. `reading`: what the agent asked of the page.
 * `change`: what an action did to it.
 */
type ResultKind = 'view' | 'more' | 'reading' | 'change';

/** A result of a browser tool that stands in a prompt. */
export interface PastResult {
  part: ToolResultPart;
  tool: PromptTool;
  kind: ResultKind;
  stored: StoredCall | undefined;
  /** Results with the same number came at once. */
  step: number;
  hasPicture: boolean;
}

/** The results of browser tools in a prompt, in their order. */
export function pastResults(
  prompt: Prompt,
  toolOf: (name: string) => PromptTool | undefined,
  stored: ReadonlyMap<string, StoredCall>,
): PastResult[] {
  let step = 0;
  return prompt.flatMap(message => {
    if (message.role !== 'tool') {
      step++;
      return [];
    }
    return message.content.flatMap(part => {
      const tool = part.type === 'tool-result' ? toolOf(part.toolName) : undefined;
      if (tool === undefined || part.type !== 'tool-result') return [];
      const call = stored.get(part.toolCallId);
      return [{ part, tool, kind: kindOf(tool, call), stored: call, step, hasPicture: hasPicture(part) }];
    });
  });
}

/** The calls that a message list holds, by id. */
export function storedCalls(messages: readonly { content: unknown; createdAt?: unknown }[]): Map<string, StoredCall> {
  const calls = new Map<string, StoredCall>();
  for (const { content, createdAt } of messages) {
    const began = createdAt instanceof Date ? createdAt.getTime() : undefined;
    let open: StoredCall[] = [];
    for (const part of partsOf(content)) {
      const { toolInvocation: invocation, createdAt: at } = part;
      if (invocation?.toolCallId !== undefined) {
        const call: StoredCall = { args: invocation.args ?? {}, result: invocation.result, at: began };
        calls.set(invocation.toolCallId, call);
        open.push(call);
      } else if (typeof at === 'number') {
        // A call has no time of its own in Mastra's messages; what follows it has.
        for (const call of open) call.at = at;
        open = [];
      }
    }
  }
  return calls;
}

interface StoredPart {
  createdAt?: unknown;
  toolInvocation?: { toolCallId?: string; args?: Record<string, unknown>; result?: RawResult };
}

function partsOf(content: unknown): StoredPart[] {
  const { parts } = (typeof content === 'object' && content !== null ? content : {}) as { parts?: unknown };
  return Array.isArray(parts) ? (parts as StoredPart[]) : [];
}

function kindOf({ id, readOnly }: PromptTool, call: StoredCall | undefined): ResultKind {
  if (id === 'browser_snapshot') {
    const { next, ref, scope, diff } = call?.args ?? {};
    if (next !== undefined) return 'more';
    if (diff === true) return 'change';
    return ref === undefined && (scope === undefined || scope === 'page') ? 'view' : 'reading';
  }
  if (call?.result?.wholePage) return 'view';
  return readOnly ? 'reading' : 'change';
}

function hasPicture({ output }: ToolResultPart): boolean {
  return output.type === 'content' && output.value.some(({ type }) => type !== 'text');
}
