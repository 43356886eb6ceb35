import { randomUUID } from 'node:crypto';
import {
  type AnyMastraTool,
  BrowserToolset,
  type BrowserToolsetConfig,
  type MastraTool,
  type ToolId,
} from '@browser-toolset/agent-browser';
import { LOOK_CALL_ID } from '@browser-toolset/browser-agent';
import { createTool } from '@mastra/core/tools';
import { effectsOf } from '../demo/effects.js';
import { readingOf } from '../demo/model-output.js';
import { personDeeds } from '../demo/person-deeds.js';
import { countTokens } from '../demo/tokens.js';
import { asError, asRecord } from '../demo/unknown-values.js';
import type { ActionDetail, CallPreview } from './api.js';
import { approvalSentence, effectLabels } from './approval-sentence.js';
import { ElementNames } from './element-names.js';

/** The facts of a call in Mastra's execution context that the record needs. */
interface RecordedCall {
  readonly agent?: { readonly threadId?: string; readonly toolCallId?: string };
  readonly requestContext?: { get(key: string): unknown };
}

export interface Recorder {
  /** Told when a call starts, and again when it has ended. */
  record(action: ActionDetail): void;
}

/** Where a caller that is no agent leaves the id that its call shall have, in Mastra's request context. */
export const CALL_ID = 'playground__callId';

/** The toolset as an agent's `browser`, with each call of its tools on record, whoever makes it. */
export class RecordedToolset extends BrowserToolset {
  readonly #recorded: Record<string, AnyMastraTool>;
  readonly #names = new ElementNames();

  constructor(config: BrowserToolsetConfig, recorder: Recorder) {
    super(config);
    const tools = Object.values(this.tools) as unknown as MastraTool[];
    this.#recorded = Object.fromEntries(
      tools.map(tool => [tool.id, recorded(tool, recorder, this.#names) as unknown as AnyMastraTool]),
    );
  }

  /** What a call of the thread's agent is about to do. */
  async describeCall(threadId: string, { tool, input }: { tool: string; input: unknown }): Promise<CallPreview> {
    const given = asRecord(input);
    const gist = this.#names.gist(threadId, given);
    const isOurs = Object.hasOwn(this.tools, tool);
    const action = isOurs ? await this.previewAction(tool as ToolId, input, threadId) : undefined;
    return {
      sentence: approvalSentence(tool, given, { gist, action }),
      effects: effectLabels(action),
      gist,
      ...(action?.box && { box: action.box }),
    };
  }

  override getTools(): Record<string, AnyMastraTool> {
    return { ...this.#recorded };
  }
}

function recorded(tool: MastraTool, recorder: Recorder, names: ElementNames): MastraTool {
  const { id, description, inputSchema, outputSchema, suspendSchema, resumeSchema, requireApproval, mcp } = tool;
  const execute = async (input: unknown, context: unknown) => {
    // The browser agent's own look before each step is no action.
    if ((context as RecordedCall | undefined)?.agent?.toolCallId === LOOK_CALL_ID)
      return tool.execute(input, context as never);
    const call = begin(tool, input, context as RecordedCall | undefined, names);
    recorder.record(call);
    try {
      const output = await tool.execute(input, context as never);
      const ended = await finish(call, tool, output);
      names.learn(ended.threadId, ended.text ?? '');
      recorder.record(ended);
      return output;
    } catch (error) {
      recorder.record(failed(call, asError(error)));
      throw error;
    }
  };
  return createTool({
    id,
    description,
    inputSchema,
    outputSchema,
    suspendSchema,
    resumeSchema,
    requireApproval,
    mcp,
    toModelOutput: tool.toModelOutput,
    execute,
  } as never) as unknown as MastraTool;
}

function begin(
  { id: tool, mcp }: MastraTool,
  input: unknown,
  context: RecordedCall | undefined,
  names: ElementNames,
): ActionDetail {
  const told = (key: string) => {
    const value = context?.requestContext?.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const threadId = context?.agent?.threadId ?? told('mastra__threadId') ?? 'default';
  return {
    id: context?.agent?.toolCallId ?? told(CALL_ID) ?? randomUUID(),
    threadId,
    tool,
    by: context?.agent ? 'agent' : 'hand',
    isReadOnly: mcp?.annotations?.readOnlyHint ?? false,
    status: 'running',
    startedAt: Date.now(),
    effects: [],
    gist: names.gist(threadId, asRecord(input)),
    input,
    pictures: [],
  };
}

async function finish(call: ActionDetail, tool: MastraTool, output: unknown): Promise<ActionDetail> {
  const milliseconds = Date.now() - call.startedAt;
  // A tool that suspends its run returns nothing; it is called again with the answer.
  if (output === undefined) return { ...call, status: 'waiting', milliseconds };
  const { read: text, pictures } = readingOf(await tool.toModelOutput?.(output), output);
  const status = asRecord(output).success === false ? 'failed' : 'done';
  return {
    ...call,
    status,
    milliseconds,
    output,
    text,
    pictures,
    tokens: countTokens(text),
    effects: effectsOf(output),
    person: personDeeds(output),
  };
}

function failed(call: ActionDetail, { message }: Error): ActionDetail {
  const milliseconds = Date.now() - call.startedAt;
  const effects = [{ kind: 'failed' as const, text: message }];
  return { ...call, status: 'failed', milliseconds, text: message, tokens: countTokens(message), effects };
}
