import type { AnyMastraTool, MastraTool } from '@browser-toolset/agent-browser';
import { RequestContext } from '@mastra/core/request-context';
import { z } from 'zod';
import type { JsonSchema, ToolInfo } from './api.js';
import { CALL_ID } from './recorded-toolset.js';

type Tools = Readonly<Record<string, AnyMastraTool>>;

/** The tools with their input schemas as a model gets them. */
export function describeTools(tools: Tools): ToolInfo[] {
  return Object.values(tools).map(({ id, description, inputSchema }) => ({
    id,
    description,
    inputSchema: (inputSchema?.['~standard'].jsonSchema.input({ target: 'draft-07' }) ?? {}) as JsonSchema,
  }));
}

export interface HandRun {
  readonly threadId: string;
  readonly callId: string;
  readonly input?: unknown;
  readonly signal: AbortSignal;
}

/** Runs a tool on a thread as an agent of that thread would. */
export function runByHand(tool: AnyMastraTool, { threadId, callId, input, signal }: HandRun): Promise<unknown> {
  const requestContext = new RequestContext();
  requestContext.set('mastra__threadId', threadId);
  requestContext.set(CALL_ID, callId);
  return (tool as unknown as MastraTool).execute(input, { requestContext, abortSignal: signal });
}

interface FieldTree {
  readonly errors?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, FieldTree>> | undefined;
}

const fieldTree: z.ZodType<FieldTree> = z.lazy(() =>
  z.object({ errors: z.array(z.string()).optional(), fields: z.record(z.string(), fieldTree).optional() }),
);
const invalid = z.object({ validationErrors: fieldTree });

/** Mastra's complaints about the input of a call, by the path of the field. */
export function fieldErrorsOf(output: unknown): Record<string, string> {
  const { data } = invalid.safeParse(output);
  return data ? Object.fromEntries(flatten(data.validationErrors, [])) : {};
}

function flatten({ errors = [], fields = {} }: FieldTree, path: readonly string[]): [string, string][] {
  const own: [string, string][] = errors.length > 0 ? [[path.join('.'), errors.join(' ')]] : [];
  return [...own, ...Object.entries(fields).flatMap(([name, tree]) => flatten(tree, [...path, name]))];
}
