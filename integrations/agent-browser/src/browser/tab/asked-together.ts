import type { CDPSession } from 'playwright-core';
import { z } from 'zod/v4';
import type { World } from './worlds.js';

interface Question {
  world: World;
  doc: string;
  text: string;
  answered(answer: Answer | undefined): void;
}

const answerSchema = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]);
/** Null for a document that the first one does not reach, or that would have come too late. */
const answersSchema = z.array(answerSchema.nullable());

/** What the engine of a document said, or threw. */
type Answer = z.output<typeof answerSchema>;

/** What one message takes at most: documents in it wait for each other, so that large ones wait for the next. */
const MOST = { questions: 16, milliseconds: 200, characters: 8_000_000 };

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
  const began = performance.now();
  let size = 0;
  return asked.map(([doc, question], index) => {
    const isFull = size > ${MOST.characters} || performance.now() - began > ${MOST.milliseconds};
    if (!engines.has(doc) || (isFull && index > 0)) return null;
    try {
      const text = String(engines.get(doc).tell(question));
      size += text.length;
      return { text };
    } catch (error) {
      return { error: String(error?.stack ?? error) };
    }
  });
}`;

/** Questions to the documents of one target that are asked at the same time go to it in one message. */
export class AskedTogether {
  #waiting: Question[] = [];

  constructor(readonly session: CDPSession) {}

  /**
   * The answer of the engine of a document; undefined when the question could not be brought to it this way.
   * @throws Error with the text of what the engine threw.
   */
  async ask(world: World, doc: string, text: string): Promise<string | undefined> {
    const answer = await new Promise<Answer | undefined>(answered => {
      this.#waiting.push({ world, doc, text, answered });
      // Whatever else is asked now is there by then.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#send());
    });
    if (answer !== undefined && 'error' in answer) throw new Error(answer.error);
    return answer?.text;
  }

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const groups = Map.groupBy(waiting, ({ world }) => world.reach);
    const unknown = groups.get(undefined) ?? [];
    groups.delete(undefined);
    // Most documents are of the page's own origin: those that nothing is known of try their luck there.
    const [most = [], ...others] = groups.values();
    for (const questions of [[...most, ...unknown], ...others])
      for (let first = 0; first < questions.length; first += MOST.questions)
        void this.#bring(questions.slice(first, first + MOST.questions));
  }

  async #bring([first, ...others]: readonly Question[]): Promise<void> {
    if (first === undefined) return;
    const questions = [first, ...others];
    const sent = this.session.send('Runtime.callFunctionOn', {
      functionDeclaration: TELL_ALL,
      arguments: [{ value: questions.map(({ doc, text }) => [doc, text]) }],
      uniqueContextId: first.world.uniqueId,
      returnByValue: true,
      userGesture: true,
    });
    const told = await sent.catch(() => undefined);
    const answers = answersSchema.safeParse(told?.result.value).data;
    first.world.reach ??= Symbol('reach');
    const beyond: Question[] = [];
    for (const [index, question] of questions.entries()) {
      const answer = answers?.[index] ?? undefined;
      if (answer === undefined && answers !== undefined && question !== first) beyond.push(question);
      else {
        if (answer !== undefined) question.world.reach ??= first.world.reach;
        question.answered(answer);
      }
    }
    if (beyond.length > 0) first.world.counts.isLate();
    await this.#bring(beyond);
  }
}
