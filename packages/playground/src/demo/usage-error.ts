/** A mistake of the person at the keyboard: shown as its sentence, without a stack. */
export class UsageError extends Error {
  override name = 'UsageError';
}
