import type { AgentHistory } from '@browser-toolset/browser-agent';
import { createScriptedAgentModel, type TaskScript } from '@browser-toolset/playground/dist/scripted-model/index.js';
import type { FaultFindings } from '../results.ts';
import { cut, type Given, invalid, type MeantAnswer, mistypes, thinks } from './faulty-answers.ts';

type Model = ReturnType<typeof createScriptedAgentModel>;
type Call = Parameters<Model['doGenerate']>[0];
type Prompt = Call['prompt'];
type StreamPart = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;

/**
 * What comes instead of an answer, by the number of the question: one in five is invalid. No more than two in a row are of
 * no use even to who understands none of them; three end a run.
 */
const FAULTS = [
  'invalid',
  undefined,
  'thinks',
  'rate limit',
  undefined,
  'invalid',
  'cut',
  undefined,
  'mistyped',
  'server error',
  'invalid',
  undefined,
  'thinks',
  undefined,
  'cut',
  'invalid',
  undefined,
  'mistyped',
  'broken stream',
  undefined,
] as const;
export type Fault = NonNullable<(typeof FAULTS)[number]>;

/** A provider's failure, as Mastra hands it on. */
class ProviderError extends Error {
  readonly responseHeaders = { 'retry-after-ms': '10' };
  readonly statusCode: number;

  constructor(statusCode: number) {
    super(`The provider answers with ${statusCode}.`);
    this.statusCode = statusCode;
  }
}

/** A scripted model that errs as real ones and their providers do, and knows what it meant. */
export class FaultyModel {
  readonly model: Model;
  readonly #counts = new Map<Fault, number>();
  /** The actions that were meant, by the step of the loop. */
  readonly #meant = new Map<number, MeantAnswer['actions']>();
  /** Steps of the loop that no answer was taken at: the script has not moved on. */
  readonly #lost = new Set<number>();
  readonly #offset: number;
  #questions = 0;

  constructor(script: TaskScript, repeat: number) {
    this.#offset = hash(`${script.id} ${repeat}`);
    const inner = createScriptedAgentModel(script);
    this.model = {
      ...inner,
      doGenerate: async call => {
        const { given, meant } = await this.#answer(inner, call);
        if (given === 'breaks') throw new TypeError('terminated');
        const { text, finishReason } = given;
        return { ...meant, content: [{ type: 'text', text }], finishReason };
      },
      doStream: async call => {
        const { given, meant } = await this.#answer(inner, call);
        return { stream: given === 'breaks' ? broken(textOf(meant.content)) : streamed(given, meant.usage) };
      },
    };
  }

  /** What a run made of the faults, by what it recorded. */
  findings(record: unknown, passed: boolean): FaultFindings {
    // A run that took too long leaves no history.
    const { steps = [], success = false } = record as Partial<AgentHistory>;
    const wrong = steps.flatMap(({ step, results }) => {
      const meant = this.#meant.get(step);
      if (meant === undefined) return [];
      return results.flatMap(({ action, input }, i) => {
        const did = JSON.stringify({ [action]: input });
        return did === JSON.stringify(meant[i]) ? [] : `step ${step}: ${did} instead of ${JSON.stringify(meant[i])}`;
      });
    });
    const counts = Object.fromEntries(this.#counts);
    return { counts, lostSteps: this.#lost.size, falseSuccess: success && !passed, wrong };
  }

  async #answer(inner: Model, call: Call) {
    const message = lastWords(call.prompt);
    const step = Number(/^Step (\d+) of/m.exec(message)?.[1] ?? 1);
    if (new RegExp(`<step ${step - 1}>(?:(?!</step>)[\\s\\S])*\\nThis step failed: `).test(message))
      this.#lost.add(step - 1);
    const place = step - [...this.#lost].filter(lost => lost < step).length;
    const meant = await inner.doGenerate({ ...call, prompt: withStep(call.prompt, place) });
    const answer = JSON.parse(textOf(meant.content)) as MeantAnswer;
    this.#meant.set(step, answer.actions);
    const question = this.#offset + this.#questions++;
    return { meant, given: this.#given(answer, { question, message }) };
  }

  #given(answer: MeantAnswer, { question, message }: { question: number; message: string }): Given | 'breaks' {
    const fault = FAULTS[question % FAULTS.length];
    if (fault === undefined) return { text: JSON.stringify(answer), finishReason: 'stop' };
    this.#counts.set(fault, (this.#counts.get(fault) ?? 0) + 1);
    const seed = hash(`${fault} ${question}`);
    const page = message.slice(message.lastIndexOf('<browser_state>'));
    switch (fault) {
      case 'invalid':
        return invalid(answer, seed);
      case 'thinks':
        return thinks(answer, { seed, page });
      case 'cut':
        return cut(answer, seed);
      case 'mistyped':
        return mistypes(answer, seed);
      case 'rate limit':
        throw new ProviderError(429);
      case 'server error':
        throw new ProviderError(500);
      case 'broken stream':
        return 'breaks';
    }
  }
}

/** FNV-1a: the same faults in each eval, and others in each task. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value >>> 8;
}

function textOf(content: readonly { type: string; text?: unknown }[]): string {
  return content.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

function lastWords(prompt: Prompt): string {
  const user = prompt.findLast(({ role }) => role === 'user');
  return typeof user?.content === 'object' ? textOf(user.content) : '';
}

/** The script goes by the number of the step: steps that were lost do not count. */
function withStep(prompt: Prompt, place: number): Prompt {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  return prompt.map((message, i) => {
    if (i !== at || message.role !== 'user') return message;
    const content = message.content.map(part =>
      part.type === 'text' ? { ...part, text: part.text.replace(/^Step \d+ of/m, `Step ${place} of`) } : part,
    );
    return { ...message, content };
  });
}

type Usage = Awaited<ReturnType<Model['doGenerate']>>['usage'];

function streamed({ text, finishReason }: Given, usage: Usage): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of opening(text)) controller.enqueue(part);
      controller.enqueue({ type: 'text-end', id: 'answer' });
      controller.enqueue({ type: 'finish', finishReason, usage });
      controller.close();
    },
  });
}

/** Half of the answer, then the connection is gone. */
function broken(text: string): ReadableStream<StreamPart> {
  const parts = opening(text.slice(0, text.length / 2));
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      // An error drops what was not read yet.
      if (part === undefined) controller.error(new TypeError('terminated'));
      else controller.enqueue(part);
    },
  });
}

function opening(delta: string): StreamPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 'answer' },
    { type: 'text-delta', id: 'answer', delta },
  ];
}
