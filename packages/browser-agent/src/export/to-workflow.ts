import { randomUUID } from 'node:crypto';
import type { BrowserToolsetLike } from '@browser-toolset/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod/v4';
import type { ActionDefinition } from '../actions/action.js';
import type { AgentHistory } from '../history/history.js';
import { recordedActions } from '../rerun/recorded-actions.js';
import { recordedContext } from '../rerun/recorded-context.js';
import { rerun } from '../rerun/rerun.js';
import { VariableTexts } from '../rerun/variables.js';

export interface ToWorkflowOptions {
  browser: BrowserToolsetLike<unknown>;
  /** Variables that are input of the workflow, by the names that `detectVariables` gives them; all when left out. */
  variables?: readonly string[];
  /** Own actions of the agent that the history is of, for those that it took. */
  actions?: readonly ActionDefinition[];
  /** @default 'recorded-task' */
  id?: string;
}

const workflowResult = z.object({
  steps: z.array(z.object({ step: z.number(), action: z.string(), success: z.boolean(), text: z.string() })),
});

/**
 * A recorded run as a Mastra workflow that needs no model: its input are the variables, each with what was recorded as its
 * default. Those that are not recorded are required. It fails with what was looked for and what was found, where an element cannot be told for sure.
 *
 * @throws For variables that the history does not have.
 */
export function toWorkflow(
  history: AgentHistory,
  { browser, variables, actions: own = [], id = 'recorded-task' }: ToWorkflowOptions,
) {
  const texts = new VariableTexts(history);
  const searchUrl = recordedActions(history).find(recorded => recorded.searchUrl !== undefined)?.searchUrl;
  texts.check(variables ?? []);
  const known = Object.values(texts.byName).filter(
    ({ name, value }) => value === undefined || (variables?.includes(name) ?? true),
  );
  const shape = Object.fromEntries(
    known.map(({ name, value, kind }) => [
      name,
      value === undefined
        ? z.string().min(1).describe('not recorded: its field masks it')
        : z.string().default(value).describe(`${kind} of the recorded run`),
    ]),
  );
  const inputSchema = z.object(shape);
  const step = createStep({
    id: 'take-recorded-actions',
    description: history.task,
    inputSchema,
    outputSchema: workflowResult,
    execute: async ({ inputData, runId, abortSignal }) => {
      const context = recordedContext({ browser, threadId: runId ?? randomUUID(), own, searchUrl });
      const given = inputData as Record<string, string>;
      const { success, steps, problem } = await rerun(history, context, { variables: given, signal: abortSignal });
      if (!success) throw new Error(problem);
      return {
        steps: steps.map(({ step: number, action, success: ok, text }) => ({
          step: number,
          action,
          success: ok,
          text,
        })),
      };
    },
  });
  return createWorkflow({ id, description: history.task, inputSchema, outputSchema: workflowResult })
    .then(step)
    .commit();
}
