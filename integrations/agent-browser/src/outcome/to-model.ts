import type { CommonResult } from './result.js';

/** A result that Mastra's validation made instead of the tool. */
interface ValidationResult {
  error: true;
  message: string;
}

/**
 * The text that a model reads of a result: what was done, what came of it, what changed.
 * @param headline What the tool did, in a few words.
 */
export function resultText(result: CommonResult | ValidationResult, headline: string): string {
  if (!('success' in result)) return `invalid_input: ${result.message}`;
  const lines = result.success ? [headline, ...effectLines(result)] : failureLines(result);
  if (result.changes !== undefined) lines.push(result.changes);
  return lines.filter(line => line !== '').join('\n');
}

function failureLines(result: CommonResult): string[] {
  const lines = [`${result.code}: ${result.message}`];
  if (result.recoveryHint !== undefined) lines.push(result.recoveryHint);
  return [...lines, ...effectLines(result)];
}

function effectLines(result: CommonResult): string[] {
  const lines: string[] = [];
  if (result.recovered !== undefined) lines.push(`Recovered: ${result.recovered.was} → ${result.recovered.now}`);
  // The header of a page that is new to the agent says where it is.
  if (result.navigated && !result.changes?.startsWith('page '))
    lines.push(`Now at ${result.url}${result.title ? ` ${JSON.stringify(result.title)}` : ''}`);
  if (result.newTab !== undefined)
    lines.push(`A new tab ${result.newTab.tab} opened: ${result.newTab.url} (browser_tabs switches to it)`);
  if (result.closedTabs !== undefined)
    lines.push(`${result.closedTabs} ${result.closedTabs === 1 ? 'tab' : 'tabs'} closed`);
  if (result.dialog !== undefined) lines.push(dialogLine(result.dialog));
  if (result.download !== undefined) lines.push(downloadLine(result.download));
  if (result.consoleErrors !== undefined) lines.push(...result.consoleErrors.map(error => `Console error: ${error}`));
  return lines;
}

function dialogLine(dialog: NonNullable<CommonResult['dialog']>): string {
  const what = `${dialog.type} dialog ${JSON.stringify(dialog.message)}`;
  return dialog.answered === undefined
    ? `A ${what} is open: answer it with browser_dialog`
    : `A ${what} was ${dialog.answered}`;
}

function downloadLine(download: NonNullable<CommonResult['download']>): string {
  const size = download.fileSize === undefined ? '' : `, ${download.fileSize} bytes`;
  return `Download ${download.state}: ${download.path ?? download.fileName}${size}`;
}
