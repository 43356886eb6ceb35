import { type InferPublicSchema, type PublicSchema, toStandardSchema } from '@mastra/core/schema';
import { ToolError } from '../../outcome/errors.js';
import type { CommonResult } from '../../outcome/result.js';
import type { CallOptions } from '../call/call.js';
import { failure } from '../call/failure.js';
import type { ResultFields } from '../define.js';
import type { extract } from '../extract.js';

const UNREPRESENTABLE =
  'schema: has a type that JSON has not; take a string and transform it, as z.iso.date().pipe(…) does.';

/** The result of an extraction in plain code: the data as its schema has it, and where it came from. */
export type Extracted<Data> = CommonResult & Omit<ResultFields<typeof extract.output>, 'data'> & { data?: Data };

/**
 * Extracts with a schema in plain code: zod, any schema that can turn itself into JSON schema, or JSON schema itself.
 */
export type ExtractAction = <Schema extends PublicSchema>(
  input: { schema: Schema; instruction?: string; ref?: string },
  options?: CallOptions,
) => Promise<Extracted<InferPublicSchema<Schema>>>;

/** Gives the tool a schema that is more than JSON, and its data back as that schema has it: defaults and transforms. */
export function typedExtract(
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

/** Undefined for what JSON has no words for, such as a date or a bigint. */
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
    // The tool itself says what is wrong with it.
    return undefined;
  }
}
