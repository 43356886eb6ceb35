/**
 * Input that was not passed on to the page.
 *
 * Invariant: its message never says that a target, page, session or browser was closed. Mastra's server closes the whole
 * session of a thread when an injected event fails with such a text.
 */
export class UndeliveredInput extends Error {
  override readonly name = 'UndeliveredInput';
}
