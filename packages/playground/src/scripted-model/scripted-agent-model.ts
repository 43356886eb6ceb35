import type { CallOptions, LanguageModel, Prompt } from './model-interface.js';
import { streamOf } from './scripted-model.js';
import type { Step, TaskScript } from './task-script.js';
import { NotOnPageError, View } from './view.js';

/**
 * A model for a `BrowserAgent` that follows a script: at each step it answers with a whole answer, from what it was shown
 * in the message of that step. The page that a script opens first is open already.
 */
export function createScriptedAgentModel(script: TaskScript): LanguageModel {
  const answer = ({ prompt, abortSignal }: CallOptions): string => {
    abortSignal?.throwIfAborted();
    return JSON.stringify(answerTo(script, prompt));
  };
  const usageOf = ({ prompt }: CallOptions, text: string) => {
    const [inputTokens, outputTokens] = [JSON.stringify(prompt), text].map(each => Math.ceil(each.length / 4));
    return { inputTokens, outputTokens, totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0) };
  };
  return {
    specificationVersion: 'v2',
    provider: 'scripted',
    modelId: script.id,
    supportedUrls: {},
    doGenerate: async options => {
      const text = answer(options);
      return { content: [{ type: 'text', text }], finishReason: 'stop', usage: usageOf(options, text), warnings: [] };
    },
    doStream: async options => {
      const text = answer(options);
      const parts = [
        { type: 'stream-start' as const, warnings: [] },
        { type: 'text-start' as const, id: 'answer' },
        { type: 'text-delta' as const, id: 'answer', delta: text },
        { type: 'text-end' as const, id: 'answer' },
        { type: 'finish' as const, finishReason: 'stop' as const, usage: usageOf(options, text) },
      ];
      return { stream: streamOf(parts) };
    },
  };
}

function answerTo(script: TaskScript, prompt: Prompt): object {
  const message = lastWords(prompt);
  const number = Number(/^Step (\d+) of/m.exec(message)?.[1] ?? 1);
  const page = between(message, 'browser_state').replace(/^(\s*)\*/gm, '$1');
  const view = new View(between(message, 'task'), [page]);
  const steps = script.steps[0]?.call === undefined ? script.steps : script.steps.slice(1);
  const step = steps[number - 1];
  const evaluation = number === 1 ? 'Unknown: nothing was done yet' : 'Success: the page shows what was meant';
  const memory = `Step ${number} of ${steps.length} of the script`;
  const frame = { evaluation, memory, progress: `${number - 1} of ${steps.length} steps are done` };
  if (step === undefined)
    return { ...frame, nextGoal: 'End', actions: [{ done: { text: 'I have nothing left to do.', success: false } }] };
  try {
    return { ...frame, ...turnOf(step, view) };
  } catch (error) {
    if (!(error instanceof NotOnPageError)) throw error;
    const text = `I stop here: I found ${error.message}.`;
    return {
      ...frame,
      evaluation: `Failed: ${error.message}`,
      nextGoal: 'End',
      actions: [{ done: { text, success: false } }],
    };
  }
}

function turnOf({ say, call }: Step, view: View): object {
  const words = typeof say === 'string' ? say : say(view);
  if (call === undefined) return { nextGoal: 'End', actions: [{ done: { text: words, success: true } }] };
  const { toolName, input } = call(view);
  return { nextGoal: words, actions: [{ [toolName.replace(/^browser_/, '')]: input }] };
}

function lastWords(prompt: Prompt): string {
  const user = prompt.findLast(({ role }) => role === 'user');
  const content = user?.content ?? '';
  if (typeof content === 'string') return content;
  return content.flatMap(part => (part.type === 'text' ? part.text : [])).join('\n');
}

function between(message: string, tag: string): string {
  return new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(message)?.[1] ?? '';
}
