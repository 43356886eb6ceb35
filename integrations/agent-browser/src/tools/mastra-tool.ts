import { readFile } from 'node:fs/promises';
import { createTool, isValidationError, type Tool } from '@mastra/core/tools';
import { z } from 'zod/v4';
import type { Session } from '../browser/session.js';
import type { Sessions } from '../browser/sessions.js';
import type { ResolvedConfig, SessionKeyContext } from '../config.js';
import { ToolError } from '../outcome/errors.js';
import { type CommonResult, commonFields } from '../outcome/result.js';
import { resultText } from '../outcome/to-model.js';
import type { ToolDefinition } from './define.js';
import { failure, runTool } from './run.js';
import { sessionKeyOf } from './session-key.js';

/** A tool as Mastra's agents, workflows and MCP servers take it. */
export type MastraTool = Tool<unknown, unknown>;

/** Whose sessions a tool acts on. */
export interface ToolOwner {
  readonly options: ResolvedConfig;
  readonly sessions: Sessions;
}

/** A failed step of a workflow: thrown, so that the step fails and its `retries` apply. */
export class BrowserStepError extends Error {
  override readonly name = 'BrowserStepError';

  constructor(readonly result: CommonResult) {
    super(`${result.code}: ${result.message}`);
  }
}

/** What Mastra hands to a tool, as far as tools read it. */
type ExecutionContext = SessionKeyContext & { abortSignal?: AbortSignal };

/** Wraps a definition for Mastra. */
export function toMastraTool(definition: ToolDefinition, owner: ToolOwner): MastraTool {
  const tool = createTool({
    id: definition.id,
    description: definition.description,
    inputSchema: definition.input,
    outputSchema: z.object({ ...commonFields, ...definition.output }),
    mcp: {
      annotations: {
        readOnlyHint: definition.policy.readOnly ?? false,
        destructiveHint: definition.policy.readOnly !== true,
        openWorldHint: true,
      },
    },
    execute: async (input: unknown, context: unknown) =>
      execute(definition, owner, { input, context: context as ExecutionContext }),
    toModelOutput: (output: unknown) => toModelOutput(definition, output as CommonResult),
  }) as unknown as MastraTool;
  return withInvalidInput(tool);
}

async function execute(
  definition: ToolDefinition,
  owner: ToolOwner,
  call: { input: unknown; context?: ExecutionContext },
): Promise<CommonResult> {
  const { input, context } = call;
  const session: Session = owner.sessions.get(sessionKeyOf(context, owner.options.sessionKey));
  const result = await runTool(definition, input, { sessions: owner.sessions, session, signal: context?.abortSignal });
  // In an agent a failure is read; a step that failed must not count as done.
  if (!result.success && context?.workflow !== undefined) throw new BrowserStepError(result);
  return result;
}

/** Mastra validates before a tool runs and answers in a shape of its own; ours is added to it, so that all failures look alike. */
function withInvalidInput(tool: MastraTool): MastraTool {
  const { execute: validated } = tool;
  if (validated === undefined) return tool;
  tool.execute = (async (...args: Parameters<typeof validated>) => {
    const result: unknown = await validated(...args);
    return isValidationError(result)
      ? { ...result, ...failure(new ToolError('invalid_input', result.message)) }
      : result;
  }) as typeof validated;
  return tool;
}

type ModelPart = { type: 'text'; text: string } | { type: 'media'; mediaType: string; data: string };

async function toModelOutput(
  definition: ToolDefinition,
  result: CommonResult & { path?: string; mimeType?: string },
): Promise<unknown> {
  const text = resultText(result, result.success ? definition.headline(result) : '');
  if (!result.success || result.mimeType === undefined || result.path === undefined)
    return { type: 'text', value: text };
  const value: ModelPart[] = [
    { type: 'text', text },
    { type: 'media', mediaType: result.mimeType, data: await readFile(result.path, 'base64') },
  ];
  return { type: 'content', value };
}
