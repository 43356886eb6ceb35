import type { CDPSession } from 'playwright-core';
import { z } from 'zod/v4';
import type { World } from './worlds.js';

interface Question {
  world: World;
  doc: string;
  text: string;
  answered(answer: Answer | null | undefined): void;
}

const answerSchema = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]);
const answersSchema = z.array(answerSchema.nullable());

/** What the engine of a document said, or threw. */
type Answer = z.output<typeof answerSchema>;

/**
 * What stands in one message at most: a document waits for those before it, and all of them for the largest.
 */
const MOST = 16;

/** A world has an object of its own in every document of its target, and reaches those of its origin through the windows. */
const TELL_ALL = `function(asked) {
  const isOpen = win => {
    try { return Object.hasOwn(win, 'document') } catch { return false }
  };
  const engines = new Map();
  const visit = win => {
    if (!isOpen(win)) return;
    if (Object.hasOwn(win, 'browserToolsetEngines'))
      for (const [doc, engine] of win.browserToolsetEngines) engines.set(doc, engine);
    for (let index = 0; index < win.length; index++) visit(win[index]);
  };
  let top = globalThis;
  while (top.parent !== top && isOpen(top.parent)) top = top.parent;
  visit(top);
  return asked.map(([doc, question]) => {
    try {
      return engines.has(doc) ? { text: engines.get(doc).tell(question) } : null;
    } catch (error) {
      return { error: error.stack };
    }
  });
}`;

/** Questions to the documents of one target that are asked at the same time go to it in one message. */
export class AskedTogether {
  #waiting: Question[] = [];

  constructor(readonly session: CDPSession) {}

  /**
   * The answer of the engine of a document; null when others of its target do not reach it, undefined when one went away
   * that was to pass the question on.
   * @throws Error with the text of what the engine threw.
   */
  async ask(world: World, doc: string, text: string): Promise<string | null | undefined> {
    const answer = await new Promise<Answer | null | undefined>(answered => {
      this.#waiting.push({ world, doc, text, answered });
      // Whatever else is asked now is there by then.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#send());
    });
    if (!answer) return answer;
    if ('error' in answer) throw new Error(answer.error);
    return answer.text;
  }

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const questions of Map.groupBy(waiting, ({ world }) => world.name).values())
      for (let first = 0; first < questions.length; first += MOST) this.#bring(questions.slice(first, first + MOST));
  }

  async #bring(questions: readonly Question[]): Promise<void> {
    const [first] = questions;
    const sent = this.session.send('Runtime.callFunctionOn', {
      functionDeclaration: TELL_ALL,
      arguments: [{ value: questions.map(({ doc, text }) => [doc, text]) }],
      uniqueContextId: first?.world.uniqueId,
      returnByValue: true,
      userGesture: true,
    });
    const told = await sent.catch(() => undefined);
    const answers = answersSchema.safeParse(told?.result.value).data;
    for (const [index, { answered }] of questions.entries()) answered(answers?.[index]);
  }
}
