import { asError } from '../demo/unknown-values.js';

/** More than any tool takes, in bytes. */
export const LONGEST_BODY = 5_000_000;

/** The JSON of a request; what is none fits no schema, and says why. */
export async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch (error) {
    return { unreadable: asError(error).message };
  }
}
