import type { Refusal } from '../protocol.js';

/** Marks the engine's refusals in the text of an error; what is inside is URI-encoded, so a page cannot write it. */
const REFUSAL = 'browser-toolset-refusal:';

/** Tells why an element is not handed out. */
export function refuse(refusal: Refusal): never {
  throw new Error(`${REFUSAL}${encodeURIComponent(JSON.stringify(refusal))};`);
}
