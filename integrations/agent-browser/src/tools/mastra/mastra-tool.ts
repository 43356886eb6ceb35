import type { MastraModelConfig } from '@mastra/core/llm';
import type { Mastra } from '@mastra/core/mastra';
import type { RequestContext } from '@mastra/core/request-context';
import { createTool, isValidationError, type Tool, type ToolExecutionContext } from '@mastra/core/tools';
import { z } from 'zod/v4';
import type { Sessions } from '../../browser/sessions.js';
import type { ResolvedConfig, SessionKeyContext } from '../../config.js';
import type { ParentSpan } from '../../observe/span.js';
import { ToolError } from '../../outcome/errors.js';
import { type CommonResult, commonFields } from '../../outcome/result.js';
import { modelOutput } from '../../outcome/to-model.js';
import { BOUNDARY_NOTE } from '../../policy/untrusted.js';
import type { Approvals } from '../call/approvals.js';
import { type Run, SUSPENDED } from '../call/calling-run.js';
import { failure } from '../call/failure.js';
import { runTool } from '../call/run.js';
import type { InputOf, ResultOf } from '../call/session-actions.js';
import { sessionKeyOf } from '../call/session-key.js';
import type { ToolDefinition, ToolInput } from '../define.js';
import type { ToolId } from '../index.js';
import type { AgentModels } from './agent-models.js';
import { modelSchema } from './model-schema.js';

type Execute<Input, Result> = (input: Input, context?: Partial<ToolExecutionContext>) => Promise<Result>;

/** A tool as Mastra's agents, workflows and MCP servers take it. `execute` can be called without a context. */
export type MastraTool<Input = unknown, Result = unknown, Id extends string = string> = {
  execute: Execute<Input, Result>;
} & Tool<Input, Result, unknown, unknown, ToolExecutionContext<unknown, unknown>, Id>;

/** The tools by id. Those that the option `tools` leaves out are not there. */
export type MastraTools = { readonly [Id in ToolId]: MastraTool<InputOf<Id>, ResultOf<Id>, Id> };

/** Any of the tools. */
export type AnyMastraTool = MastraTools[ToolId];

/** Whose sessions a tool acts on. */
export interface ToolOwner {
  readonly options: ResolvedConfig;
  readonly sessions: Sessions;
  /** Where a person has to approve some actions. */
  readonly approvals?: Approvals;
  readonly models: AgentModels;
}

/** A failed step of a workflow: thrown, so that the step fails and its `retries` apply. */
export class BrowserStepError extends Error {
  override readonly name = 'BrowserStepError';

  constructor(readonly result: CommonResult) {
    super(`${result.code}: ${result.message}`);
  }
}

/** The fields of Mastra's execution context that tools read. */
type ExecutionContext = SessionKeyContext &
  Pick<Run, 'suspend' | 'resumeData'> & {
    abortSignal?: AbortSignal;
    runId?: string;
    tracingContext?: { currentSpan?: ParentSpan };
    agent?: Pick<Run, 'toolCallId' | 'suspend' | 'resumeData'>;
    mastra?: Pick<Mastra, 'getAgentById'>;
    requestContext?: RequestContext;
    workflow?: Pick<Run, 'suspend' | 'resumeData'>;
  };

/** How Mastra reports input that does not fit (`isValidationError` of `@mastra/core/tools`). */
const validationFields = {
  error: z.literal(true).optional(),
  validationErrors: z.looseObject({ errors: z.array(z.string()) }).optional(),
};

/** Wraps a definition for Mastra. */
export function toMastraTool(definition: ToolDefinition, owner: ToolOwner): MastraTool {
  const { id, policy, suspends } = definition;
  const description = describe(definition, owner);
  const run = checkedByMastra(definition, owner);
  return createTool({
    id,
    description,
    inputSchema: modelSchema(definition.input),
    outputSchema: z.object({ ...commonFields, ...definition.output, ...validationFields }),
    ...(suspends ?? (owner.approvals && approvalSchemas)),
    ...(owner.approvals && { requireApproval: approvalGate(definition, owner, owner.approvals) }),
    mcp: {
      annotations: {
        readOnlyHint: policy.readOnly ?? false,
        destructiveHint: policy.readOnly !== true,
        openWorldHint: true,
      },
    },
    execute: async (input: unknown, context: unknown) => {
      const result = await run(input, context);
      if (result === SUSPENDED) return undefined;
      // In an agent a failure is read; a step that failed must not count as done.
      if (!result.success && (context as ExecutionContext).workflow !== undefined) throw new BrowserStepError(result);
      return result;
    },
    toModelOutput: (output: unknown) => modelOutput(definition, output as CommonResult),
  }) as unknown as MastraTool;
}

/** A model can only name the secrets that it knows of, and tell a page's words apart by boundaries that it knows of. */
function describe({ description, policy }: ToolDefinition, { sessions }: ToolOwner): string {
  const { secrets } = sessions.context;
  if (policy.tellsOfBoundaries) return `${description} ${BOUNDARY_NOTE}`;
  if (!policy.takesSecrets || secrets.areNone) return description;
  return `${description} Write <secret>NAME</secret> for a secret; there are ${secrets.names.join(', ')}.`;
}

type Checked = (input: unknown, context: unknown) => Promise<CommonResult>;

/**
 * Runs a definition behind Mastra's own check of the input, which first repairs what models get wrong (null for left
 * out, JSON in a string). What does not fit then is told in Mastra's shape and ours at once.
 */
function checkedByMastra(definition: ToolDefinition, owner: ToolOwner): Checked {
  const { id, description, input: inputSchema } = definition;
  const { secrets } = owner.sessions.context;
  const checked = createTool({
    id,
    description,
    inputSchema,
    execute: (input, context) => runFor(owner, definition, { input, context: context as ExecutionContext }),
  });
  return async (input, context) => {
    const result: unknown = await checked.execute?.(input as never, context as never);
    if (!isValidationError(result)) return result as CommonResult;
    return secrets.hideIn({ ...result, ...invalidInput(result.message) });
  };
}

function runFor(
  { options, sessions, approvals, models }: ToolOwner,
  definition: ToolDefinition,
  { input, context }: { input: unknown; context: ExecutionContext },
): Promise<CommonResult> {
  const session = sessions.get(sessionKeyOf(context, options.sessionKey));
  return runTool(definition, input, {
    sessions,
    session,
    signal: context.abortSignal,
    run: runOf(context, models),
    approvals,
    span: context.tracingContext?.currentSpan,
  });
}

/** The data that a run is suspended with, and resumed with, where it waits for approval. */
const approvalSchemas = {
  suspendSchema: z.looseObject({}),
  resumeSchema: z.object({ approved: z.boolean(), reason: z.string().optional() }),
};

type RequestEntries = Record<string, unknown> & { MastraMemory?: { thread?: { id?: string }; resourceId?: string } };

/** Mastra's `requireApproval` of a tool. It tells less of a call than `execute` is told, so `execute` asks again. */
function approvalGate(definition: ToolDefinition, { options, sessions }: ToolOwner, approvals: Approvals) {
  return async (input: unknown, context: { requestContext?: RequestEntries } = {}): Promise<boolean> => {
    const entries = context.requestContext ?? {};
    const { thread, resourceId } = entries.MastraMemory ?? {};
    const agent = { ...(thread?.id && { threadId: thread.id }), ...(resourceId && { resourceId }) };
    const key = sessionKeyOf({ agent, requestContext: { get: name => entries[name] } }, options.sessionKey);
    return approvals.isNeeded(definition, (input ?? {}) as ToolInput, sessions.get(key));
  };
}

/** The run of an agent, of a workflow, or of whatever else can suspend a call. */
function runOf(context: ExecutionContext, models: AgentModels): Run {
  const { agent, workflow } = context;
  const place = agent?.suspend !== undefined ? agent : workflow?.suspend !== undefined ? workflow : context;
  return {
    id: context.runId ?? workflow?.runId,
    threadId: agent?.threadId,
    signal: context.abortSignal,
    isWorkflow: workflow !== undefined,
    toolCallId: agent?.toolCallId,
    suspend: place.suspend?.bind(place),
    resumeData: agent?.resumeData ?? workflow?.resumeData ?? context.resumeData,
    model: async () => models.of(context.requestContext) ?? (await modelOf(context)),
  };
}

/** The model of the agent that calls, when a Mastra instance knows it. */
async function modelOf({ mastra, agent, requestContext }: ExecutionContext): Promise<MastraModelConfig | undefined> {
  if (mastra === undefined || agent?.agentId === undefined) return undefined;
  try {
    return (await mastra.getAgentById(agent.agentId).getModel({ requestContext })) as MastraModelConfig;
  } catch {
    // Mastra throws for an agent that is not registered with it: whoever asks says that there is no model.
    return undefined;
  }
}

/** Mastra's message without the arguments that it repeats: they can hold what was to be typed. */
function invalidInput(message: string): CommonResult {
  return failure(new ToolError('invalid_input', message.split('\n\nProvided arguments:')[0] ?? message));
}
