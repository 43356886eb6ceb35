import { randomUUID } from 'node:crypto';
import type { CallOptions, Generated, LanguageModel, Prompt, StreamPart, Usage } from './model-interface.js';
import { readPrompt } from './prompt-reading.js';
import type { ScriptChoice, Step, TaskScript, ToolCall } from './task-script.js';
import { NotOnPageError, type View } from './view.js';

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
      const { turn, usage } = answer(choice, options);
      return { content: contentOf(turn), finishReason: finishReason(turn), usage, warnings: [] };
    },
    doStream: async options => {
      const { turn, usage } = answer(choice, options);
      return { stream: streamOf([...partsOf(turn), { type: 'finish', finishReason: finishReason(turn), usage }]) };
    },
  };
}

function answer(choice: ScriptChoice, { prompt, abortSignal }: CallOptions): { turn: Turn; usage: Usage } {
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
    return turnOf(step, view, callId);
  } catch (error) {
    if (!(error instanceof NotOnPageError)) throw error;
    const looked = isLook(answered.at(-1) ?? '');
    if (script.look && !looked) return turnOf(script.look, view, callId + LOOK);
    return { text: `I stop here: I found ${error.message}.`, callId };
  }
}

function turnOf({ say, call }: Step, view: View, callId: string): Turn {
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
