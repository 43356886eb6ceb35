import { randomUUID } from 'node:crypto';
import {
  type ActionPreview,
  type AnyMastraTool,
  BrowserToolset,
  type BrowserToolsetConfig,
  type MastraTool,
  type PreviewOptions,
  type ToolId,
} from '@browser-toolset/agent-browser';
import { LOOK_CALL_ID } from '@browser-toolset/browser-agent';
import { createTool } from '@mastra/core/tools';
import { effectsOf } from '../demo/effects.js';
import { readingOf } from '../demo/model-output.js';
import { personActions } from '../demo/person-actions.js';
import { countTokens } from '../demo/tokens.js';
import { asError, asRecord } from '../demo/unknown-values.js';
import type { ActionDetail, CallPlace, CallPreview } from './api.js';
import { effectLabels, kindOf } from './call-kinds.js';
import { callWords, gistOf, type Input, type Known } from './call-words.js';
import { ElementNames, elementWords, type ThreadElements } from './element-names.js';

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

  /** What a call of the thread's agent is about to do; `show` scrolls to it, as `previewAction` does. */
  async describeCall(threadId: string, { tool, input }: DescribedCall, options?: PreviewOptions): Promise<CallPreview> {
    const given = asRecord(input);
    const isOurs = Object.hasOwn(this.tools, tool);
    const action = isOurs ? await this.previewAction(tool as ToolId, input, threadId, options) : undefined;
    const elements = this.#names.of(threadId);
    for (const { ref, value } of action?.fields ?? []) elements.learnValue(ref, value);
    const known = action === undefined ? elements : knownOf(action, elements);
    const { sentence, lines } = callWords(tool, given, known);
    const host = action?.url !== undefined && URL.canParse(action.url) ? new URL(action.url).host : '';
    const isPlaced = host !== '' && given.url === undefined;
    return {
      sentence: isPlaced ? `${sentence} on ${host}` : sentence,
      lines,
      effects: action === undefined ? [] : effectLabels(action),
      gist: gistOf(tool, given, known),
      places: action === undefined ? [] : placesOf(action, given),
      ...(action && { kind: kindOf(action, given.url) }),
    };
  }

  override getTools(): Record<string, AnyMastraTool> {
    return { ...this.#recorded };
  }
}

export interface DescribedCall {
  readonly tool: string;
  readonly input: unknown;
}

/** What the toolset knows of the elements of a call, and where it does not, what the agent has read of them. */
function knownOf({ elements, fields = [], element, dialog }: ActionPreview, read: ThreadElements): Known {
  return {
    elementOf(ref) {
      const found = elements.find(each => each.ref === ref);
      return found === undefined ? read.elementOf(ref) : elementWords(found);
    },
    shownValueOf: ref => fields.find(each => each.ref === ref)?.value,
    atPoint: element && elementWords(element),
    dialog: dialog?.message,
  };
}

/** In CSS pixels: the mark of a point. */
const POINT_SIZE = 24;

function placesOf({ elements }: ActionPreview, { from, to, ...input }: Input): CallPlace[] {
  const points = [input, from, to].map(asRecord).flatMap(({ x, y }) => {
    if (typeof x !== 'number' || typeof y !== 'number') return [];
    const box = { x: x - POINT_SIZE / 2, y: y - POINT_SIZE / 2, width: POINT_SIZE, height: POINT_SIZE };
    return [{ box }];
  });
  return [...elements.flatMap(({ ref, box }) => (box === undefined ? [] : [{ ref, box }])), ...points];
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
      const elements = names.of(ended.threadId);
      elements.learn(ended.text ?? '');
      elements.learnHidden(input, output);
      recorder.record({ ...ended, ...wordsIn(tool.id, input, elements) });
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
    ...wordsIn(tool, input, names.of(threadId)),
    input,
    pictures: [],
  };
}

function wordsIn(tool: string, input: unknown, known: Known): Pick<ActionDetail, 'gist' | 'words'> {
  const given = asRecord(input);
  return { gist: gistOf(tool, given, known), words: callWords(tool, given, known) };
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
    person: personActions(output),
  };
}

function failed(call: ActionDetail, { message }: Error): ActionDetail {
  const milliseconds = Date.now() - call.startedAt;
  const effects = [{ kind: 'failed' as const, text: message }];
  return { ...call, status: 'failed', milliseconds, text: message, tokens: countTokens(message), effects };
}
