import { randomUUID } from 'node:crypto';
import { ERROR_CODES } from '@browser-toolset/core';
import type {
  CallOptions,
  Generated,
  LanguageModel,
  Prompt,
  StreamPart,
  ToolResultOutput,
  Usage,
} from './model-interface.js';
import type { ScriptChoice, Step, TaskScript, ToolCall } from './task-script.js';
import { NotOnPageError, View } from './view.js';

interface Reading {
  readonly view: View;
  /** The ids of the calls that were answered since the task. */
  readonly answered: readonly string[];
  /** The tool's message, if the last step failed. */
  readonly failure: string | undefined;
}

type Message = Prompt[number];
type ToolResult = Extract<Extract<Message, { role: 'tool' }>['content'][number], { type: 'tool-result' }>;

/** Reads a prompt from its last task on. The model keeps no state, so that a conversation can go on after any restart. */
function readPrompt(prompt: Prompt): Reading {
  const start = prompt.findLastIndex(isTask);
  const results = prompt.slice(start + 1).flatMap(toolResults);
  const last = results.at(-1)?.output;
  return {
    view: new View(
      start < 0 ? '' : plainText(prompt[start]),
      results.map(result => outputText(result.output)),
    ),
    answered: results.map(result => result.toolCallId),
    failure: last && isFailure(last) ? outputText(last) : undefined,
  };
}

/** Mastra reports a browser's state as a user message too; that is not a task. */
function isTask(message: Message): boolean {
  return message.role === 'user' && !plainText(message).includes('<state');
}

function plainText(message: Message | undefined): string {
  if (message?.role !== 'user') return '';
  return message.content.map(part => (part.type === 'text' ? part.text : '')).join('\n');
}

function toolResults(message: Message): ToolResult[] {
  if (message.role !== 'tool') return [];
  return message.content.filter((part): part is ToolResult => part.type === 'tool-result');
}

function outputText(output: ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'content':
      return output.value.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n');
  }
}

/** Mastra's words to a model for a call that a person did not approve. */
const NOT_APPROVED = 'Tool call was not approved';

function isFailure(output: ToolResultOutput): boolean {
  if (output.type === 'error-text' || output.type === 'error-json') return true;
  if (output.type === 'json') return isFailureObject(output.value);
  const text = outputText(output);
  const [code = ''] = text.split(':', 1);
  return Object.hasOwn(ERROR_CODES, code) || text.startsWith(NOT_APPROVED);
}

function isFailureObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ('success' in value && value.success === false) || ('error' in value && value.error === true);
}

interface Turn {
  readonly text: string;
  readonly call?: ToolCall;
  readonly callId: string;
}

/**
 * A language model without a network: it follows a script, but knows of the page only what its prompt says, as any model
 * does. It implements Mastra's model interface, so an agent runs it like a real one.
 *
 * @example
 * new Agent({ id: 'shopper', name: 'Shopper', instructions: '', model: createScriptedModel(buyAMug), tools });
 */
export function createScriptedModel(script: TaskScript | ScriptChoice): LanguageModel {
  const choice = 'steps' in script ? { id: script.id, choose: () => script } : script;
  return {
    specificationVersion: 'v2',
    provider: 'scripted',
    modelId: choice.id,
    supportedUrls: {},
    doGenerate: async options => {
      const { turn, usage } = answerChoice(choice, options);
      return { content: contentOf(turn), finishReason: finishReason(turn), usage, warnings: [] };
    },
    doStream: async options => {
      const { turn, usage } = answerChoice(choice, options);
      return { stream: streamOf([...partsOf(turn), { type: 'finish', finishReason: finishReason(turn), usage }]) };
    },
  };
}

function answerChoice(choice: ScriptChoice, { prompt, abortSignal }: CallOptions): { turn: Turn; usage: Usage } {
  abortSignal?.throwIfAborted();
  const turn = decide(choice, prompt);
  const inputTokens = estimateTokens(JSON.stringify(prompt));
  const outputTokens = estimateTokens(turn.text + (turn.call ? JSON.stringify(turn.call) : ''));
  return { turn, usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens } };
}

function decide(choice: ScriptChoice, prompt: Prompt): Turn {
  const { view, answered, failure } = readPrompt(prompt);
  const script = choice.choose(view.task);
  // A thread can hold the same task twice; whoever keeps its calls by id must be able to tell them apart.
  const callId = `${script.id}-${answered.length + 1}-${randomUUID().slice(0, 8)}`;
  if (failure !== undefined) return { text: `I stop here: the last step failed. ${failure}`, callId };
  const step = script.steps[answered.filter(id => !isLook(id)).length];
  if (!step) return { text: 'I have nothing left to do.', callId };
  try {
    return modelTurnOf(step, view, callId);
  } catch (error) {
    if (!(error instanceof NotOnPageError)) throw error;
    const looked = isLook(answered.at(-1) ?? '');
    if (script.look && !looked) return modelTurnOf(script.look, view, callId + LOOK);
    return { text: `I stop here: I found ${error.message}.`, callId };
  }
}

function modelTurnOf({ say, call }: Step, view: View, callId: string): Turn {
  return { text: typeof say === 'string' ? say : say(view), callId, ...(call && { call: call(view) }) };
}

/** Marks a call that is no step of the script. It is kept in the prompt, so that the model need not keep it. */
const LOOK = '-look';

function isLook(callId: string): boolean {
  return callId.endsWith(LOOK);
}

function finishReason({ call }: Turn): Generated['finishReason'] {
  return call ? 'tool-calls' : 'stop';
}

function contentOf({ text, call, callId }: Turn): Generated['content'] {
  const content: Generated['content'] = [{ type: 'text', text }];
  if (call) content.push(toolCall(call, callId));
  return content;
}

function toolCall({ toolName, input }: ToolCall, callId: string) {
  return { type: 'tool-call' as const, toolCallId: callId, toolName, input: JSON.stringify(input) };
}

function partsOf({ text, call, callId: id }: Turn): StreamPart[] {
  const words = text.split(/(?<=\s)/);
  const parts: StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id },
    ...words.map(delta => ({ type: 'text-delta' as const, id, delta })),
    { type: 'text-end', id },
  ];
  if (!call) return parts;
  return [
    ...parts,
    { type: 'tool-input-start', id, toolName: call.toolName },
    { type: 'tool-input-delta', id, delta: JSON.stringify(call.input) },
    { type: 'tool-input-end', id },
    toolCall(call, id),
  ];
}

export function streamOf(parts: readonly StreamPart[]): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** About four characters a token: enough for figures that are shown, not billed. */
function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
