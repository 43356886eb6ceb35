import { z } from 'zod/v4';
import { type ActionDefinition, defineAction } from './action.js';

/** The action that ends a run. `output` is what the caller wants to have as data. */
export function doneAction(output: z.ZodType | undefined): ActionDefinition {
  return defineAction({
    name: 'done',
    description:
      'End the task. text: the complete answer, with everything that was asked for; success: whether the whole task is done; files: names of files to hand over. It must be the only or last action of its step.',
    input: z.strictObject({
      text: z.string(),
      success: z.boolean(),
      ...(output !== undefined && { data: output.optional().describe('The result; required for success') }),
      files: z.array(z.string()).optional(),
    }),
    async run(
      { text, success, data, files = [] }: { text: string; success: boolean; data?: unknown; files?: string[] },
      context,
    ) {
      if (output !== undefined && success && data === undefined)
        throw new Error('done needs data when success is true.');
      const attachments = files.map(name => context.files.path(name));
      return {
        text,
        isDone: true,
        isOwn: true,
        success,
        ...(attachments.length > 0 && { attachments }),
        ...(data !== undefined && { metadata: { data } }),
      };
    },
  }) as ActionDefinition;
}
