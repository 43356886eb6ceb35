import type { CallOptions, LanguageModel, Prompt } from './model-interface.js';
import { streamOf } from './scripted-model.js';
import type { ScriptChoice, Step, TaskScript } from './task-script.js';
import { NotOnPageError, View } from './view.js';

/**
 * A model for a `BrowserAgent` that follows a script, or the one that fits its task: at each step it answers with a whole answer, from what it was shown
 * in the message of that step. The page that a script opens first is open already.
 */
export function createScriptedAgentModel(script: TaskScript | ScriptChoice): LanguageModel {
  const choice = 'steps' in script ? { id: script.id, choose: () => script } : script;
  const answer = ({ prompt, abortSignal }: CallOptions): string => {
    abortSignal?.throwIfAborted();
    return JSON.stringify(answerTo(choice, prompt));
  };
  const usageOf = ({ prompt }: CallOptions, text: string) => {
    const [inputTokens, outputTokens] = [JSON.stringify(prompt), text].map(each => Math.ceil(each.length / 4));
    return { inputTokens, outputTokens, totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0) };
  };
  return {
    specificationVersion: 'v2',
    provider: 'scripted',
    modelId: choice.id,
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

function answerTo(choice: ScriptChoice, prompt: Prompt): object {
  const message = lastWords(prompt);
  const number = Number(/^Step (\d+) of/m.exec(message)?.[1] ?? 1);
  const view = viewOf(message);
  const script = choice.choose(view.task);
  const steps = script.steps[0]?.call === undefined ? script.steps : script.steps.slice(1);
  const step = steps[number - 1];
  const evaluation = evaluationOf(message, number);
  const frame = {
    evaluation,
    memory: [`Step ${number} of ${steps.length} of the script`, ...heard(message)].join('. '),
    ...(steps.length > 1 && {
      progress: listed(steps.slice(0, number - 1)),
      plan: listed(steps.slice(number - 1)),
    }),
  };
  const failure = lastFailure(message);
  if (failure !== undefined) return { ...frame, ...ends(`I stop here: the last step failed. ${failure}`, false) };
  if (step === undefined) return { ...frame, ...ends('I have nothing left to do.', false) };
  try {
    return { ...frame, ...turnOf(step, view) };
  } catch (error) {
    if (!(error instanceof NotOnPageError)) throw error;
    return {
      ...frame,
      evaluation: `Failed: ${error.message}`,
      ...ends(`I stop here: I found ${error.message}.`, false),
    };
  }
}

function turnOf({ say, call, isRefusal = false }: Step, view: View): object {
  const words = typeof say === 'string' ? say : say(view);
  if (call === undefined) return ends(words, !isRefusal);
  const { toolName, input } = call(view);
  return { nextGoal: words, actions: [{ [toolName.replace(/^browser_/, '')]: input }] };
}

function ends(text: string, success: boolean): object {
  return { nextGoal: 'End', actions: [{ done: { text, success } }] };
}

/** The page in the message, with the outcome of the last step, which stands in the history. */
function viewOf(message: string): View {
  const page = between(message, 'browser_state').replace(/^(\s*)\*/gm, '$1');
  const results = `${between(message, 'agent_history')}\n${between(message, 'read_state')}`;
  // A page that was read earlier is not the one that is open, and what was looked for is not what was found.
  const found = results.replace(/^page .*$/gm, '').replace(/^((?:Did|Failed): \w+) \{.*?\}: /gm, '$1: ');
  return new View(between(message, 'task'), [page, found]);
}

function evaluationOf(message: string, number: number): string {
  if (number === 1) return 'Unknown: nothing has been done yet';
  return lastFailure(message) === undefined
    ? 'Success: the page shows what was meant'
    : 'Failed: the last action did not do it';
}

/** Why the last action of the last step failed, if it did. */
function lastFailure(message: string): string | undefined {
  const [last = ''] = between(message, 'agent_history').split('<step ').slice(-1);
  const [result = ''] = last.match(/^(?:Did|Failed): .*$/gm)?.slice(-1) ?? [];
  return /^Failed: \w+ .*?\}: (.*)$/.exec(result)?.[1];
}

/** Words of the person that came since the last step. */
function heard(message: string): string[] {
  const said = [...between(message, 'agent_state').matchAll(/<person>(.*?)<\/person>/gs)];
  return said.map(([, words]) => `You said: “${words}”; a script cannot heed it`);
}

function listed(steps: readonly Step[]): string {
  const labels = steps.map(({ say, call }) => {
    if (typeof say === 'string') return say;
    return call === undefined ? 'Report the outcome.' : 'Continue with what the page shows.';
  });
  return labels.map(label => `- ${label}`).join('\n');
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
