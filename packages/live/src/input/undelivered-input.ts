/**
 * Input that was not passed on to the page.
 *
 * Invariant: its message never mentions a closed target, page, session or browser. Mastra's server closes the whole
 * session of a thread when an injected event fails with such a message.
 */
export class UndeliveredInput extends Error {
  override readonly name = 'UndeliveredInput';
}
