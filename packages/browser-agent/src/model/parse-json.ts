import { jsonrepair } from 'jsonrepair';

/** Characters of an answer that are looked at. */
const PARSED_TEXT_LIMIT = 400_000;
const FENCED = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/;

/**
 * JSON out of what a model wrote: as it is, in a fence, or in the midst of prose; what is almost JSON is repaired.
 *
 * @throws When there is none.
 */
export function parseJson(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') throw new Error('the answer is empty');
  if (trimmed.length > PARSED_TEXT_LIMIT) throw new Error(`the answer has ${trimmed.length} characters`);
  const whole = parsed(trimmed);
  if (whole !== undefined) return whole;
  const fenced = FENCED.exec(trimmed)?.[1];
  const start = trimmed.indexOf('{');
  const end = trimmed.lastIndexOf('}');
  const object = start < 0 ? undefined : trimmed.slice(start, end > start ? end + 1 : undefined);
  for (const candidate of [fenced, object, start < 0 ? undefined : trimmed.slice(start)]) {
    if (candidate === undefined) continue;
    const found = parsed(candidate) ?? repaired(candidate);
    if (found !== undefined) return found;
  }
  throw new Error('there is no JSON object in the answer');
}

function parsed(text: string): object | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    // It is not JSON as it stands: others look closer.
    return undefined;
  }
}

function repaired(text: string): object | undefined {
  try {
    return asObject(JSON.parse(jsonrepair(text)));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}
