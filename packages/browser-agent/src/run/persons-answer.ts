import { z } from 'zod/v4';
import type { Suspended } from '../browser/browser-tools.js';

const UNANSWERED = 'The user did not answer.';

const yes = z.union([z.literal(true), z.looseObject({ approved: z.literal(true) })]);
const words = z.union([
  z.string(),
  z.array(z.string()),
  z.looseObject({ answer: z.union([z.string(), z.array(z.string())]) }).transform(({ answer }) => answer),
]);

/** The words of a person that answer a question; undefined where they gave none. */
export function answerWords(answer: unknown): string | undefined {
  const { data } = words.safeParse(answer);
  return data === undefined ? undefined : [data].flat().join(', ');
}

/**
 * A person's answer as the call that waits for it takes it.
 *
 * Invariant: only an explicit yes approves. Whatever else comes back, such as the null of a prompt that was closed, is a no.
 */
export function personsDecision({ approval, question }: Suspended, answer: unknown): unknown {
  if (approval !== undefined) return { approved: yes.safeParse(answer).success };
  if (question !== undefined) return answerWords(answer) ?? UNANSWERED;
  return answer ?? UNANSWERED;
}
