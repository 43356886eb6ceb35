import type { PastResult, RawResult, ToolResultPart } from './past-results.js';

const NAME_LENGTH = 60;
const URL_LENGTH = 120;
const MESSAGE_LENGTH = 120;

/** One line for a result that is out of date: which tool, when, on what, with which outcome, and on which page. No refs. */
export function brief({ part, stored }: PastResult): string {
  const time = stored?.at === undefined ? '' : ` ${new Date(stored.at).toISOString().slice(11, 16)}`;
  const told = stored?.result === undefined ? firstLine(part) : outcome(stored.result).join(', ');
  return `[shortened] ${part.toolName}${time}: ${told}`;
}

function outcome(result: RawResult): string[] {
  const { success, code, message = '', element, path, newTab, download, dialog, humanActions } = result;
  const where =
    result.title === undefined ? shortUrl(result.url) : `on ${quoted(result.title)} ${shortUrl(result.url)}`;
  return [
    success ? 'ok' : withoutRefs(`${code ?? 'failed'}: ${firstSentence(message)}`),
    element === undefined ? '' : `${element.role} ${quoted(element.name)}`,
    path ?? '',
    newTab === undefined ? '' : `opened tab ${newTab.tab}`,
    download === undefined ? '' : `download ${download.state} ${download.path ?? quoted(download.fileName)}`,
    dialog === undefined ? '' : `${dialog.type} dialog ${quoted(dialog.message)}`,
    humanActions === undefined ? '' : 'a person had acted before',
    where.trim(),
  ].filter(Boolean);
}

/** Names come from the page: they stay on their line, between quotes. */
function quoted(text: string): string {
  return JSON.stringify(withoutRefs(cut(text, NAME_LENGTH)));
}

function shortUrl(url = ''): string {
  return cut(url, URL_LENGTH);
}

function firstLine({ output }: ToolResultPart): string {
  const text =
    output.type === 'text' || output.type === 'error-text'
      ? output.value
      : output.type === 'content'
        ? output.value.map(part => (part.type === 'text' ? part.text : '')).join('\n')
        : JSON.stringify(output.value);
  const line = text.split('\n').find(each => !/^\[page \d+\]$/.test(each)) ?? '';
  return withoutRefs(cut(line, MESSAGE_LENGTH));
}

function firstSentence(message: string): string {
  return cut(message.split('\n')[0]?.split(/(?<=[.!?]) /)[0] ?? '', MESSAGE_LENGTH);
}

/** The ref of an old result may be stale: nobody is to use it from here. */
function withoutRefs(text: string): string {
  return text.replace(/@e\d+/g, 'it');
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
