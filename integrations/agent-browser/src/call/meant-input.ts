import type { z } from 'zod/v4';

const NUMBER_AS_TEXT = /^\s*-?\d+(?:\.\d+)?\s*$/;

/**
 * The input that a caller meant where only its form is wrong: clients and models write numbers, booleans, lists and
 * objects as text, and one thing for a list of one. What a schema accepts as it is, such as text in the form of a
 * list, stays.
 */
export function meantInput(schema: z.core.$ZodType, input: unknown): unknown {
  if (input === undefined || input === null) return input;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return meantInput(def.innerType, input);
    case 'object':
      return withFields(asJson(input), def.shape);
    case 'record':
      return asJson(input);
    case 'array': {
      const list = asJson(input);
      return (Array.isArray(list) ? list : [list]).map(each => meantInput(def.element, each));
    }
    case 'number':
      return typeof input === 'string' && NUMBER_AS_TEXT.test(input) ? Number(input) : input;
    case 'boolean':
      return input === 'true' ? true : input === 'false' ? false : input;
    case 'union':
      return meantOption(def.options, input);
    default:
      return input;
  }
}

function withFields(input: unknown, shape: Readonly<Record<string, z.core.$ZodType>>): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, field === undefined ? value : meantInput(field, value)];
    }),
  );
}

/** The first reading of a value that an option accepts. */
function meantOption(options: readonly z.core.$ZodType[], input: unknown): unknown {
  const accepts = (option: z.core.$ZodType, value: unknown): boolean => (option as z.ZodType).safeParse(value).success;
  if (options.some(option => accepts(option, input))) return input;
  const readings = options.map(option => ({ option, value: meantInput(option, input) }));
  return (readings.find(({ option, value }) => accepts(option, value)) ?? { value: input }).value;
}

/** The list or object that a text holds as JSON; any other value as it is. */
function asJson(input: unknown): unknown {
  if (typeof input !== 'string' || !/^\s*[[{]/.test(input)) return input;
  try {
    return JSON.parse(input);
  } catch {
    // The text only begins like JSON.
    return input;
  }
}
