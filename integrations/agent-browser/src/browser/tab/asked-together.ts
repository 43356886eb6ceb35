import { z } from 'zod/v4';
import type { World } from './worlds.js';

/** An engine that questions go to. */
export interface Addressee {
  world: World;
  doc: string;
  /** Documents of one place reach each other, as far as their origins tell. */
  place: string;
}

export interface Question {
  text: string;
  /** Its target is to tell something before the answer comes, so that no other target may bring it. */
  isForTarget: boolean;
}

interface Waiting extends Question {
  to: Addressee;
  answered(answer: Answer | undefined): void;
}

const answerSchema = z.union([z.object({ text: z.string() }), z.object({ error: z.string() })]);
const notAskedSchema = z.enum(['unreached', 'late']);
const answersSchema = z.array(z.union([answerSchema, notAskedSchema]));

/** What the engine of a document said, or threw. */
type Answer = z.output<typeof answerSchema>;

/** One message takes so many. */
const MOST_QUESTIONS = 16;

const TELL_ALL = 'function(asked) { return this.browserToolsetEngines.tellAll(asked) }';

/** Questions to the documents of one page that are asked at the same time go in one message where they reach each other. */
export class AskedTogether {
  #waiting: Waiting[] = [];

  /**
   * The answer of the engine of a document; undefined when the question could not be brought to it this way.
   * @throws Error with the text of what the engine threw.
   */
  async ask(to: Addressee, question: Question): Promise<string | undefined> {
    const answer = await new Promise<Answer | undefined>(answered => {
      this.#waiting.push({ ...question, to, answered });
      // Whatever else is asked now is there by then.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#send());
    });
    if (answer !== undefined && 'error' in answer) throw new Error(answer.error);
    return answer?.text;
  }

  /** The last one that is asked is looked at after all others of its target. */
  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const last = waiting.at(-1);
    if (last === undefined) return;
    const places = Map.groupBy(waiting, ({ to }) => to.place);
    const own = places.get(last.to.place) ?? [];
    places.delete(last.to.place);
    for (const questions of [...places.values(), own]) sendToPlace(questions);
  }
}

function sendToPlace(questions: readonly Waiting[]): void {
  const carrier = questions.findLast(({ isForTarget }) => isForTarget) ?? questions.at(-1);
  if (carrier === undefined) return;
  const { session } = carrier.to.world;
  const { ours = [], others = [] } = Object.groupBy(questions, ({ isForTarget, to }) =>
    isForTarget && to.world.session !== session ? 'others' : 'ours',
  );
  sendToPlace(others);
  for (let first = 0; first < ours.length; first += MOST_QUESTIONS)
    void bring(carrier.to, ours.slice(first, first + MOST_QUESTIONS));
}

/** @param carrier Whose engine passes the questions on. */
async function bring(carrier: Addressee, questions: readonly Waiting[]): Promise<void> {
  const { session, uniqueId } = carrier.world;
  const sent = session.send('Runtime.callFunctionOn', {
    functionDeclaration: TELL_ALL,
    arguments: [{ value: questions.map(({ to, text }) => [to.doc, text]) }],
    uniqueContextId: uniqueId,
    returnByValue: true,
  });
  const told = await sent.catch(() => undefined);
  const answers = answersSchema.safeParse(told?.result.value).data ?? [];
  for (const [index, { to, answered }] of questions.entries()) {
    const answer = answers[index];
    // It is gone, or stands apart, and is asked alone from now on.
    if (answer === 'unreached') to.place = `${to.place} ${to.doc}`;
    answered(typeof answer === 'object' ? answer : undefined);
  }
}
