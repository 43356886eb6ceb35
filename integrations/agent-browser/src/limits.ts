/** Limits that several folders keep. What only one file keeps stands in that file. */

/** Frames within frames are entered this deep. */
export const MAX_FRAME_DEPTH = 10;
/** A frame that takes longer to answer is left out of what is read of its page. */
export const FRAME_TIMEOUT_MS = 3_000;
/** Estimated tokens of a value that a script or a tool of the page returns. */
export const RETURNED_VALUE_TOKENS = 4_000;
/** Characters that one call types or copies. */
export const MAX_TYPED_TEXT = 1_000_000;
/** The usual rule of thumb for English text. */
export const CHARACTERS_PER_TOKEN = 4;
