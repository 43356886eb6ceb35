import { toStandardSchema } from '@mastra/core/schema';
import type { z } from 'zod/v4';

type Standard = ReturnType<typeof toStandardSchema>['~standard'];
type ToJsonSchema = Standard['jsonSchema']['input'];

/**
 * An input schema as Mastra gets it. It reads as the tool's own, but
 * - lets every input pass: Mastra's agent loop would check input before it calls the tool and answer in its own shape
 *   alone; so all calls reach `execute`, which checks by the real schema and answers in both shapes;
 * - tells a model only the bounds that help it to choose a value: Mastra spells all others out in words.
 */
export function modelSchema<Schema extends z.ZodObject>(schema: Schema): Schema {
  const standard: Standard = toStandardSchema(schema)['~standard'];
  const open = {
    ...standard,
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: shorter(standard.jsonSchema.input), output: shorter(standard.jsonSchema.output) },
  };
  return Object.create(schema, { '~standard': { value: open, enumerable: true } }) as Schema;
}

/** Bounds that guard the browser against absurd input. */
const GUARDS = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);
/** A larger maximum is a guard, too. */
const TELLING_MAXIMUM = 1_000;

function shorter(convert: ToJsonSchema): ToJsonSchema {
  return options => {
    const { $schema: _, ...rest } = convert(options);
    return withoutGuards(rest) as Record<string, unknown>;
  };
}

function withoutGuards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutGuards);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, entry]) => !isGuard(key, entry));
  return Object.fromEntries(kept.map(([key, entry]) => [key, withoutGuards(entry)]));
}

function isGuard(key: string, value: unknown): boolean {
  if (typeof value !== 'number') return false;
  return GUARDS.has(key) || (key === 'maximum' && value > TELLING_MAXIMUM);
}
