import type { MastraModelConfig } from '@mastra/core/llm';
import { toStandardSchema } from '@mastra/core/schema';
import { plainMessage, ToolError } from '../../outcome/errors.js';
import type { Action } from '../call/action.js';

export type JsonSchema = Record<string, unknown>;

/** A question to a model. */
export interface Question {
  instructions: string;
  prompt: string;
  /** The schema of the answer. */
  schema: JsonSchema;
}

/** Asks the model that the options name, else that of the agent which calls, for an answer that fits a schema. */
export async function askModel(action: Action, { instructions, prompt, schema }: Question): Promise<unknown> {
  const model = await modelFor(action);
  const [{ Agent }, { noopLogger }] = await Promise.all([import('@mastra/core/agent'), import('@mastra/core/logger')]);
  const reader = new Agent({ id: 'browser-extract', name: 'Browser extract', instructions, model });
  // It would log what the page says; what matters of an error is in the result.
  reader.__setLogger(noopLogger);
  try {
    const { object } = await reader.generate(prompt, {
      structuredOutput: { schema: toStandardSchema(schema) },
      abortSignal: action.signal,
    });
    return object;
  } catch (cause) {
    if (action.signal.aborted) throw cause;
    throw new ToolError('browser_error', `The model gave no answer that fits the schema: ${plainMessage(cause)}`, {
      hint: 'Try a simpler schema, a clearer instruction, or a ref.',
      cause,
    });
  }
}

async function modelFor({ session, run }: Action): Promise<MastraModelConfig> {
  const { model } = session.owner.config.extract;
  const found = model ?? (await run?.model?.());
  if (found !== undefined) return found;
  throw new ToolError(
    'browser_error',
    'There is no model to extract with: set the option extract: { model }, or call the tool from an agent that has the toolset in its `browser` slot, has its getInputProcessors(), or is known to a Mastra instance.',
    { hint: 'Use browser_read instead.', canRetry: false },
  );
}
