import { shortText } from '#page-engine/text/cut-text.js';
import type { Tab } from '../browser/tab/tab.js';
import { dialogWords } from '../results/effects.js';
import { isTimeout, plainMessage, ToolError } from '../results/errors.js';
import type { CommonResult } from '../results/result.js';

export function failure(error: ToolError): CommonResult {
  const hint = error.recoveryHint;
  return {
    success: false,
    code: error.code,
    message: error.message,
    ...(hint !== undefined && { recoveryHint: hint }),
    canRetry: error.canRetry,
  };
}

export function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  if (isTimeout(error))
    return new ToolError('timeout', `The page did not respond in time: ${plainMessage(error)}`, { cause: error });
  return new ToolError('browser_error', plainMessage(error), { cause: error });
}

export function endedBy(signal: AbortSignal): ToolError {
  return signal.reason instanceof ToolError ? signal.reason : aborted();
}

export function aborted(): ToolError {
  return new ToolError('aborted', 'The call was cancelled.');
}

export function dialogOpen(tab: Tab): ToolError {
  const { dialog } = tab;
  const message = JSON.stringify(shortText(dialog?.message() ?? '', 200));
  const suggested = shortText(dialog?.defaultValue() ?? '', 200);
  const words = suggested === '' ? '' : ` (default ${JSON.stringify(suggested)})`;
  return new ToolError('dialog_open', `${dialogWords(dialog?.type() ?? '')} is open: ${message}${words}`);
}

export function describeIssues(id: string, issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const fields = issues.map(issue => `- ${issue.path.map(String).join('.') || 'input'}: ${issue.message}`);
  return `Invalid input for ${id}:\n${fields.join('\n')}`;
}
