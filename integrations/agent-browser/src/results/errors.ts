import { ERROR_CODES, type ErrorCode, type ErrorCodeInfo } from '@browser-toolset/core';
import { fileTrouble } from '@browser-toolset/core/files';

/** A failure that becomes the result of a tool: it is thrown inside and returned outside. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  /**
   * @param message What happened, as someone who sees the page would describe it.
   * @param options `hint` replaces the recovery hint of the code, `cause` is the original error, and `canRetry: false`
   * overrides a code that allows retries.
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

/** An error in the setup of the toolset, which no call can fix. */
export function badSetup(message: string, cause?: unknown): ToolError {
  const hint = 'Report this in your answer: only whoever configured the browser can fix it.';
  return new ToolError('browser_error', message, { hint, canRetry: false, ...(cause !== undefined && { cause }) });
}

/** Whether the error is a Playwright timeout. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** The first line of an error, without Playwright's call log, terminal colours and local paths. */
export function plainMessage(error: unknown): string {
  const trouble = fileTrouble(error);
  if (trouble !== undefined) return trouble;
  const text = error instanceof Error ? error.message : String(error);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with the escape character.
  const line = text.replace(/\u001b\[\d+m/g, '').split('\n')[0] ?? '';
  return line.replace(/^[a-zA-Z]+\.[a-zA-Z]+: /, '').slice(0, 300);
}

interface Logging {
  readonly threadId: string;
  readonly owner: { readonly log: { debug(message: string, details: Record<string, unknown>): void } };
}

/** Logs the error of something that the session can do without. */
export function logged({ threadId, owner }: Logging, message: string): (error: unknown) => undefined {
  return error => void owner.log.debug(message, { threadId, error: plainMessage(error) });
}
