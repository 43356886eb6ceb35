import { ERROR_CODES, type ErrorCode, type ErrorCodeInfo } from '@browser-toolset/core';
import { fileTrouble } from '@browser-toolset/core/files';

/** A failure on its way to the result of a tool: thrown inside, returned outside. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  /**
   * @param code Which of the codes.
   * @param message What happened, in the words of somebody who sees the page.
   * @param options A hint that fits better than the code's own, the error behind it, and that no retry can help where one
   * could as far as the code says.
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly options: { hint?: string; cause?: unknown; canRetry?: false } = {},
  ) {
    super(message, { cause: options.cause });
  }

  get canRetry(): boolean {
    return this.options.canRetry ?? ERROR_CODES[this.code].canRetry;
  }

  get recoveryHint(): string | undefined {
    const info: ErrorCodeInfo = ERROR_CODES[this.code];
    return this.options.hint ?? info.recoveryHint;
  }
}

/** The toolset was set up with what cannot work: no call can mend that. */
export function badSetup(message: string, cause?: unknown): ToolError {
  const hint = 'Report this in your answer: only whoever configured the browser can fix it.';
  return new ToolError('browser_error', message, { hint, canRetry: false, ...(cause !== undefined && { cause }) });
}

/** Whether Playwright gave up because the time was over. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** First line of an error without Playwright's call log, terminal colours and paths of this machine. */
export function plainMessage(error: unknown): string {
  const trouble = fileTrouble(error);
  if (trouble !== undefined) return trouble;
  const text = error instanceof Error ? error.message : String(error);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with the escape character.
  const line = text.replace(/\u001b\[\d+m/g, '').split('\n')[0] ?? '';
  return line.replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, '').slice(0, 300);
}

/**
 * Input that was not passed on to the page.
 *
 * Invariant: its message never says that a target, page, session or browser was closed. Mastra's server closes the whole
 * session of a thread when an injected event fails with such a text.
 */
export class UndeliveredInput extends Error {
  override readonly name = 'UndeliveredInput';
}
