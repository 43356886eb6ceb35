import { type InferPublicSchema, type PublicSchema, toStandardSchema } from '@mastra/core/schema';
import type { z } from 'zod/v4';
import type { Sessions } from '../browser/sessions.js';
import type { ResultFields, ToolDefinition } from '../call/define.js';
import { failure } from '../call/failure.js';
import { type Call, type CallOptions, runTool } from '../call/run.js';
import { ToolError } from '../results/errors.js';
import type { CommonResult } from '../results/result.js';
import { extract } from './extract.js';
import { ALL_TOOLS } from './index.js';

const UNREPRESENTABLE =
  'schema: has a type that JSON has not; take a string and transform it, as z.iso.date().pipe(…) does.';

/** The result of an extraction in plain code: the data in the type of its schema, and the source of each value. */
export type Extracted<Data> = CommonResult & Omit<ResultFields<typeof extract.output>, 'data'> & { data?: Data };

/**
 * Extracts data from the page in plain code. The schema is a zod schema, any schema that converts to JSON schema, or a
 * JSON schema.
 */
export type ExtractAction = <Schema extends PublicSchema>(
  input: { schema: Schema; instruction?: string; ref?: string },
  options?: CallOptions,
) => Promise<Extracted<InferPublicSchema<Schema>>>;

/**
 * Converts a schema to JSON schema for the tool, and validates its data with the original schema, which applies
 * defaults and transforms.
 */
function typedExtract(
  run: (input: unknown, options?: CallOptions) => Promise<CommonResult & { data?: unknown }>,
): ExtractAction {
  const action = async (input: { schema: PublicSchema }, options?: CallOptions) => {
    const standard = standardOf(input.schema);
    if (standard === undefined) return run(input, options);
    const schema = jsonSchemaOf(standard);
    if (schema === undefined) return failure(new ToolError('invalid_input', UNREPRESENTABLE));
    const result = await run({ ...input, schema }, options);
    if (!result.success) return result;
    const checked = await standard.validate(result.data);
    return 'value' in checked
      ? { ...result, data: checked.value }
      : failure(new ToolError('browser_error', `The data does not fit the schema: ${checked.issues[0]?.message}`));
  };
  return action as ExtractAction;
}

/** Undefined for types that JSON schema cannot express, such as a date or a bigint. */
function jsonSchemaOf(standard: NonNullable<ReturnType<typeof standardOf>>): Record<string, unknown> | undefined {
  try {
    return standard.jsonSchema.input({ target: 'draft-07' });
  } catch {
    return undefined;
  }
}

function standardOf(schema: PublicSchema) {
  try {
    return toStandardSchema(schema)['~standard'];
  } catch {
    // The tool reports what is wrong with the schema.
    return undefined;
  }
}

type AnyTool = (typeof ALL_TOOLS)[number];
type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;
type ActionName<Id extends string> = Id extends `browser_${infer Name}` ? Camel<Name> : never;
type ToolOf<Id> = Extract<AnyTool, { id: Id }>;

export type ResultOf<Id extends AnyTool['id']> =
  ToolOf<Id> extends ToolDefinition<string, infer _Input, infer Output> ? CommonResult & ResultFields<Output> : never;

export type InputOf<Id extends AnyTool['id']> = z.input<ToolOf<Id>['input']>;

type ActionOf<Id extends AnyTool['id']> =
  Record<never, never> extends InputOf<Id>
    ? (input?: InputOf<Id>, options?: CallOptions) => Promise<ResultOf<Id>>
    : (input: InputOf<Id>, options?: CallOptions) => Promise<ResultOf<Id>>;

/** The tools as methods: `browser_fill_form` is `fillForm`. Each runs the tool itself. */
export type SessionActions = {
  [Id in Exclude<AnyTool['id'], 'browser_extract'> as ActionName<Id>]: ActionOf<Id>;
} & { extract: ExtractAction };

/** A session for plain code: the tools as methods with typed results. */
export type BrowserSession = SessionActions & { readonly threadId: string };

export function actionName(id: string): string {
  return id.replace(/^browser_/, '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function sessionActions(call: Omit<Call, 'signal'>): SessionActions {
  // Tools without the prefix `browser_` need a run of an agent or a workflow.
  const tools = ALL_TOOLS.filter(({ id }) => id.startsWith('browser_'));
  const runOf =
    (tool: ToolDefinition) =>
    (input: unknown, options: CallOptions = {}) =>
      runTool(tool, input, { ...call, signal: options.signal });
  const actions = tools.map(tool => [actionName(tool.id), runOf(tool)]);
  return { ...Object.fromEntries(actions), extract: typedExtract(runOf(extract)) } as SessionActions;
}

/** The session of a thread for plain code. */
export function sessionHandle(sessions: Sessions, threadId: string): BrowserSession {
  const call = {
    // Looked up at each call, because a session that was idle for long may have been forgotten.
    get session() {
      return sessions.get(threadId);
    },
  };
  return Object.freeze({ threadId: sessions.get(threadId).threadId, ...sessionActions(call) });
}
