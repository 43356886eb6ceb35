import { oneLine } from './one-line.js';
import type { CommonResult } from './result.js';

/** Characters of all lines together, which is less than 200 tokens. */
const BUDGET = 560;
const LINE_LENGTH = 170;
const URL_LENGTH = 80;

type Of<Field extends keyof CommonResult> = NonNullable<CommonResult[Field]>;

/** What an action did beside what it was to do, as a model reads it: what matters most comes first. */
export function effectLines(result: CommonResult): string[] {
  const lines = [...movesOf(result), ...answersOf(result), ...troublesOf(result)];
  const kept: string[] = [];
  let left = BUDGET;
  for (const line of lines.map(text => oneLine(text, LINE_LENGTH))) {
    left -= line.length;
    if (left < 0) break;
    kept.push(line);
  }
  const more = lines.length - kept.length;
  return more === 0 ? kept : [...kept, `… and ${more} more of that kind`];
}

function movesOf(result: CommonResult): string[] {
  const { recovered, newTab, newTabs, closedTabs, tabLimit, status } = result;
  const lines: string[] = [];
  if (recovered !== undefined) lines.push(`Recovered: ${recovered.was} → ${recovered.now}`);
  // The header of a page that is new to the agent says where it is.
  if (result.navigated && !result.wholePage)
    lines.push(`Now at ${result.url?.slice(0, LINE_LENGTH)}${result.title ? ` ${JSON.stringify(result.title)}` : ''}`);
  if (result.loading) lines.push(...loadingLines(result));
  if (status !== undefined && status >= 400) lines.push(`The server answered with status ${status}.`);
  if (newTab !== undefined) lines.push(tabLine(newTabs ?? [newTab]));
  const limit = tabLimit === undefined ? '' : `: more than ${tabLimit} are not kept open, close some with browser_tabs`;
  if (closedTabs !== undefined) lines.push(`${closedTabs} ${closedTabs === 1 ? 'tab' : 'tabs'} closed${limit}`);
  return lines;
}

function answersOf(result: CommonResult): string[] {
  const { dialog, dialogs, fileChooser, download, downloads, pdf, validation = [] } = result;
  return [
    ...(dialogs ?? (dialog === undefined ? [] : [dialog])).map(dialogLine),
    ...(result.dismissedDialogs === undefined ? [] : [dismissedLine(result.dismissedDialogs)]),
    ...(fileChooser === undefined ? [] : ['The page asks for a file: browser_upload on the same element gives it']),
    ...(downloads ?? (download === undefined ? [] : [download])).map(downloadLine),
    ...(pdf === undefined ? [] : [`The page printed: ${pdf.path}`]),
    ...validation.map(({ ref, name, message }) => `Refused: ${ref ?? ''} ${JSON.stringify(name)}: ${message}`),
  ];
}

function troublesOf({ failedRequests = [], consoleErrors = [], url }: CommonResult): string[] {
  return [
    ...failedRequests.map(
      request => `Failed: ${request.method} ${near(request.url, url)} ${request.status ?? request.reason}`,
    ),
    ...consoleErrors.map(error => `Console error: ${error}`),
  ];
}

function loadingLines({ awaited, title, url = '' }: CommonResult): string[] {
  const waits = 'browser_wait for load waits on';
  if (awaited === undefined) return [`Still loading: what has come so far is shown; ${waits}`];
  const shown = title ? JSON.stringify(oneLine(title, URL_LENGTH)) : url.slice(0, URL_LENGTH);
  return [
    `Not there yet: no answer from ${awaited.slice(0, LINE_LENGTH)}`,
    `Until it comes the tab shows ${shown}; ${waits}, browser_navigate goes elsewhere`,
  ];
}

/** A url of the same site without the part that is known. */
function near(url: string, page = ''): string {
  const site = /^https?:\/\/[^/]+(?=\/)/.exec(page)?.[0];
  const short = site !== undefined && url.startsWith(`${site}/`) ? url.slice(site.length) : url;
  return short.length > URL_LENGTH ? `${short.slice(0, URL_LENGTH)}…` : short;
}

function tabLine(tabs: Of<'newTabs'>): string {
  const named = tabs.map(
    ({ tab, url, closed }) => `${tab} ${url.slice(0, URL_LENGTH)}${closed ? ' (closed again)' : ''}`,
  );
  const hint = tabs.some(({ closed }) => !closed) ? ' (browser_tabs switches)' : '';
  return tabs.length === 1 ? `A new tab opened: ${named[0]}${hint}` : `New tabs opened: ${named.join(', ')}${hint}`;
}

function dialogLine({ type, message, answered }: Of<'dialog'>): string {
  const what = `${type} dialog ${JSON.stringify(oneLine(message, LINE_LENGTH - 80))}`;
  return answered === undefined ? `A ${what} is open: answer it with browser_dialog` : `A ${what} was ${answered}`;
}

function dismissedLine({ count, type = 'dialog' }: Of<'dismissedDialogs'>): string {
  return count === 1 ? `1 more ${type} was dismissed` : `${count} more ${type}s were dismissed`;
}

function downloadLine({ state, path, fileName, fileSize, receivedBytes, totalBytes, error }: Of<'download'>): string {
  const came = receivedBytes === undefined ? '' : `, ${receivedBytes} of ${totalBytes ?? '?'} bytes so far`;
  const size = fileSize === undefined ? came : `, ${fileSize} bytes`;
  return `Download ${state}: ${path ?? fileName}${error === undefined ? size : `: ${error}`}`;
}
