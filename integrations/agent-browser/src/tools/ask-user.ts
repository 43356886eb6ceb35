import { randomUUID } from 'node:crypto';
import { z } from 'zod/v4';
import { SUSPENDED } from '../call/action.js';
import { defineTool } from '../call/define.js';
import { humanActionsField } from '../results/effects.js';
import { ToolError } from '../results/errors.js';

const answerOption = z.strictObject({
  label: z.string().min(1).max(200),
  description: z.string().max(1000).optional(),
});
const question = {
  question: z.string().min(1).max(5000),
  options: z.array(answerOption).max(20).optional(),
  selectionMode: z.enum(['single_select', 'multi_select']).optional(),
};

/** Mastra's Studio sends a string, or the labels of the chosen options. */
const resumeSchema = z.union(
  [z.string(), z.array(z.string()), z.object({ answer: z.union([z.string(), z.array(z.string())]).optional() })],
  { error: 'expected a string, a list of strings, or { answer }' },
);

/** The answer if a person did what was requested without writing anything. */
const DONE = 'Done';

export const askUser = defineTool({
  id: 'ask_user',
  description:
    'Ask the user a question, or ask them to do something in the browser (such as log in), and wait for the answer.',
  input: z
    .strictObject(question)
    .refine(({ selectionMode, options }) => selectionMode === undefined || options !== undefined, {
      path: ['selectionMode'],
      message: 'needs options',
    }),
  output: {
    answer: z.string().optional(),
    // The field that Mastra's Studio shows.
    content: z.string().optional(),
    isError: z.boolean().optional(),
    humanActions: humanActionsField.optional(),
  },
  policy: { needsTab: false, worksInDialog: true, watches: true, optIn: true, trustedOutput: true },
  risk: 'none',
  enters: 'nothing',
  suspends: { suspendSchema: z.object(question), resumeSchema },
  async runWithoutTab({ session: { person }, run = {} }, { question, options, selectionMode }) {
    const id = run.toolCallId ?? run.id ?? randomUUID();
    if (run.resumeData !== undefined && run.resumeData !== null) {
      const answer = answerOf(run.resumeData);
      const humanActions = await person.answered(id);
      return { answer, content: `User answered: ${answer}`, isError: false, ...(humanActions && { humanActions }) };
    }
    if (run.suspend === undefined) {
      throw new ToolError(
        'browser_error',
        'Nobody can be asked: only an agent or workflow run can wait for an answer.',
        { hint: 'Ask in your answer instead.', canRetry: false },
      );
    }
    const choices = options?.map(({ label, description }) => ({ label, ...(description && { description }) }));
    await person.asks({ id, question, options: choices, runId: run.id, runThread: run.threadId });
    // The call ends here. If its run is aborted later, the question is withdrawn.
    run.signal?.addEventListener('abort', () => person.withdraw(id), { once: true });
    const mode = choices && (selectionMode ?? 'single_select');
    await run.suspend({ question, ...(choices && { options: choices, selectionMode: mode }) });
    return SUSPENDED;
  },
  headline: ({ answer }) => (answer === undefined ? 'Waiting for an answer.' : `The user answered: ${answer}`),
});

function answerOf(resumeData: unknown): string {
  const data = resumeSchema.safeParse(resumeData).data ?? 'The user did not answer.';
  const answer = typeof data === 'string' || Array.isArray(data) ? data : (data.answer ?? DONE);
  return [answer].flat().join(', ');
}
