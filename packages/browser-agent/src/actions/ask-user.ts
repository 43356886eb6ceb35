import { z } from 'zod/v4';
import { type ActionDefinition, defineAction } from './action.js';

const answered = z.union([
  z.string(),
  z.array(z.string()),
  z.looseObject({ answer: z.union([z.string(), z.array(z.string())]) }),
]);

/** Asks the person whose task it is; for toolsets without a tool of that name. */
export const askUser = defineAction({
  name: 'ask_user',
  description:
    'Ask the user a question, or ask them to do something in the browser (such as log in), and wait for the answer.',
  input: z.strictObject({
    question: z.string().min(1).max(5_000),
    options: z
      .array(z.strictObject({ label: z.string() }))
      .max(20)
      .optional(),
  }),
  async run({ question, options }, { resumeData }) {
    if (resumeData === undefined) return { suspended: { question, ...(options && { options }) } };
    const data = answered.parse(resumeData);
    const answer = [typeof data === 'string' || Array.isArray(data) ? data : data.answer].flat().join(', ');
    const longTermMemory = `Asked ${JSON.stringify(question)}: ${answer}`;
    return { text: `The user answered: ${answer}`, longTermMemory, isOwn: true };
  },
}) as ActionDefinition;
